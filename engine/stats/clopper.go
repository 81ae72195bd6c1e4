package stats

import "math"

// ClopperPearson is the exact two-sided 95% interval for a rate of which
// successes in n independent trials were seen. It covers at least 95% whatever
// the rate, and is wider than [Wilson]: use it where a promise must hold. With
// n = 0 it is 0 to 1; where successes is negative or above n it is unknown.
//
// Source: Clopper and Pearson 1934, "The use of confidence or fiducial limits
// illustrated in the case of the binomial".
func ClopperPearson(successes, n int) Interval {
	switch {
	case n < 0 || successes < 0 || successes > n:
		return unknown()
	case n == 0:
		return Interval{0, 1}
	}
	return Interval{
		Low:  1 - rateBound(n-successes, n, Alpha/2),
		High: rateBound(successes, n, Alpha/2),
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
