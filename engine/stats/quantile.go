package stats

import "math"

// normalQuantile is the point below which a standard normal variable falls
// with probability p.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// studentQuantile is the point that Student's t with df degrees of freedom
// exceeds in size with probability Alpha: 2.776 for 4, 2.262 for 9. It is NaN
// for df below 1.
//
// Source: Student 1908, "The probable error of a mean"; the tail of t is an
// incomplete beta function of df/(df+t²).
func studentQuantile(df float64) float64 {
	if !(df >= 1) {
		return math.NaN()
	}
	const largest = 1e7 // from here on t and z agree to seven digits
	if df > largest {
		return normalQuantile(1 - Alpha/2)
	}
	return bisect(1.9, 13, func(t float64) bool {
		return betaShare(df/2, 0.5, df/(df+t*t)) <= Alpha
	})
}

// bisect returns the smallest point between low and high from which on holds
// is true, to the last digits of a float64. It must be false below that point
// and true above.
func bisect(low, high float64, holds func(float64) bool) float64 {
	for range 200 {
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if holds(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
