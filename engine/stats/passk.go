package stats

import "math"

// PassHat is pass^k: the chance that k samples of a case all pass, estimated
// without bias from the passes among n samples as C(passes, k)/C(n, k). It is
// NaN where k is not in 1..n, or passes not in 0..n.
//
// Source: Yao et al. 2024, "τ-bench" (arXiv 2406.12045).
func PassHat(n, passes, k int) float64 {
	if k < 1 || k > n || passes < 0 || passes > n {
		return math.NaN()
	}
	return drawnFrom(passes, n, k)
}

// PassAt is pass@k: the chance that at least one of k samples of a case passes,
// estimated without bias from the passes among n samples as 1 − C(n−passes,
// k)/C(n, k). It is NaN where k is not in 1..n, or passes not in 0..n.
//
// Source: Chen et al. 2021, "Evaluating large language models trained on code"
// (arXiv 2107.03374).
func PassAt(n, passes, k int) float64 {
	if k < 1 || k > n || passes < 0 || passes > n {
		return math.NaN()
	}
	return 1 - drawnFrom(n-passes, n, k)
}

// drawnFrom is C(some, k)/C(all, k): the chance that k of all, drawn without
// putting back, are among some. As a product of fractions it cannot overflow.
func drawnFrom(some, all, k int) float64 {
	share := 1.0
	for i := range k {
		if i >= some {
			return 0
		}
		share *= float64(some-i) / float64(all-i)
	}
	return share
}

// Majority reports whether more than half of a case's samples passed: the
// verdict by which a case enters [McNemar]. An even split is no pass, since a
// case that fails every second time is not one that works; and no sample is
// none.
func Majority(passes, samples int) bool { return samples > 0 && 2*passes > samples }
