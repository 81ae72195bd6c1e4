package stats

import (
	"math"
	"testing"
)

// within fails the test where got is further from want than half a unit of the
// last digit that was published.
func within(t *testing.T, what string, got, want float64, digits int) {
	t.Helper()
	if !(math.Abs(got-want) <= 0.5000001*math.Pow10(-digits)) {
		t.Errorf("%s = %.*f, want %.*f", what, digits+3, got, digits, want)
	}
}

func unknownNumber(t *testing.T, what string, got float64) {
	t.Helper()
	if !math.IsNaN(got) {
		t.Errorf("%s = %v, want NaN", what, got)
	}
}
