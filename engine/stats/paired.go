package stats

import "math"

// A Pair is one case on both sides.
type Pair struct {
	Old, New float64
	Weight   float64
	Family   string // as in Observation
}

// difference is New − Old, and 0 where only rounding tells them apart.
func (p Pair) difference() float64 {
	d := p.New - p.Old
	if math.Abs(d) <= rounding*max(math.Abs(p.Old), math.Abs(p.New)) {
		return 0
	}
	return d
}

// A Difference is what the new side's weighted mean is above the old one's, on
// the cases that both have.
type Difference struct {
	Estimate         // of New − Old
	Old, New float64 // the two weighted means; NaN without a case
	Test     Permutation
}

// Paired compares two sides case by case. Since each case is its own control,
// what makes cases easy or hard drops out, and the error is mostly smaller than
// that of two separate means. Pairs with a score that is not finite, or with a
// weight that is not a finite number above zero, take no part and are counted
// as Skipped. The mean and its error are those of [Mean], the test is
// [SignFlip] on the weighted differences summed over each family.
//
// Source: Miller 2024, arXiv 2411.00640, section on paired differences.
func Paired(pairs []Pair) Difference {
	d, used := paired(pairs)
	d.Test = SignFlip(familySums(used))
	return d
}

// paired is Paired without the test, and the differences to test, scaled.
func paired(pairs []Pair) (Difference, []Observation) {
	differences := make([]Observation, len(pairs))
	for i, p := range pairs {
		differences[i] = Observation{p.difference(), p.Weight, p.Family}
	}
	used, largest := scaled(differences)
	var weight, before, after float64
	for i, p := range pairs {
		if differences[i].counts() {
			w := p.Weight / largest
			weight += w
			before += w * p.Old
			after += w * p.New
		}
	}
	return Difference{
		Estimate: estimate(used, largest, len(pairs)-len(used)),
		Old:      before / weight,
		New:      after / weight,
	}, used
}

// familySums adds up the weighted values of each group.
func familySums(used []Observation) []float64 {
	sums, _ := deviations(used, 0)
	return sums
}
