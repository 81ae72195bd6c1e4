package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func worked() []Pair {
	return []Pair{
		{1, 1, 1, "a"},
		{1, 0, 1, "a"},
		{1, 1, 2, "b"},
		{0, 1, 1, "b"},
		{1, 0, 3, "c"},
		{1, 1, 1, "c"},
		{.5, 1, 1, "d"},
		{1, 1, 2, "d"},
	}
}

func TestPairedOnWorkedRows(t *testing.T) {
	d := Paired(worked())
	if d.Cases != 8 || d.Groups != 4 || d.Skipped != 0 || d.Weight != 12 {
		t.Errorf("counts: %+v", d)
	}
	within(t, "old", d.Old, .875, 9)
	within(t, "new", d.New, .6667, 4)
	within(t, "difference", d.Mean, -.20833, 5)
	within(t, "effective number", d.Kish, 6.5455, 4)
	within(t, "error of cases alone", d.SEAlone, .262213, 6)
	within(t, "clustered error", d.SE, .287727, 6)

	alone := worked()
	for i := range alone {
		alone[i].Family = ""
	}
	d = Paired(alone)
	within(t, "error without families", d.SE, .262213, 6)
	within(t, "p", d.Test.P, .75, 9)
	for i := range alone {
		alone[i].Weight = 1
	}
	within(t, "unweighted", Paired(alone).Mean, -.0625, 9)
}

func TestMean(t *testing.T) {
	small := Mean([]Observation{{-1, 1, ""}, {0, 1, ""}, {0, 1, ""}, {0, 1, ""}, {0, 2, ""}})
	within(t, "mean", small.Mean, -.166667, 6)
	within(t, "error", small.SE, .175682, 6)
	within(t, "effective number", small.Kish, 4.5, 9)

	clusters := Mean([]Observation{{-1, 1, "a"}, {-1, 1, "a"}, {-1, 1, "a"}, {0, 1, "b"}, {0, 1, "b"}, {0, 1, "b"}})
	within(t, "mean of clusters", clusters.Mean, -.5, 9)
	within(t, "naive error", clusters.SEAlone, .22361, 5)
	within(t, "clustered error", clusters.SE, .5, 9)
	within(t, "clustered error without the factor 2/(2-1)", clusters.SE/math.Sqrt2, .35355, 5)
}

// The bootstrap needs no code of its own: over all resamples its error is the
// classical one without the factor n/(n−1).
func TestMeanAgainstAllResamples(t *testing.T) {
	values := []float64{-1, -.5, 0, 0, .25}
	var observations []Observation
	for _, v := range values {
		observations = append(observations, Observation{v, 1, ""})
	}
	e := Mean(observations)
	within(t, "classical error", e.SE, .223607, 6)

	n := len(values)
	resamples := int(math.Pow(float64(n), float64(n)))
	sum, squares := 0.0, 0.0
	for r := range resamples {
		mean, rest := 0.0, r
		for range n {
			mean += values[rest%n] / float64(n)
			rest /= n
		}
		sum += mean
		squares += mean * mean
	}
	mean := sum / float64(resamples)
	deviation := math.Sqrt(squares/float64(resamples) - mean*mean)
	if resamples != 3125 {
		t.Fatalf("%d resamples", resamples)
	}
	within(t, "bootstrap mean", mean, -.25, 9)
	within(t, "bootstrap error", deviation, .2, 9)
	within(t, "bootstrap error from the classical", e.SE*math.Sqrt(float64(n-1)/float64(n)), .2, 9)
}

func TestStudentQuantile(t *testing.T) {
	for df, want := range map[float64]float64{4: 2.776, 9: 2.262, 59: 2.001, 199: 1.972, 1: 12.706, 1e6: 1.960, 1e9: 1.960} {
		within(t, fmt.Sprintf("t with %v degrees", df), studentQuantile(df), want, 3)
	}
	unknownNumber(t, "t with 0 degrees", studentQuantile(0))
	within(t, "z", normalQuantile(1-Alpha/2), 1.959964, 6)
}

