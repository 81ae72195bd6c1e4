package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBenjaminiHochberg(t *testing.T) {
	for _, tt := range []struct{ ps, want []float64 }{
		{
			[]float64{.001, .008, .012, .041, .042, .060, .074, .205, .212, .9},
			[]float64{.01, .04, .04, .084, .084, .1, .10571, .23556, .23556, .9},
		},
		{[]float64{.01, .02, .03, .04, .05}, []float64{.05, .05, .05, .05, .05}},
		{[]float64{.05, .01}, []float64{.05, .02}},
		{[]float64{.6}, []float64{.6}},
		{nil, nil},
	} {
		got := BenjaminiHochberg(tt.ps)
		for i := range tt.want {
			within(t, fmt.Sprintf("%v at %d", tt.ps, i), got[i], tt.want[i], 5)
		}
	}
	if got := BenjaminiHochberg([]float64{math.NaN(), .02, .5}); !math.IsNaN(got[0]) || got[1] != .04 {
		t.Errorf("a p that is not known counts as a test: %v", got)
	}
}

// Of 1,000 comparisons of five samples with five, none can be called before
// 159 stand at the smallest p there is.
func TestBenjaminiHochbergOfTooManyTests(t *testing.T) {
	floor := Fisher(5, 5, 0, 5)
	within(t, "the smallest p", floor, 2.0/252, 9)
	for atFloor, want := range map[int]bool{158: false, 159: true} {
		ps := make([]float64, 1000)
		for i := range ps {
			ps[i] = 1
			if i < atFloor {
				ps[i] = floor
			}
		}
		if got := BenjaminiHochberg(ps)[0] <= Alpha; got != want {
			t.Errorf("with %d at the floor: called %v, want %v", atFloor, got, want)
		}
	}
}

func TestBenjaminiHochbergHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "ps")
		adjusted := BenjaminiHochberg(ps)
		for i := range ps {
			if adjusted[i] < ps[i]-1e-15 || adjusted[i] > 1 {
				t.Fatalf("%v became %v", ps[i], adjusted[i])
			}
			for j := range ps {
				if ps[i] < ps[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("%v and %v changed places: %v, %v", ps[i], ps[j], adjusted[i], adjusted[j])
				}
			}
		}
	})
}
