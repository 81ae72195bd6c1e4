package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestDetectableFlips(t *testing.T) {
	for _, tt := range []struct {
		n                            int
		five, ten, twenty, unpairedP float64
	}{
		{60, 8.1, 11.4, 16.2, 20.5},
		{100, 6.3, 8.9, 12.5, 15.8},
		{200, 4.4, 6.3, 8.9, 11.2},
		{300, 3.6, 5.1, 7.2, 9.1},
	} {
		for flips, want := range map[float64]float64{.05: tt.five, .10: tt.ten, .20: tt.twenty} {
			within(t, fmt.Sprintf("leading term for %d cases at %v", tt.n, flips), 100*reach()*math.Sqrt(flips/float64(tt.n)), want, 1)
			if raised := 100 * FewestFlips / float64(tt.n); raised > want {
				within(t, fmt.Sprintf("DetectableFlips(%d, %v)", tt.n, flips), 100*DetectableFlips(tt.n, flips), raised, 9)
				continue
			}
			within(t, fmt.Sprintf("DetectableFlips(%d, %v)", tt.n, flips), 100*DetectableFlips(tt.n, flips), want, 1)
		}
		within(t, fmt.Sprintf("DetectableUnpaired(%d, .8)", tt.n), 100*DetectableUnpaired(tt.n, .8), tt.unpairedP, 1)
	}
	within(t, "standard errors to reach", reach(), 2.8016, 4)
	within(t, "six flips one way are the least", DetectableFlips(200, 0), .03, 9)
	unknownNumber(t, "five cases", DetectableFlips(5, .5))
	unknownNumber(t, "six cases of which all flip", DetectableFlips(6, 1))
	unknownNumber(t, "a negative share", DetectableFlips(100, -.1))
	unknownNumber(t, "more than all", DetectableUnpaired(100, 1.1))
	unknownNumber(t, "no case", DetectableUnpaired(0, .5))
	unknownNumber(t, "an unknown error", Detectable(unknown().Low))
	unknownNumber(t, "a negative error", Detectable(-1))
}

func TestCasesToDetect(t *testing.T) {
	for _, tt := range []struct {
		change, flips float64
		want          int
	}{
		{.05, .10, 314},
		{.05, .20, 628},
		{.03, .10, 873},
		{-.03, .10, 873},
		{.05, .42, 1319}, // what a table for unpaired runs gives as about 1,300
		{.5, .5, 16},
		{.9, .9, 9},
		{1, 1, 8},
		{.2, .1, 0},
		{0, .1, 0},
		{.1, 1.5, 0},
	} {
		if got := CasesToDetect(tt.change, tt.flips); got != tt.want {
			t.Errorf("CasesToDetect(%v, %v) = %d, want %d", tt.change, tt.flips, got, tt.want)
		}
	}
}

func TestDetectableFallsWithCases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 10_000).Draw(t, "n")
		flips := rapid.Float64Range(0, 1).Draw(t, "flips")
		one, more := DetectableFlips(n, flips), DetectableFlips(n+1, flips)
		if !(more < one) {
			t.Fatalf("%d cases see %v, one more %v", n, one, more)
		}
		change := rapid.Float64Range(.01, 1).Draw(t, "change")
		if flips < change {
			return
		}
		if need := CasesToDetect(change, flips); DetectableFlips(need, flips) > change+1e-9 {
			t.Fatalf("%d cases for %v at %v see only %v", need, change, flips, DetectableFlips(need, flips))
		}
	})
}
