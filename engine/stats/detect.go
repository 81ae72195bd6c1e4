package stats

import "math"

// reach is how many standard errors a true change must measure so that a
// two-sided test at Alpha calls it real with chance Power: 1.960 + 0.842.
func reach() float64 { return normalQuantile(1-Alpha/2) + normalQuantile(Power) }

// Detectable is the smallest true change of a mean with standard error se that
// would have been called real four times of five: 2.80 se. It is NaN for an
// error that is negative or not known.
//
// Source: Miller 2024, arXiv 2411.00640, section on power.
func Detectable(se float64) float64 {
	if !(se >= 0) {
		return math.NaN()
	}
	return reach() * se
}

// DetectableFlips is the smallest true change of a pass rate, as a share, that
// n paired cases would have shown four times of five, where flips is the share
// of cases that flip in either direction: 2.80·√(flips/n), or 4.4 points for
// 200 cases of which 5% flip. It is at least the six flips one way that
// [McNemar] needs, so also where no case flipped. It is NaN where that is more
// than all cases, and for impossible arguments.
//
// Source: the leading term of the paired-sample formula of Connor 1987, "Sample
// size for testing differences in proportions for the paired-sample design".
func DetectableFlips(n int, flips float64) float64 {
	if n < FewestFlips || !(flips >= 0 && flips <= 1) {
		return math.NaN()
	}
	return possible(max(reach()*math.Sqrt(flips/float64(n)), FewestFlips/float64(n)))
}

// possible is a change of something that lies in 0..1, or NaN where it is more
// than that can change.
func possible(change float64) float64 {
	if change > 1 {
		return math.NaN()
	}
	return change
}

// DetectableUnpaired is the same for two runs of n cases each that are not
// paired, about a pass rate p: 2.80·√(2p(1−p)/n). It shows what pairing gains.
func DetectableUnpaired(n int, p float64) float64 {
	if n < 1 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return reach() * math.Sqrt(2*p*(1-p)/float64(n))
}

// CasesToDetect is the number of paired cases that show a true change of a pass
// rate by change four times of five, where flips is the share of cases that
// flip in either direction: 314 for 5 points at 10%. It is 0 for impossible
// arguments, and where flips is less than change, since a rate cannot move
// further than its cases flip.
func CasesToDetect(change, flips float64) int {
	change = math.Abs(change)
	if !(change > 0) || !(flips <= 1) || !(flips >= change) {
		return 0
	}
	n := math.Ceil(reach() * reach() * flips / (change * change))
	if n > math.MaxInt32 {
		return math.MaxInt32
	}
	return max(int(n), int(math.Ceil(FewestFlips/change-1e-9)))
}
