package stats

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{
		{3, 3, .4385, 1},
		{5, 5, .5655, 1},
		{4, 5, .3755, .9638},
		{0, 5, 0, .4345},
		{54, 60, .7985, .9534},
		{57, 60, .8630, .9829},
		{180, 200, .8506, .9343},
		{200, 200, .9812, 1},
		{270, 300, .8608, .9291},
		{85, 100, .7672, .9069},
	} {
		i := Wilson(tt.k, tt.n)
		within(t, fmt.Sprintf("Wilson(%d, %d).Low", tt.k, tt.n), i.Low, tt.low, 4)
		within(t, fmt.Sprintf("Wilson(%d, %d).High", tt.k, tt.n), i.High, tt.high, 4)
	}
}

func TestRateIntervalsOfNothing(t *testing.T) {
	if i := Wilson(0, 0); i != (Interval{0, 1}) {
		t.Errorf("Wilson(0, 0) = %v, want all of 0 to 1", i)
	}
	for _, bad := range [][2]int{{-1, 5}, {6, 5}, {0, -1}, {1, 0}} {
		if i := Wilson(bad[0], bad[1]); i.Known() || i.Contains(0.5) {
			t.Errorf("Wilson(%d, %d) = %v, want unknown", bad[0], bad[1], i)
		}
	}
}

func TestRateIntervalsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		i := Wilson(k, n)
		if i.Low < 0 || i.High > 1 || !i.Contains(float64(k)/float64(n)) {
			t.Fatalf("Wilson(%d, %d) = %v leaves out the rate or 0..1", k, n, i)
		}
		mirror := Wilson(n-k, n)
		if !near(i.Low, 1-mirror.High) || !near(i.High, 1-mirror.Low) {
			t.Fatalf("%v for %d of %d is not the mirror image of %v", i, k, n, mirror)
		}
		if more := Wilson(2*k, 2*n); more.High-more.Low >= i.High-i.Low {
			t.Fatalf("twice the trials at the same rate give %v after %v", more, i)
		}
		// The exact bound is where what was seen has just a 5% chance.
		if bound := FlipBound(n-k, n); k < n && !near(binomialBelow(k, n, bound), Alpha) {
			t.Fatalf("FlipBound(%d, %d) = %v", n-k, n, bound)
		}
	})
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
