package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The tails are compared with sums of single binomial chances, which are built
// up from one another without the incomplete beta function.
func TestBinomialBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		k := rapid.IntRange(-1, n+1).Draw(t, "k")
		p := rapid.Float64Range(.001, .999).Draw(t, "p")
		at, sum := math.Pow(1-p, float64(n)), 0.0
		if at < 1e-290 {
			return // the first term has lost its digits
		}
		for i := range n + 1 {
			if math.Abs(binomialAt(i, n, p)-at) > 1e-10 {
				t.Fatalf("binomialAt(%d, %d, %v) = %v, want %v", i, n, p, binomialAt(i, n, p), at)
			}
			if i <= k {
				sum += at
			}
			at *= float64(n-i) / float64(i+1) * p / (1 - p)
		}
		if got := binomialBelow(k, n, p); math.Abs(got-sum) > 1e-10 {
			t.Fatalf("binomialBelow(%d, %d, %v) = %v, want %v", k, n, p, got, sum)
		}
	})
}

func TestBinomialAtTheEnds(t *testing.T) {
	for _, tt := range []struct {
		k, n int
		p    float64
		want float64
	}{{0, 3, 0, 1}, {1, 3, 0, 0}, {3, 3, 1, 1}, {2, 3, 1, 0}, {-1, 3, .5, 0}, {4, 3, .5, 0}, {0, 0, .5, 1}} {
		if got := binomialAt(tt.k, tt.n, tt.p); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("binomialAt(%d, %d, %v) = %v, want %v", tt.k, tt.n, tt.p, got, tt.want)
		}
	}
}

func TestBetaShareHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := math.Pow(10, rapid.Float64Range(-2, 6).Draw(t, "log a"))
		b := math.Pow(10, rapid.Float64Range(-2, 6).Draw(t, "log b"))
		x := float64(rapid.IntRange(0, 1024).Draw(t, "x·1024")) / 1024 // so that 1−x is exact
		got := betaShare(a, b, x)
		if !(got >= -1e-9 && got <= 1+1e-9) || math.Abs(got-(1-betaShare(b, a, 1-x))) > 1e-7 {
			t.Fatalf("I_%v(%v, %v) = %v, mirrored %v", x, a, b, got, 1-betaShare(b, a, 1-x))
		}
	})
	unknownNumber(t, "a is 0", betaShare(0, 1, .5))
	unknownNumber(t, "x is NaN", betaShare(1, 1, math.NaN()))
}
