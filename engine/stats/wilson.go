package stats

import "math"

// Wilson is the 95% interval for a rate of which successes in n independent
// trials were seen: 5 of 5 gives 0.566 to 1. With n = 0 nothing is known and the
// interval is 0 to 1; where successes is negative or above n it is unknown.
//
// Source: Wilson 1927, "Probable inference, the law of succession, and
// statistical inference": (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
func Wilson(successes, n int) Interval {
	switch {
	case n < 0 || successes < 0 || successes > n:
		return unknown()
	case n == 0:
		return Interval{0, 1}
	}
	z := normalQuantile(1 - Alpha/2)
	size := float64(n)
	p := float64(successes) / size
	middle := p + z*z/(2*size)
	reach := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	scale := 1 + z*z/size
	i := Interval{(middle - reach) / scale, (middle + reach) / scale}
	// At the ends the two terms cancel up to rounding; the formula gives the
	// end itself.
	if successes == 0 {
		i.Low = 0
	}
	if successes == n {
		i.High = 1
	}
	return i
}