func TestMeanOfTooLittle(t *testing.T) {
	none := Mean(nil)
	if none.Cases != 0 || !math.IsNaN(none.Mean) || !math.IsNaN(none.SE) || none.Interval.Known() {
		t.Errorf("of nothing: %+v", none)
	}
	one := Mean([]Observation{{.5, 2, "a"}})
	if one.Mean != .5 || !math.IsNaN(one.SE) || one.Interval.Known() || one.Kish != 1 {
		t.Errorf("of one: %+v", one)
	}
	family := Mean([]Observation{{.5, 1, "a"}, {.7, 1, "a"}})
	if family.Groups != 1 || !math.IsNaN(family.SE) || math.IsNaN(family.SEAlone) || family.Interval.Known() {
		t.Errorf("of one family: %+v", family)
	}
	bad := Mean([]Observation{{math.NaN(), 1, ""}, {1, math.NaN(), ""}, {1, 0, ""}, {1, -1, ""}, {math.Inf(1), 1, ""}, {1, math.Inf(1), ""}, {.25, 1, ""}})
	if bad.Cases != 1 || bad.Skipped != 6 || bad.Mean != .25 {
		t.Errorf("of what does not count: %+v", bad)
	}
	if huge := Mean([]Observation{{math.MaxFloat64, 1, ""}, {math.MaxFloat64, 1, ""}}); !math.IsNaN(huge.Mean) || huge.Interval.Known() {
		t.Errorf("of what overflows: %+v", huge)
	}
	if tiny := Mean([]Observation{{1, 1e-300, ""}, {0, 1e-300, ""}}); tiny.Mean != .5 || !near(tiny.SE, .5) {
		t.Errorf("of tiny weights: %+v", tiny)
	}
}

func TestPairedLeavesOutHalves(t *testing.T) {
	d := Paired([]Pair{{math.NaN(), 1, 1, ""}, {1, math.NaN(), 1, ""}, {1, .5, 1, ""}})
	if d.Cases != 1 || d.Skipped != 2 || d.Old != 1 || d.New != .5 || d.Mean != -.5 {
		t.Errorf("%+v", d)
	}
	if d := Paired(nil); !math.IsNaN(d.Old) || !math.IsNaN(d.New) || !math.IsNaN(d.Mean) || d.Test.P != 1 {
		t.Errorf("of nothing: %+v", d)
	}
	if d := Paired([]Pair{{.1 + .2, .3, 1, ""}}); d.Mean != 0 || d.Test.Differ != 0 {
		t.Errorf("rounding is no difference: %+v", d)
	}
	if d := Paired([]Pair{{0, .1, 1, "a"}, {0, .2, 1, "a"}, {.3, 0, 1, "a"}}); d.Test.Differ != 0 {
		t.Errorf("a family that cancels does not differ: %+v", d)
	}
}

func TestPairedHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := rapid.Float64Range(0, 1)
		pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Pair {
			return Pair{score.Draw(t, "old"), score.Draw(t, "new"), rapid.Float64Range(.1, 10).Draw(t, "weight"), rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "family")}
		}), 1, 30).Draw(t, "pairs")
		d := Paired(pairs)
		if d.Kish < 1-1e-9 || d.Kish > float64(d.Cases)+1e-9 || !near(d.Mean, d.New-d.Old) {
			t.Fatalf("%+v", d)
		}
		if d.Groups > 1 && (!d.Interval.Contains(d.Mean) || !near(d.Interval.High-d.Mean, d.Mean-d.Interval.Low)) {
			t.Fatalf("interval %v about %v", d.Interval, d.Mean)
		}
		var swapped, heavier, twice []Pair
		for i, p := range pairs {
			swapped = append(swapped, Pair{p.New, p.Old, p.Weight, p.Family})
			heavier = append(heavier, Pair{p.Old, p.New, 7 * p.Weight, p.Family})
			p.Family = fmt.Sprint(i)
			twice = append(twice, p, p)
		}
		if s := Paired(swapped); !near(s.Mean, -d.Mean) || s.Groups > 1 && !near(s.SE, d.SE) || s.Test != d.Test {
			t.Fatalf("sides swapped: %+v after %+v", s, d)
		}
		if h := Paired(heavier); !near(h.Mean, d.Mean) || h.Groups > 1 && !near(h.SE, d.SE) {
			t.Fatalf("all weights times 7: %+v after %+v", h, d)
		}
		// A case written twice in one family is no second observation.
		if w := Paired(twice); w.Groups > 1 && !near(w.SE, d.SEAlone) {
			t.Fatalf("each case twice: error %v, want %v", w.SE, d.SEAlone)
		}
	})
}
