package stats

import "math"

// betaShare is the regularized incomplete beta function I_x(a, b): the share
// of a Beta(a, b) distribution that lies below x. The binomial tails, Student's
// t and the exact bounds are all made of it. a and b are positive.
//
// Source: the continued fraction of Abramowitz and Stegun 1964, 26.5.8,
// evaluated from the front by the method of Lentz 1976. It converges fast for x
// below the mean of the distribution; above, the mirror image is used.
func betaShare(a, b, x float64) float64 {
	switch {
	case math.IsNaN(a) || math.IsNaN(b) || math.IsNaN(x) || a <= 0 || b <= 0:
		return math.NaN()
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	front := math.Exp(a*math.Log(x) + b*math.Log1p(-x) - logBeta(a, b))
	if x > (a+1)/(a+b+2) {
		return 1 - front/(b*betaFraction(b, a, 1-x))
	}
	return front / (a * betaFraction(a, b, x))
}

// betaFraction is 1 + d₁/(1 + d₂/(1 + …)), the fraction below the front factor.
func betaFraction(a, b, x float64) float64 {
	const (
		tiny      = 1e-300 // stands in for a zero that would be divided by
		precision = 1e-16
		most      = 100_000 // about the square root of a and b is enough
	)
	value, numerator, denominator := 1.0, 1.0, 0.0
	for j := 1; j <= most; j++ {
		m := float64(j / 2)
		var d float64
		if j%2 == 0 {
			d = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		} else {
			d = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		denominator = 1 / awayFromZero(1+d*denominator, tiny)
		numerator = awayFromZero(1+d/numerator, tiny)
		step := numerator * denominator
		value *= step
		if math.Abs(step-1) < precision {
			break
		}
	}
	return value
}

func awayFromZero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}

func logBeta(a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return la + lb - lab
}

// binomialBelow is the chance that at most k of n independent trials succeed,
// each with probability p.
func binomialBelow(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return betaShare(float64(n-k), float64(k+1), 1-p)
}

// binomialAt is the chance that exactly k of n independent trials succeed,
// each with probability p.
func binomialAt(k, n int, p float64) float64 {
	switch {
	case k < 0 || k > n:
		return 0
	case p <= 0:
		return indicator(k == 0)
	case p >= 1:
		return indicator(k == n)
	}
	return math.Exp(logChoose(n, k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// logChoose is the logarithm of the number of ways to pick k of n.
func logChoose(n, k int) float64 {
	if k <= 0 || k >= n {
		return 0
	}
	return -math.Log(float64(n+1)) - logBeta(float64(n-k+1), float64(k+1))
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
