package stats

import "math"

// Admitted is the share of two-valued projections that k samples take for
// stable, where each sample has the rarer value with probability flip: (1−flip)^k
// + flip^k. Five samples admit 77% of those that flip at 5%: the filter removes
// coins and leaves rare flippers. It is 1 for k = 0 or 1, NaN for impossible
// arguments.
func Admitted(flip float64, k int) float64 {
	return AgreeAll([]float64{flip, 1 - flip}, k)
}

// AgreeAll is the chance that k independent samples all have the same value,
// where shares are the probabilities of the values: Σ share^k. With k below 1 it
// is 1; it is NaN for a negative k and for shares that are no probabilities.
func AgreeAll(shares []float64, k int) float64 {
	if k < 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, share := range shares {
		if !(share >= 0 && share <= 1) {
			return math.NaN()
		}
		sum += math.Pow(share, float64(k))
	}
	if k == 0 {
		return 1
	}
	return min(1, sum)
}

// FalseAlarm is the chance that a two-valued projection of an unchanged system
// is both admitted by k agreeing samples and then called changed, because a new
// sample and each of confirm further ones all have the other value:
// (1−flip)^k·flip^c + flip^k·(1−flip)^c with c = 1+confirm. With confirm = 0 it
// is the share of listed cases without confirmation; a negative k or confirm,
// or a flip outside 0..1, gives NaN.
//
// The second term is the projection that was admitted with its rarer value. It
// matters for coins only: below a flip rate of 10% the result is [Admitted]
// times flip^c to within about a hundredth.
func FalseAlarm(flip float64, k, confirm int) float64 {
	if k < 0 || confirm < 0 || !(flip >= 0 && flip <= 1) {
		return math.NaN()
	}
	c := float64(1 + confirm)
	if k == 0 {
		return math.Pow(flip, c)
	}
	n := float64(k)
	return math.Pow(1-flip, n)*math.Pow(flip, c) + math.Pow(flip, n)*math.Pow(1-flip, c)
}

// Confirmed is the chance that a real change is called so: that the sample
// which differs and each of confirm further ones have the new value, which the
// system now produces at this rate. 95% and two further samples give 0.857; the
// rest is unsettled, and stays in the list. It is NaN for impossible arguments.
func Confirmed(rate float64, confirm int) float64 {
	if confirm < 0 || !(rate >= 0 && rate <= 1) {
		return math.NaN()
	}
	return math.Pow(rate, float64(1+confirm))
}

// AnyFalse is the chance that at least one of n cases, each of which fails
// without cause at this rate, is red: 86.6% for 200 cases at 1%. The number
// expected is n·rate. It is also the chance that a case which passes at this
// rate is green once within n tries, which is why samples are added and never
// replaced. It is NaN for impossible arguments.
func AnyFalse(n int, rate float64) float64 {
	switch {
	case n < 0 || !(rate >= 0 && rate <= 1):
		return math.NaN()
	case n == 0:
		return 0
	}
	return -math.Expm1(float64(n) * math.Log1p(-rate)) // 1 − (1−rate)^n
}
