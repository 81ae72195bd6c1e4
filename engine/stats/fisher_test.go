package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestFisher(t *testing.T) {
	for _, tt := range []struct {
		first, firstOf, second, secondOf int
		want                             float64
		digits                           int
	}{
		{5, 5, 0, 1, .167, 3},
		{10, 10, 0, 1, .091, 3},
		{19, 19, 0, 1, .05, 9},
		{60, 60, 0, 1, .016, 3},
		{5, 5, 0, 2, .0476, 4},
		{5, 5, 0, 3, .0179, 4},
		{5, 5, 0, 5, .0079, 4},
		{5, 5, 1, 5, .0476, 4},
		{5, 5, 2, 5, .167, 3},
		{3, 3, 0, 3, .10, 9},
		{0, 0, 0, 0, 1, 9},
		{3, 5, 0, 0, 1, 9},
		{5, 5, 5, 5, 1, 9},
	} {
		within(t, fmt.Sprintf("Fisher(%d/%d, %d/%d)", tt.first, tt.firstOf, tt.second, tt.secondOf),
			Fisher(tt.first, tt.firstOf, tt.second, tt.secondOf), tt.want, tt.digits)
	}
	for _, bad := range [][4]int{{-1, 5, 0, 5}, {6, 5, 0, 5}, {0, 5, 6, 5}, {0, 5, -1, 5}, {0, -1, 0, 5}} {
		unknownNumber(t, fmt.Sprint("Fisher", bad), Fisher(bad[0], bad[1], bad[2], bad[3]))
	}
}

func TestFisherHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		m := rapid.IntRange(0, 40).Draw(t, "m")
		a := rapid.IntRange(0, n).Draw(t, "a")
		b := rapid.IntRange(0, m).Draw(t, "b")
		p := Fisher(a, n, b, m)
		if !(p > 0 && p <= 1) || !near(p, Fisher(b, m, a, n)) || !near(p, Fisher(n-a, n, m-b, m)) {
			t.Fatalf("Fisher(%d/%d, %d/%d) = %v does not survive a swap", a, n, b, m, p)
		}
		if samples := rapid.IntRange(2, 500).Draw(t, "samples"); math.Abs(Fisher(samples, samples, 0, 1)-1/float64(samples+1)) > 1e-9 {
			t.Fatalf("one that differs from %d has p %v", samples, Fisher(samples, samples, 0, 1))
		}
	})
}
