package stats

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Permutation is the outcome of a sign-flip test.
type Permutation struct {
	P      float64 // two-sided
	Exact  bool    // all sign patterns were counted; otherwise P is from draws
	Differ int     // terms that are not zero; fewer than FewestFlips reach no P of 0.05
}

const (
	enumerated = 20     // most terms whose sign patterns are all counted: 2²⁰
	draws      = 10_000 // patterns drawn above that
	drawnAlone = 1_000  // most terms whose signs are drawn one by one
)

// SignFlip tests whether paired differences are centred on zero. terms are the
// weighted differences of the cases, or their sums over each family: under no
// change each is as likely to have the other sign, and P is the share of sign
// patterns whose sum is at least as far from zero as the one seen.
//
// Up to 20 terms that are not zero are enumerated. More are drawn 10,000 times
// from a fixed seed and give (1+hits)/(1+draws), which is never 0. Above 1,000
// the smaller terms are drawn as one normal variable of their variance, which
// is what so many of them add up to, so that time stays bounded. P depends
// on the terms as a set only, not on their order or overall sign. Without a
// term that is not zero P is 1; with one that is NaN or infinite, NaN.
//
// Source: Fisher 1935, "The design of experiments", section 21; the estimate
// from draws is that of Phipson and Smyth 2010, "Permutation p-values should
// never be zero".
func SignFlip(terms []float64) Permutation {
	differ := make([]float64, 0, len(terms))
	largest := 0.0
	for _, t := range terms {
		if !finite(t) {
			return Permutation{P: math.NaN()}
		}
		if t != 0 {
			differ = append(differ, t)
			largest = max(largest, math.Abs(t))
		}
	}
	if len(differ) == 0 {
		return Permutation{P: 1, Exact: true}
	}
	slices.SortFunc(differ, func(a, b float64) int {
		if c := cmp.Compare(math.Abs(a), math.Abs(b)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	sizes := make([]float64, len(differ))
	seen, total := 0.0, 0.0
	for i, t := range differ {
		t /= largest // sums of huge terms stay finite
		seen += t
		sizes[i] = math.Abs(t)
		total += sizes[i]
	}
	// Sums that are equal on paper differ by rounding, and must count as equal.
	threshold := math.Abs(seen) - 1e-9*total
	if len(sizes) <= enumerated {
		return Permutation{P: countPatterns(sizes, total, threshold), Exact: true, Differ: len(sizes)}
	}
	return Permutation{P: drawPatterns(sizes, threshold), Differ: len(sizes)}
}

// countPatterns is the share of all sign patterns whose sum reaches threshold.
// The largest term keeps its sign, since a pattern and its mirror image reach
// it together; the others are walked in Gray code, one flip a step.
func countPatterns(sizes []float64, total, threshold float64) float64 {
	free := sizes[:len(sizes)-1]
	patterns := uint32(1) << len(free)
	sum, negative, hits := total, uint32(0), 0
	for i := uint32(1); ; i++ {
		if math.Abs(sum) >= threshold {
			hits++
		}
		if i == patterns {
			return float64(hits) / float64(patterns)
		}
		at := bits.TrailingZeros32(i)
		if negative ^= 1 << at; negative&(1<<at) != 0 {
			sum -= 2 * free[at]
		} else {
			sum += 2 * free[at]
		}
	}
}

// drawPatterns estimates the share of sign patterns whose sum reaches
// threshold. The seed is fixed, so that the same run prints the same p. sizes
// ascend.
func drawPatterns(sizes []float64, threshold float64) float64 {
	source := rand.NewPCG(0x646f636b6574, 1)
	normal := rand.New(source)
	small, large := sizes[:max(0, len(sizes)-drawnAlone)], sizes[max(0, len(sizes)-drawnAlone):]
	variance := 0.0
	for _, size := range small {
		variance += size * size
	}
	deviation := math.Sqrt(variance)
	hits := 0
	for range draws {
		sum := 0.0
		if deviation > 0 {
			sum = deviation * normal.NormFloat64()
		}
		var signs uint64
		for i, size := range large {
			if i%64 == 0 {
				signs = source.Uint64()
			}
			// The sign is moved into the float's own sign bit: a branch on a
			// random bit would be guessed wrong half the time.
			sum += math.Float64frombits(math.Float64bits(size) | signs<<63)
			signs >>= 1
		}
		if math.Abs(sum) >= threshold {
			hits++
		}
	}
	return float64(1+hits) / float64(1+draws)
}
