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
	for name, interval := range map[string]func(k, n int) Interval{"Wilson": Wilson, "ClopperPearson": ClopperPearson} {
		if i := interval(0, 0); i != (Interval{0, 1}) {
			t.Errorf("%s(0, 0) = %v, want all of 0 to 1", name, i)
		}
		for _, bad := range [][2]int{{-1, 5}, {6, 5}, {0, -1}, {1, 0}} {
			if i := interval(bad[0], bad[1]); i.Known() || i.Contains(0.5) {
				t.Errorf("%s(%d, %d) = %v, want unknown", name, bad[0], bad[1], i)
			}
		}
	}
}

func TestRateIntervalsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		for name, interval := range map[string]func(k, n int) Interval{"Wilson": Wilson, "ClopperPearson": ClopperPearson} {
			i := interval(k, n)
			if i.Low < 0 || i.High > 1 || !i.Contains(float64(k)/float64(n)) {
				t.Fatalf("%s(%d, %d) = %v leaves out the rate or 0..1", name, k, n, i)
			}
			mirror := interval(n-k, n)
			if !near(i.Low, 1-mirror.High) || !near(i.High, 1-mirror.Low) {
				t.Fatalf("%s: %v for %d of %d is not the mirror image of %v", name, i, k, n, mirror)
			}
			if more := interval(2*k, 2*n); more.High-more.Low >= i.High-i.Low {
				t.Fatalf("%s: twice the trials at the same rate give %v after %v", name, more, i)
			}
		}
		// The exact bounds are where what was seen has just a 2.5% chance.
		exact := ClopperPearson(k, n)
		if k < n && !near(binomialBelow(k, n, exact.High), Alpha/2) || k > 0 && !near(1-binomialBelow(k-1, n, exact.Low), Alpha/2) {
			t.Fatalf("ClopperPearson(%d, %d) = %v", k, n, exact)
		}
	})
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
