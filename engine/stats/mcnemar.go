package stats

import "math"

// McNemar is the exact two-sided p of a paired comparison in which worse cases
// went from pass to fail and better cases from fail to pass: the chance of a
// split at least as uneven if either direction were equally likely. Cases that
// did not flip do not enter. It is 1 without a flip, NaN for negative counts.
//
// The cases must be independent; where some share a source, [SignFlip] over the
// sums of the families takes its place, and equals it when none do.
//
// Source: McNemar 1947, "Note on the sampling error of the difference between
// correlated proportions or percentages", in its exact binomial form:
// min(1, 2·Σ_{i≤min} C(n, i)/2ⁿ).
func McNemar(worse, better int) float64 {
	if worse < 0 || better < 0 {
		return math.NaN()
	}
	fewer := min(worse, better)
	return min(1, 2*binomialBelow(fewer, worse+better, 0.5))
}

// McNemarMid is the mid-p variant of [McNemar]: the split that was seen counts
// half. It is less conservative and not exact, so it is for information; no
// verdict in this package rests on it.
//
// Source: Fagerland, Lydersen and Laake 2013, "The McNemar test for binary
// matched-pairs data: mid-p and asymptotic are better than exact conditional".
func McNemarMid(worse, better int) float64 {
	if worse < 0 || better < 0 {
		return math.NaN()
	}
	fewer, flips := min(worse, better), worse+better
	return min(1, 2*binomialBelow(fewer, flips, 0.5)-binomialAt(fewer, flips, 0.5))
}

// FewestFlips is the number of flips in one direction below which [McNemar]
// reaches no p of 0.05, however many cases the suite has.
const FewestFlips = 6

// FlipsNeeded is the smallest number of flips one way that [McNemar] calls
// significant against so many the other way: 6 against 0, 13 against 4. It is
// 0 for a negative argument.
func FlipsNeeded(against int) int {
	if against < 0 {
		return 0
	}
	// p falls as the larger side grows, so the first that holds is the answer.
	// It lies a few standard deviations of a fair split above the smaller side.
	need := against + FewestFlips - 1
	step := 1
	for McNemar(need+step, against) > Alpha {
		need += step
		step *= 2
	}
	for step > 1 {
		step /= 2
		if McNemar(need+step, against) > Alpha {
			need += step
		}
	}
	return need + 1
}

// McNemarPower is the chance that [McNemar] calls a change significant in a
// suite of n independent cases, where each truly gets worse with probability
// worse and better with probability better. It is NaN where these are no
// probabilities or add up to more than 1, and 0 for n = 0.
//
// It sums over every number of flips; nothing is approximated.
func McNemarPower(n int, worse, better float64) float64 {
	flip := worse + better
	if n < 0 || !(worse >= 0) || !(better >= 0) || !(flip <= 1+1e-12) {
		return math.NaN()
	}
	if flip == 0 {
		return 0
	}
	share := worse / flip
	power, fewer := 0.0, -1 // fewer: the largest smaller side that is significant
	for flips := 1; flips <= n; flips++ {
		for 2*(fewer+1) < flips && McNemar(flips-fewer-1, fewer+1) <= Alpha {
			fewer++
		}
		if fewer < 0 {
			continue
		}
		called := binomialBelow(fewer, flips, share) + binomialBelow(fewer, flips, 1-share)
		power += binomialAt(flips, n, min(flip, 1)) * called
	}
	return min(1, power)
}
