package stats

import (
	"fmt"
	"math"
)

// A Confusion counts how a judge's verdicts meet those of people, over the
// outputs that both judged. Negative counts make every number NaN.
type Confusion struct {
	BothPass  int
	JudgePass int // the judge passed what people failed
	HumanPass int // the judge failed what people passed
	BothFail  int
}

// Of is the number of outputs compared.
func (c Confusion) Of() int { return c.BothPass + c.JudgePass + c.HumanPass + c.BothFail }

func (c Confusion) possible() bool {
	return min(c.BothPass, c.JudgePass, c.HumanPass, c.BothFail) >= 0 && c.Of() > 0
}

// Agreement is the share of outputs on which both say the same, with its Wilson
// interval. Without an output it is NaN.
func (c Confusion) Agreement() (float64, Interval) {
	return c.rate(c.BothPass+c.BothFail, c.Of())
}

// TruePass is the share of what people pass that the judge passes too (the true
// positive rate), with its Wilson interval. NaN where people passed nothing.
func (c Confusion) TruePass() (float64, Interval) {
	return c.rate(c.BothPass, c.BothPass+c.HumanPass)
}

// TrueFail is the share of what people fail that the judge fails too (the true
// negative rate), with its Wilson interval. NaN where people failed nothing.
// What it lacks to 1 is the share of bad outputs that the judge lets through.
func (c Confusion) TrueFail() (float64, Interval) {
	return c.rate(c.BothFail, c.BothFail+c.JudgePass)
}

func (c Confusion) rate(k, of int) (float64, Interval) {
	if !c.possible() {
		return math.NaN(), unknown()
	}
	if of == 0 {
		return math.NaN(), Wilson(0, 0)
	}
	return float64(k) / float64(of), Wilson(k, of)
}

// ByChance is the agreement that two judges with these pass rates would reach
// without looking at the outputs.
func (c Confusion) ByChance() float64 {
	if !c.possible() {
		return math.NaN()
	}
	judge, human := c.passRates()
	return judge*human + (1-judge)*(1-human)
}

func (c Confusion) passRates() (judge, human float64) {
	n := float64(c.Of())
	return float64(c.BothPass+c.JudgePass) / n, float64(c.BothPass+c.HumanPass) / n
}

// Kappa is Cohen's agreement beyond chance, (po−pe)/(1−pe), with its standard
// error √(po(1−po)/(n(1−pe)²)) and the interval of 1.96 of them. Where both
// give every output the same verdict it is not defined: NaN.
//
// Where nearly everything passes, kappa is low however well the judge agrees
// (91% agreement can be a kappa of 0.13), so neither number stands alone; see
// [Confusion.String].
//
// Source: Cohen 1960, "A coefficient of agreement for nominal scales".
func (c Confusion) Kappa() (kappa, se float64, interval Interval) {
	seen, _ := c.Agreement()
	chance := c.ByChance()
	if !c.possible() || chance >= 1-rounding {
		return math.NaN(), math.NaN(), unknown()
	}
	kappa = (seen - chance) / (1 - chance)
	se = math.Sqrt(seen * (1 - seen) / (float64(c.Of()) * (1 - chance) * (1 - chance)))
	margin := normalQuantile(1-Alpha/2) * se
	return kappa, se, Interval{kappa - margin, kappa + margin}
}

// AC1 is Gwet's agreement beyond chance, which stays meaningful where nearly
// everything passes: chance is 2q(1−q), with q the mean of both pass rates. It
// is NaN without an output.
//
// Source: Gwet 2008, "Computing inter-rater reliability and its variance in the
// presence of high agreement".
func (c Confusion) AC1() float64 {
	seen, _ := c.Agreement()
	if !c.possible() {
		return math.NaN()
	}
	judge, human := c.passRates()
	q := (judge + human) / 2
	chance := 2 * q * (1 - q)
	return (seen - chance) / (1 - chance)
}

// Correct is the pass rate that people would have given, estimated from the one
// that the judge gave to other outputs: (rate+TNR−1)/(TPR+TNR−1), kept within
// 0..1. It is NaN where the judge is no better than a guess (TPR+TNR at most 1)
// or either is not known.
//
// Source: Rogan and Gladen 1978, "Estimating prevalence from the results of a
// screening test".
func (c Confusion) Correct(rate float64) float64 {
	pass, _ := c.TruePass()
	fail, _ := c.TrueFail()
	better := pass + fail - 1
	if !(better > rounding) || math.IsNaN(rate) {
		return math.NaN()
	}
	return min(1, max(0, (rate+fail-1)/better))
}

// String gives the numbers that only mean something side by side: agreement
// with its interval, both rates, kappa, and the four counts.
func (c Confusion) String() string {
	if !c.possible() {
		return "agreement unknown: no output was judged by both"
	}
	seen, interval := c.Agreement()
	kappa, _, _ := c.Kappa()
	return fmt.Sprintf("agree on %s of %d (95%% %s to %s); passes %s of what people pass, fails %s of what people fail; kappa %s; both pass %d, judge alone %d, people alone %d, both fail %d",
		percent(seen), c.Of(), percent(interval.Low), percent(interval.High),
		rateOf(c.TruePass()), rateOf(c.TrueFail()), decimal(kappa, 2),
		c.BothPass, c.JudgePass, c.HumanPass, c.BothFail)
}

func rateOf(rate float64, _ Interval) string { return percent(rate) }
