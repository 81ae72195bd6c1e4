package stats

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestFlipBound(t *testing.T) {
	for _, tt := range []struct {
		misses, n int
		want      float64
		digits    int
	}{
		{0, 3, .632, 3},
		{0, 5, .451, 3},
		{0, 6, .393, 3},
		{0, 10, .259, 3},
		{0, 14, .193, 3},
		{0, 20, .139, 3},
		{0, 29, .098, 3},
		{0, 30, .095, 3},
		{0, 59, .0495, 4},
		{0, 60, .0487, 4},
		{0, 100, .0295, 4},
		{0, 299, .010, 3},
		{1, 10, .394, 3},
		{1, 20, .216, 3},
		{1, 25, .176, 3},
		{1, 60, .077, 3},
	} {
		within(t, fmt.Sprintf("FlipBound with %d misses of %d", tt.misses, tt.n), FlipBound(tt.n-tt.misses, tt.n), tt.want, tt.digits)
	}
	if got := FlipBound(0, 0); got != 1 {
		t.Errorf("without a sample anything is possible, got %v", got)
	}
	if got := FlipBound(0, 4); got != 1 {
		t.Errorf("where nothing agrees anything is possible, got %v", got)
	}
	unknownNumber(t, "FlipBound(6, 5)", FlipBound(6, 5))
	unknownNumber(t, "FlipBound(-1, 5)", FlipBound(-1, 5))
	unknownNumber(t, "FlipBound(0, -5)", FlipBound(0, -5))
}

func TestFlipBoundFallsWithSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		misses := rapid.IntRange(0, n).Draw(t, "misses")
		bound := FlipBound(n-misses, n)
		if bound < float64(misses)/float64(n) || bound > 1 {
			t.Fatalf("bound %v for %d misses of %d", bound, misses, n)
		}
		if more := FlipBound(n+1-misses, n+1); more > bound {
			t.Fatalf("one more that agrees raises the bound from %v to %v", bound, more)
		}
		if misses < n {
			if missed := FlipBound(n-misses-1, n); missed < bound {
				t.Fatalf("one more miss lowers the bound from %v to %v", bound, missed)
			}
		}
		// The bound is where so few misses have just a 5% chance.
		if misses < n && !near(binomialBelow(misses, n, bound), Alpha) {
			t.Fatalf("under the bound %v, %d misses of %d have a chance of %v", bound, misses, n, binomialBelow(misses, n, bound))
		}
	})
}

func TestSamplesFor(t *testing.T) {
	for _, tt := range []struct {
		bound float64
		want  int
	}{
		{.50, 5},
		{.30, 9},
		{.25, 11},
		{.20, 14},
		{.10, 29},
		{.05, 59},
		{.01, 299},
		{1, 0},
		{.95, 1},
		{0, -1},
		{-1, -1},
		{1e-300, -1},
	} {
		if got := SamplesFor(tt.bound); got != tt.want {
			t.Errorf("SamplesFor(%v) = %d, want %d", tt.bound, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.Float64Range(1e-4, 0.999).Draw(t, "bound")
		n := SamplesFor(bound)
		if FlipBound(n, n) > bound*(1+1e-12) || n > 1 && FlipBound(n-1, n-1) <= bound*(1-1e-12) {
			t.Fatalf("SamplesFor(%v) = %d is not the first that suffices", bound, n)
		}
	})
}

func TestEvidence(t *testing.T) {
	for _, tt := range []struct {
		agree, of int
		want      string
	}{
		{5, 5, "5/5 agree, flips up to 45% possible"},
		{60, 60, "60/60 agree, flips up to 4.9% possible"},
		{299, 299, "299/299 agree, flips up to 1.0% possible"},
		{3, 3, "3/3 agree, flips up to 63% possible"},
		{1, 1, "1/1 agree, flips up to 95% possible"},
		{24, 25, "24/25 agree, flips up to 18% possible"},
		{0, 3, "0/3 agree, flips up to 100% possible"},
		{10000, 10000, "10000/10000 agree, flips up to 0.030% possible"},
		{0, 0, "not sampled"},
		{0, -2, "not sampled"},
		{7, 5, "agreement unknown: 7 of 5 is no count"},
	} {
		if got := Evidence(tt.agree, tt.of); got != tt.want {
			t.Errorf("Evidence(%d, %d) = %q, want %q", tt.agree, tt.of, got, tt.want)
		}
	}
}

func TestStandingOf(t *testing.T) {
	for _, tt := range []struct {
		agree, of int
		want      Standing
	}{
		{0, 0, Unmeasured},
		{4, 4, Unmeasured},
		{5, 5, Provisional},
		{13, 13, Provisional},
		{14, 14, Settled},
		{60, 60, Settled},
		{4, 5, Unstable},
		{2, 3, Unstable},
		{23, 24, Unstable},
		{24, 25, Settled},
		{58, 60, Unstable},
		{998, 1000, Unstable},
		{6, 5, Unmeasured},
		{-1, 5, Unmeasured},
	} {
		if got := StandingOf(tt.agree, tt.of); got != tt.want {
			t.Errorf("StandingOf(%d, %d) = %q, want %q", tt.agree, tt.of, got, tt.want)
		}
	}
	// What the two thresholds of a stable value have in common.
	for _, n := range [][2]int{{14, 14}, {24, 25}} {
		if bound := FlipBound(n[0], n[1]); bound > 0.20 {
			t.Errorf("%d of %d is called stable with flips up to %v possible", n[0], n[1], bound)
		}
	}
}
