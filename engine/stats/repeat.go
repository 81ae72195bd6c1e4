package stats

import "math"

// Within is the variance of one sample of a case about the case's own pass
// rate, estimated without bias from its samples: k/(k−1)·p(1−p). It is NaN with
// fewer than two samples, which say nothing about it, and for impossible
// counts.
//
// Source: Miller 2024, arXiv 2411.00640, section on resampling.
func Within(passes, samples int) float64 {
	if samples < 2 || passes < 0 || passes > samples {
		return math.NaN()
	}
	k := float64(samples)
	p := float64(passes) / k
	return k / (k - 1) * p * (1 - p)
}

// SampledSE is the standard error of the mean over n cases of k samples each:
// √((between + within/k)/n), where between is the variance of the cases' own
// rates and within the mean of [Within]. More samples lower only the second
// part; the floor is √(between/n). It is NaN for impossible arguments.
//
// Source: Miller 2024, arXiv 2411.00640, section on resampling.
func SampledSE(between, within float64, samples, n int) float64 {
	if !(between >= 0) || !(within >= 0) || samples < 1 || n < 1 {
		return math.NaN()
	}
	return math.Sqrt((between + within/float64(samples)) / float64(n))
}

// RepeatSE is the standard error of the difference between two runs of one
// configuration over the same n cases, k samples each: √(2·within/(k·n)). It is
// what a suite's mean moves by when nothing was changed, and NaN for impossible
// arguments.
func RepeatSE(within float64, samples, n int) float64 {
	if !(within >= 0) || samples < 1 || n < 1 {
		return math.NaN()
	}
	return math.Sqrt(2 * within / (float64(samples) * float64(n)))
}
