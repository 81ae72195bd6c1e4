package stats

import (
	"math"
	"strings"

	"docket/engine/phrase"
)

// An Outcome is one case on both sides, as a suite's summary counts it.
type Outcome struct {
	OldPass, NewPass bool    // see Majority
	Old, New         float64 // scores in 0..1, the means over the samples; NaN where a side has none
	Weight           float64
	Family           string // as in Observation
}

// Findings are what single cases have already shown. No test over the whole suite
// outweighs it.
type Findings struct {
	FailedGates int // cases that failed a gate which needs no confirmation: personal data, a forbidden string, a schema
	Confirmed   int // cases that changed in each of three samples or more, the confirming ones counted
}

// A Call is what may be said of a measure of the whole suite.
type Call string

// The calls. Only WithinNoise may be worded so, and none says that nothing
// changed.
const (
	BeyondNoise  Call = "beyond noise" // p is at most Alpha
	WithinNoise  Call = "within noise" // p is above it, and nothing else speaks against it
	Withheld     Call = "withheld"     // p is above it, but see Verdict.Because
	TooFew       Call = "too few"      // fewer than FewestFlips differ, so that no test could decide
	Equal        Call = "equal"        // not one case differs
	Unmeasurable Call = "unknown"      // no case has the measure on both sides
)

// A Verdict is what a run says about one measure of the suite.
type Verdict struct {
	Measure    Measure
	Call       Call
	Because    string // why the call is Withheld
	Cases      int    // cases that have the measure on both sides
	Groups     int    // families, and cases on their own
	Worse      int    // cases whose measure fell
	Better     int    // cases whose measure rose
	Old, New   float64
	Difference float64
	Interval   Interval // of the difference; unknown for fewer than two groups
	P          float64
	Exact      bool    // false where P is from draws
	Detectable float64 // the change that would have been seen four times of five; NaN where none would, or it is not known
}

// A Measure is what a verdict is about.
type Measure string

// The measures of a suite.
const (
	Passing Measure = "passing" // shares of cases, each counted once
	Score   Measure = "score"   // means by weight
)

// A Summary holds the two verdicts of a suite.
type Summary struct {
	Passing Verdict
	Score   Verdict
}

// Compare says what two sides of a suite differ by, and how much of that could
// be noise.
//
// Passing counts each case once and is tested by [McNemar]; score is the
// weighted mean, tested by [SignFlip]. Where cases share a family, both are
// tested by sign-flip over the families, which for cases on their own equals
// McNemar. A measure is called within noise only if the p of both is above
// Alpha, no gate failed and no changed case was confirmed. Two conditions keep
// the line from contradicting itself: at least six cases differ, since with
// fewer no test could have found anything, and the interval, which is only
// approximate in a small suite, contains zero.
//
// Cases without a finite score on both sides, or without a weight above zero,
// count for passing alone.
func Compare(outcomes []Outcome, found Findings) Summary {
	s := Summary{Passing: passing(outcomes), Score: score(outcomes)}
	against := objections(found)
	for _, pair := range [][2]*Verdict{{&s.Passing, &s.Score}, {&s.Score, &s.Passing}} {
		v, other := pair[0], pair[1]
		if v.Call != WithinNoise {
			continue
		}
		var because []string
		if !v.Interval.Contains(0) {
			because = append(because, "the interval leaves out zero")
		}
		if other.Call == BeyondNoise {
			because = append(because, string(other.Measure)+" moved beyond noise")
		}
		because = append(because, against...)
		if len(because) > 0 {
			v.Call, v.Because = Withheld, strings.Join(because, " and ")
		}
	}
	return s
}

func objections(found Findings) []string {
	var because []string
	if found.FailedGates > 0 {
		because = append(because, phrase.Count(found.FailedGates, "case failed a gate", "cases failed a gate"))
	}
	if found.Confirmed > 0 {
		because = append(because, phrase.Count(found.Confirmed, "confirmed change", "confirmed changes"))
	}
	return because
}

func passing(outcomes []Outcome) Verdict {
	pairs := make([]Pair, len(outcomes))
	for i, o := range outcomes {
		pairs[i] = Pair{Old: indicator(o.OldPass), New: indicator(o.NewPass), Weight: 1, Family: o.Family}
	}
	v, d, used := measured(Passing, pairs)
	if v.Call == Unmeasurable {
		return v
	}
	v.Interval = Interval{max(-1, v.Interval.Low), min(1, v.Interval.High)}
	if v.Groups < v.Cases {
		test := SignFlip(familySums(used))
		v.P, v.Exact = test.P, test.Exact
		v.Detectable = possible(max(Detectable(d.SE), FewestFlips/float64(v.Groups)))
		v.Call = v.called(test.Differ)
		return v
	}
	v.P, v.Exact = McNemar(v.Worse, v.Better), true
	v.Detectable = DetectableFlips(v.Cases, float64(v.Worse+v.Better)/float64(v.Cases))
	v.Call = v.called(max(v.Worse, v.Better))
	return v
}

func score(outcomes []Outcome) Verdict {
	pairs := make([]Pair, len(outcomes))
	for i, o := range outcomes {
		pairs[i] = Pair{Old: o.Old, New: o.New, Weight: o.Weight, Family: o.Family}
	}
	v, d, used := measured(Score, pairs)
	if v.Call == Unmeasurable {
		return v
	}
	test := SignFlip(familySums(used))
	v.P, v.Exact = test.P, test.Exact
	v.Call = v.called(test.Differ)
	if v.Call != TooFew && v.Call != Equal {
		v.Detectable = possible(Detectable(d.SE))
	}
	return v
}

// measured fills in what both measures share; the test is their own.
func measured(m Measure, pairs []Pair) (Verdict, Difference, []Observation) {
	d, used := paired(pairs)
	v := Verdict{
		Measure: m, Cases: d.Cases, Groups: d.Groups, Old: d.Old, New: d.New,
		Difference: d.Mean, Interval: d.Interval,
		P: math.NaN(), Detectable: math.NaN(),
	}
	// No case, or numbers that overflow.
	if !finite(d.Mean) || d.Groups > 1 && !d.Interval.Known() {
		v.Call = Unmeasurable
	}
	for _, change := range used {
		switch {
		case change.Value < 0:
			v.Worse++
		case change.Value > 0:
			v.Better++
		}
	}
	return v, d, used
}

// called is the call that p allows, where so many cases or families differ the
// same way as a test counts them.
func (v *Verdict) called(differ int) Call {
	switch {
	case v.Worse+v.Better == 0:
		return Equal
	case v.P <= Alpha:
		return BeyondNoise
	case differ < FewestFlips:
		return TooFew
	default:
		return WithinNoise
	}
}
