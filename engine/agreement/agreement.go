// Package agreement says on what the stability of a value rests: in how many
// of the samples that were ever taken of one configuration a projection had
// the baseline's value, and where those samples are from.
//
// It reads the results store and measures stored outputs again. It writes
// nothing: what it counts is for people, and only calibrate and decisions
// write to a baseline. It does not say that a value is right, nor that two
// values differ.
package agreement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/stats"
)

// An Agreement says in how many samples one projection of one case had the
// baseline's value.
type Agreement struct {
	Agree, Of int
	Runs      int  // runs in the results store that the samples come from
	Elsewhere bool // the baseline's own samples are counted, and are not in the store
}

// Claimed is what a line of the baseline says of itself: all of its own samples
// had each value that it calls stable. There is none for a line that cannot be
// read.
func Claimed(line []byte) map[string]Agreement {
	l, err := baseline.ParseLine(line)
	if err != nil {
		return nil
	}
	return claimed(&l)
}

func claimed(l *baseline.Line) map[string]Agreement {
	found := make(map[string]Agreement, len(l.Projections))
	for name := range l.Projections {
		found[name] = Agreement{Agree: l.Samples, Of: l.Samples, Elsewhere: true}
	}
	return found
}

// String is the sentence that stands wherever a value is called stable, with
// its source: "12/12 agree, flips up to 22% possible, over 3 runs".
func (a Agreement) String() string {
	said := stats.Evidence(a.Agree, a.Of)
	var from []string
	if a.Elsewhere {
		from = append(from, "the baseline")
	}
	if a.Runs > 0 {
		from = append(from, phrase.Count(a.Runs, "run", "runs"))
	}
	if len(from) == 0 {
		return said
	}
	return said + ", over " + strings.Join(from, " and ")
}

// Standing says how far the value can be trusted.
func (a Agreement) Standing() stats.Standing { return stats.StandingOf(a.Agree, a.Of) }

// A Sentence says on what the old values of some projections of a case rest.
type Sentence struct {
	Of   []string // the projections, sorted
	Said string   // as Agreement.String
}

// String is "old label, length: 5/5 agree, flips up to 45% possible, …".
func (s Sentence) String() string {
	return fmt.Sprintf("old %s: %s", strings.Join(s.Of, ", "), s.Said)
}

// Sentences says on what the old side of a case rests, for each projection
// that changed and that the baseline calls stable. Projections with the same
// agreement share a sentence.
func Sentences(c *diff.Case, found map[string]Agreement) []Sentence {
	bySaid := map[string][]string{}
	for _, change := range c.Changes {
		a, ok := found[change.Of]
		if !ok || change.Kind != diff.OfProjection {
			continue
		}
		if said := a.String(); !slices.Contains(bySaid[said], change.Of) {
			bySaid[said] = append(bySaid[said], change.Of)
		}
	}
	var sentences []Sentence
	for _, said := range slices.Sorted(maps.Keys(bySaid)) {
		slices.Sort(bySaid[said])
		sentences = append(sentences, Sentence{Of: bySaid[said], Said: said})
	}
	return sentences
}
