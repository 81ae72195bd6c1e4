// Package comparison lays systems side by side: how much they get right, what
// that costs, how long it takes, and which cases only one of them passes.
//
// It works on stored runs and asks nobody. It refuses to compare what was not
// measured alike (other judges, other versions of cases, another mode) unless
// it is told to, and then says so in the result; and it drops nothing: what
// only one side measured is listed. It finds no structural changes, which is the
// work of package diff, and ranks nothing.
package comparison

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"docket/engine/phrase"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/stats"
)

// A Side is one stored run of a system.
type Side struct {
	Name string         // of the system
	Run  *run.Run       // with its results
	Took []results.Took // its samples, by case
}

// Options are the terms of a comparison.
type Options struct {
	Weights  map[string]float64 // by case; 1 where it is not there
	Families map[string]string  // by case, of cases that share a source
	Mixed    bool               // compare what was not measured alike, and say so
}

// A Comparison is two or more systems side by side.
type Comparison struct {
	Suite   string
	Systems []System
	// Pairs compare each system after the first with the first.
	Pairs []Pair
	// Mixed are the reasons for which the sides were not measured alike, a
	// sentence each.
	Mixed []string
}

// A System is what one run says of its system.
type System struct {
	Name     string
	Run      string
	Started  time.Time
	Mode     string
	Model    string // that answered, or else was asked for
	Cases    int    // of the run
	Measured int    // cases with at least one sample that succeeded
	Samples  int
	Failed   int  // samples that the system failed
	Passing  Rate // of cases with checks, by weight
	Score    Rate // mean over cases, by weight

	CostUSD float64 // of the run; NaN where not every sample has a price
	Per1000 float64 // US dollars for 1,000 cases, one sample each; NaN where no sample has a price
	Priced  int     // samples whose cost is known
	Latency Latency
	// InputTokens and OutputTokens are means over the samples that say; NaN where
	// none does.
	InputTokens, OutputTokens float64
}

// A Rate is a weighted mean with its interval, both NaN where there is none.
type Rate struct {
	Value    float64
	Interval stats.Interval
	Of       int // cases
}

// A Latency is how long samples took, in milliseconds; NaN where none says. Each
// is a latency that occurred, by the nearest rank.
type Latency struct {
	P50, P95, P99 float64
	Of            int // samples that say
}

// A Pair compares a system with the first one, on the cases that both measured.
type Pair struct {
	First, Second string
	stats.Summary
	OnlyFirst, OnlySecond   []string // cases that only one of them passes
	AloneFirst, AloneSecond []string // cases that only one of them measured
}

// A MixedError lists why sides were not measured alike.
type MixedError struct{ Reasons []string }

func (e *MixedError) Error() string { return strings.Join(e.Reasons, "; ") }

// Compare compares the sides. The error is a MixedError where they were not
// measured alike and o.Mixed is not set.
func Compare(suite string, sides []Side, o Options) (*Comparison, error) {
	c := &Comparison{Suite: suite}
	judged := make([]map[string]judgement, len(sides))
	for i := range sides {
		if i > 0 {
			c.Mixed = append(c.Mixed, unlike(&sides[0], &sides[i])...)
		}
		judged[i] = judge(sides[i].Took)
		c.Systems = append(c.Systems, systemOf(&sides[i], judged[i], o))
	}
	if len(c.Mixed) > 0 && !o.Mixed {
		return nil, &MixedError{c.Mixed}
	}
	for i := 1; i < len(sides); i++ {
		c.Pairs = append(c.Pairs, pair(sides[0].Name, sides[i].Name, judged[0], judged[i], o))
	}
	return c, nil
}

// unlike says in what two sides were not measured alike.
func unlike(a, b *Side) []string {
	var reasons []string
	if a.Run.Config.Mode != b.Run.Config.Mode {
		reasons = append(reasons, fmt.Sprintf("%s answered in mode %s, %s in mode %s", a.Name, a.Run.Config.Mode, b.Name, b.Run.Config.Mode))
	}
	for _, judge := range slices.Sorted(maps.Keys(a.Run.Config.Judges)) {
		if other, both := b.Run.Config.Judges[judge]; both && other != a.Run.Config.Judges[judge] {
			reasons = append(reasons, fmt.Sprintf("the judge %s of %s is another than that of %s", judge, a.Name, b.Name))
		}
	}
	if a.Run.Config.Ruler != b.Run.Config.Ruler {
		reasons = append(reasons, fmt.Sprintf("%s and %s were measured by different rulers: labels, settings or versions of checks", a.Name, b.Name))
	}
	if edited := edited(a.Run, b.Run); len(edited) > 0 {
		reasons = append(reasons, fmt.Sprintf("%s other between %s and %s: %s", phrase.Count(len(edited), "case is", "cases are"), a.Name, b.Name, phrase.Few(edited, 3)))
	}
	return reasons
}

// edited lists the cases whose input, expectation or version differs.
func edited(a, b *run.Run) []string {
	asked := make(map[string][]byte, len(a.Results))
	for i := range a.Results {
		asked[a.Results[i].ID] = head(a.Results[i].Line)
	}
	var ids []string
	for i := range b.Results {
		before, both := asked[b.Results[i].ID]
		if now := head(b.Results[i].Line); both && before != nil && now != nil && !bytes.Equal(before, now) {
			ids = append(ids, b.Results[i].ID)
		}
	}
	return ids
}

// head is what a line says of its case: id, version and hashes of what was
// asked, which stand before its verdict.
func head(line []byte) []byte {
	before, _, found := bytes.Cut(line, []byte(`,"pass":`))
	if !found {
		return nil
	}
	return before
}

// A judgement is what the samples of a case came to.
type judgement struct {
	samples, passes int // that were judged
	score           float64
	scored          int
	measured        bool // some sample succeeded
}

func (j judgement) passed() bool { return stats.Majority(j.passes, j.samples) }

func (j judgement) mean() float64 {
	if j.scored == 0 {
		return math.NaN()
	}
	return j.score / float64(j.scored)
}

func judge(took []results.Took) map[string]judgement {
	all := map[string]judgement{}
	for i := range took {
		t := &took[i]
		j := all[t.Case]
		j.measured = j.measured || !t.Failed
		if t.Pass != nil {
			j.samples++
			if *t.Pass {
				j.passes++
			}
		}
		if t.Score != nil {
			j.scored++
			j.score += *t.Score
		}
		all[t.Case] = j
	}
	return all
}

func pair(first, second string, a, b map[string]judgement, o Options) Pair {
	p := Pair{First: first, Second: second}
	var outcomes []stats.Outcome
	for _, id := range slices.Sorted(maps.Keys(a)) {
		x, y := a[id], b[id]
		switch {
		case x.measured && !y.measured:
			p.AloneFirst = append(p.AloneFirst, id)
		case x.samples == 0 || y.samples == 0:
		default:
			outcomes = append(outcomes, stats.Outcome{
				OldPass: x.passed(), NewPass: y.passed(), Old: x.mean(), New: y.mean(),
				Weight: o.weight(id), Family: o.Families[id],
			})
			if x.passed() && !y.passed() {
				p.OnlyFirst = append(p.OnlyFirst, id)
			}
			if y.passed() && !x.passed() {
				p.OnlySecond = append(p.OnlySecond, id)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b)) {
		if b[id].measured && !a[id].measured {
			p.AloneSecond = append(p.AloneSecond, id)
		}
	}
	p.Summary = stats.Compare(outcomes, stats.Findings{})
	return p
}

func (o Options) weight(id string) float64 {
	if w, ok := o.Weights[id]; ok {
		return w
	}
	return 1
}
