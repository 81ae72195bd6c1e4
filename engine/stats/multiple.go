package stats

import (
	"cmp"
	"math"
	"slices"
)

// BenjaminiHochberg adjusts the p-values of several tests, so that calling
// those of at most 0.05 real makes at most 5% of such calls wrong on average.
// The result is in the order of the argument. A p that is NaN stays NaN and
// does not count as a test.
//
// Use it across the few kinds of things compared (label, tools, numbers: about
// twenty at most), never across each projection of each case: five samples
// against five reach no p below 2/252, so of 1,000 such tests none could be
// called before 159 stood at that floor together.
//
// Source: Benjamini and Hochberg 1995, "Controlling the false discovery rate".
func BenjaminiHochberg(ps []float64) []float64 {
	adjusted := make([]float64, len(ps))
	var order []int
	for i, p := range ps {
		adjusted[i] = math.NaN()
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	tests := float64(len(order))
	least := 1.0
	for rank := len(order); rank >= 1; rank-- {
		i := order[rank-1]
		least = min(least, ps[i]*tests/float64(rank))
		adjusted[i] = least
	}
	return adjusted
}
