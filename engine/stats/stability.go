package stats

import (
	"fmt"
	"math"
)

// FlipBound is the largest share of flips that is still possible, at 95%, after
// agree of samples had the same value: 5 of 5 leave 45%, 60 of 60 leave 4.9%.
// With no sample it is 1; where agree is negative or above samples it is NaN.
//
// It is the exact one-sided bound for a value that was fixed before the samples
// were taken, as a baseline's is. Where the samples themselves chose the value
// they say less: a coin agrees with itself five times in 6.25% of all tries
// (see [Admitted]), so five samples do not exclude a coin, and six do.
//
// Source: Clopper and Pearson 1934, one-sided. Without a miss it is 1 −
// 0.05^(1/n), of which the "rule of three" 3/n (Hanley and Lippman-Hand 1983)
// is an approximation that is poor below thirty samples.
func FlipBound(agree, samples int) float64 {
	switch {
	case samples == 0 && agree == 0:
		return 1
	case samples < 0 || agree < 0 || agree > samples:
		return math.NaN()
	}
	return rateBound(samples-agree, samples, Alpha)
}

// SamplesFor is the number of samples that must all agree before [FlipBound]
// is at most bound: 14 for 0.2, 59 for 0.05. It is 0 for a bound of 1 or more,
// which needs no sample, and −1 for one that no number of samples reaches (0,
// a negative one, NaN).
func SamplesFor(bound float64) int {
	switch {
	case bound >= 1:
		return 0
	case !(bound > 0):
		return -1
	}
	// The logarithm may be off by a rounding, so the neighbour below is tried.
	need := math.Ceil(math.Log(Alpha) / math.Log1p(-bound))
	if need > math.MaxInt32 {
		return -1
	}
	n := int(need)
	if n > 1 && FlipBound(n-1, n-1) <= bound {
		n--
	}
	return n
}

// Evidence is the sentence that must stand wherever a value is called stable:
// "5/5 agree, flips up to 45% possible". Without a sample it is "not sampled".
func Evidence(agree, samples int) string {
	if samples <= 0 {
		return "not sampled"
	}
	bound := FlipBound(agree, samples)
	if math.IsNaN(bound) {
		return fmt.Sprintf("agreement unknown: %d of %d is no count", agree, samples)
	}
	return fmt.Sprintf("%d/%d agree, flips up to %s possible", agree, samples, percent(bound))
}

// A Standing says how far a value's agreement over samples can be trusted.
type Standing string

// The standings of a value.
const (
	Unmeasured  Standing = "unmeasured"  // all agree, but fewer than five
	Unstable    Standing = "unstable"    // disagreed: listed with its counts, not compared
	Provisional Standing = "provisional" // five or more, all agree
	Settled     Standing = "stable"      // fourteen or more without a miss, or twenty-five or more with one
)

// The numbers of samples at which a standing begins. The last two bound the
// flip rate at about 20%.
const (
	provisionalFrom = 5
	settledFrom     = 14
	settledOneMiss  = 25
)

// StandingOf is the standing of a value that agree of samples had, pooled over
// all runs of one configuration. Two misses make a value unstable however many
// samples there are: it flips, and comparing it would raise alarms for ever.
// Impossible counts are Unmeasured.
func StandingOf(agree, samples int) Standing {
	misses := samples - agree
	switch {
	case samples <= 0 || agree < 0 || misses < 0:
		return Unmeasured
	case misses == 0 && samples >= settledFrom, misses == 1 && samples >= settledOneMiss:
		return Settled
	case misses > 0:
		return Unstable
	case samples >= provisionalFrom:
		return Provisional
	default:
		return Unmeasured
	}
}

// rateBound is the largest rate under which at most k events in n trials still
// have a chance of at least tail.
func rateBound(k, n int, tail float64) float64 {
	switch {
	case k >= n:
		return 1
	case k == 0:
		return -math.Expm1(math.Log(tail) / float64(n)) // 1 − tail^(1/n)
	}
	return bisect(0, 1, func(rate float64) bool { return binomialBelow(k, n, rate) <= tail })
}
