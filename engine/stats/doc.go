// Package stats says how much of what two runs differ by could be noise:
// intervals for rates and means, exact paired tests, the smallest change that
// a suite could have seen, and how often an unchanged system raises an alarm.
//
// It is written for suites of tens to hundreds of cases, where the usual normal
// approximations are too narrow (Bowyer et al. 2025, arXiv 2503.01747). Rates
// get Wilson or exact binomial intervals, flips an exact test, mean differences
// a paired standard error that knows weights and families of cases (Miller
// 2024, arXiv 2411.00640) and a permutation test.
//
// Every function is pure: the same arguments give the same result on every
// machine, and the one that draws at random does so from a fixed seed. None
// panics or returns an error. What cannot be known is NaN, or an [Interval]
// whose Known is false, and each function says when that is.
//
// The package refuses to say that nothing changed. Absence of evidence is
// reported as an interval and as the change that would have been seen, and
// "within noise" is said by one rule only, that of [Compare].
package stats

// Alpha is the two-sided level of every test, and one minus the confidence of
// every interval in this package.
const Alpha = 0.05

// Power is the chance of being called real that a change must have in order to
// count as one that could have been seen.
const Power = 0.80
