package stats

import "math"

// Fisher is the exact two-sided p of two independent groups of samples, of
// which first of firstOf and second of secondOf had the value in question: 5/5
// against 0/3 gives 0.018. One sample that differs from n that agreed, two at
// least, gives 1/(n+1), so a single sample is no evidence before n is 19. It is
// 1 where a group is empty, NaN for impossible counts.
//
// Samples of one case on two sides are compared so; cases that pair are
// compared by [McNemar].
//
// Source: Fisher 1935, "The logic of inductive inference"; two-sided as the sum
// of all tables that are no more likely than the one seen.
func Fisher(first, firstOf, second, secondOf int) float64 {
	if first < 0 || second < 0 || first > firstOf || second > secondOf {
		return math.NaN()
	}
	had, all := first+second, firstOf+secondOf
	table := func(k int) float64 {
		return math.Exp(logChoose(firstOf, k) + logChoose(secondOf, had-k) - logChoose(all, had))
	}
	const slack = 1 + 1e-9 // tables that are equally likely differ by rounding
	seen := table(first) * slack
	p := 0.0
	for k := max(0, had-secondOf); k <= min(had, firstOf); k++ {
		if t := table(k); t <= seen {
			p += t
		}
	}
	return min(1, p)
}
