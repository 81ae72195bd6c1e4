package stats

import "math"

// An Observation is one case's value.
type Observation struct {
	Value  float64
	Weight float64
	Family string // cases that share a source name one family; "" is a case on its own
}

// An Estimate is a weighted mean with what is known about its error. It is made
// of the observations that have a finite value and a finite weight above zero.
type Estimate struct {
	Cases    int     // observations that entered
	Skipped  int     // observations that did not
	Groups   int     // families, and cases on their own
	Weight   float64 // sum of the weights
	Mean     float64 // NaN without a case
	SE       float64 // clustered by family; NaN with fewer than two groups
	SEAlone  float64 // as if each case stood on its own; NaN with fewer than two cases
	Kish     float64 // the number of equally weighted cases that would say as much
	Interval Interval
}

// Mean is the weighted mean Σwx/W of the observations.
//
// Its standard error is √(n/(n−1)·Σw²(x−mean)²)/W; where cases share a family,
// the terms w(x−mean) are first summed within each family and n is the number
// of groups, since cases of one source move together and a bar that ignores it
// can be half as wide as the honest one. The interval is Student's t with one
// degree of freedom less than there are groups, never z, which is too narrow
// for a handful. Results that overflow are NaN.
//
// Source: Miller 2024, "Adding error bars to evals" (arXiv 2411.00640), for the
// clustered error, with the small-sample factor C/(C−1) as inspect_ai applies
// it; Kish 1965, "Survey sampling", for W²/Σw².
func Mean(observations []Observation) Estimate {
	used, largest := scaled(observations)
	return estimate(used, largest, len(observations)-len(used))
}

// estimate is Mean of what scaled returned.
func estimate(used []Observation, largest float64, skipped int) Estimate {
	e := Estimate{
		Cases: len(used), Skipped: skipped,
		Mean: math.NaN(), SE: math.NaN(), SEAlone: math.NaN(), Interval: unknown(),
	}
	if e.Cases == 0 {
		return e
	}
	var sum, squares, weighted float64
	for _, o := range used {
		sum += o.Weight
		squares += o.Weight * o.Weight
		weighted += o.Weight * o.Value
	}
	e.Weight = sum * largest
	e.Kish = sum * sum / squares
	mean := weighted / sum
	groups, alone := deviations(used, mean)
	e.Groups = len(groups)
	if !finite(mean) {
		return e
	}
	e.Mean = mean
	e.SEAlone = correctedError(alone, e.Cases, sum)
	together := 0.0
	for _, g := range groups {
		together += g * g
	}
	e.SE = correctedError(together, e.Groups, sum)
	if margin := studentQuantile(float64(e.Groups-1)) * e.SE; finite(margin) {
		e.Interval = Interval{mean - margin, mean + margin}
	}
	return e
}

// counts reports whether an observation enters a mean.
func (o Observation) counts() bool { return finite(o.Value) && finite(o.Weight) && o.Weight > 0 }

// scaled returns the observations that count, their weights divided by the
// largest of them. Weights matter up to a factor, and at most 1 their squares
// neither overflow nor vanish together.
func scaled(observations []Observation) (used []Observation, largest float64) {
	used = make([]Observation, 0, len(observations))
	for _, o := range observations {
		if o.counts() {
			used = append(used, o)
			largest = max(largest, o.Weight)
		}
	}
	for i := range used {
		used[i].Weight /= largest
	}
	return used, largest
}

// deviations returns the sums of w(x−centre) over each group, in the order in
// which the groups appear, and the sum of the squares of the terms themselves.
// A sum that is only what rounding left of terms that cancel is 0.
func deviations(used []Observation, centre float64) (groups []float64, alone float64) {
	at := map[string]int{}
	groups = make([]float64, 0, len(used))
	sizes := make([]float64, 0, len(used))
	for _, o := range used {
		term := o.Weight * (o.Value - centre)
		alone += term * term
		i, seen := len(groups), false
		if o.Family != "" {
			if i, seen = at[o.Family]; !seen {
				i = len(groups)
				at[o.Family] = i
			}
		}
		if !seen {
			groups = append(groups, 0)
			sizes = append(sizes, 0)
		}
		groups[i] += term
		sizes[i] += math.Abs(term)
	}
	for i := range groups {
		if math.Abs(groups[i]) <= rounding*sizes[i] {
			groups[i] = 0
		}
	}
	return groups, alone
}

// rounding is the relative size below which a difference is what floating
// point left over, not a difference: 0.1+0.2 is not a better score than 0.3.
const rounding = 1e-12

// correctedError is the standard error that n terms with this sum of squares
// give to a mean of this total weight.
func correctedError(squares float64, n int, weight float64) float64 {
	if n < 2 || !finite(squares) {
		return math.NaN()
	}
	return math.Sqrt(float64(n)/float64(n-1)*squares) / weight
}
