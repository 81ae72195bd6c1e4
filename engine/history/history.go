// Package history answers what became of a case over time: did it ever pass,
// when did it start to fail, under which system and model, what did it cost then,
// and what else changed in between.
//
// It orders what the results store and the decisions hold, and refuses to judge
// anew: a result counts as it was stored. Whether a run is still comparable with
// another is not asked here; where the case, what judges, or a judge changed
// between two results there is a mark that says so.
package history

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"docket/engine/decision"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/stats"
)

// A Timeline is the history of one case.
type Timeline struct {
	Case    string
	Entries []results.Entry // the oldest first
	Marks   []Mark          // by time
	// FirstPassed and LastPassed are the results that passed first and last;
	// FailingSince the first of those that have failed ever since, without one
	// that passed in between. Each is nil where there is none.
	FirstPassed, LastPassed, FailingSince *results.Entry
}

// A Mark says that something else than the result changed.
type Mark struct {
	At   time.Time
	Text string // untrusted: it may quote a reason
}

// A Verdict is what a result came to.
type Verdict string

// The verdicts of a result.
const (
	Passed   Verdict = "passed"
	Failed   Verdict = "failed"
	Unjudged Verdict = "no checks"
	Error    Verdict = "error"
	Missed   Verdict = "missed"
)

// VerdictOf is what a result came to: it passed where most of its samples did.
func VerdictOf(e *results.Entry) Verdict {
	switch {
	case e.Outcome == run.Failed:
		return Error
	case e.Outcome == run.Missed:
		return Missed
	case e.Judged == 0:
		return Unjudged
	case stats.Majority(e.Passes, e.Judged):
		return Passed
	default:
		return Failed
	}
}

// Of makes the timeline of a case of its results, in any order, and of the
// decisions on it.
func Of(caseID string, entries []results.Entry, decisions []decision.Past) Timeline {
	t := Timeline{Case: caseID, Entries: slices.Clone(entries)}
	slices.SortStableFunc(t.Entries, func(a, b results.Entry) int {
		if c := a.Started.Compare(b.Started); c != 0 {
			return c
		}
		return strings.Compare(a.Run, b.Run)
	})
	var before *results.Entry
	for i := range t.Entries {
		e := &t.Entries[i]
		switch VerdictOf(e) {
		case Passed:
			if t.FirstPassed == nil {
				t.FirstPassed = e
			}
			t.LastPassed, t.FailingSince = e, nil
		case Failed:
			if t.FailingSince == nil {
				t.FailingSince = e
			}
		}
		if e.Line == nil {
			continue // nothing was measured that could be told from before
		}
		if before != nil {
			t.Marks = append(t.Marks, between(before, e)...)
		}
		before = e
	}
	for _, d := range decisions {
		t.Marks = append(t.Marks, Mark{d.At, fmt.Sprintf("decision: %s, by %s: %s", d.Verdict, d.By, d.Reason)})
	}
	slices.SortStableFunc(t.Marks, func(a, b Mark) int { return a.At.Compare(b.At) })
	return t
}

// between are the marks of what differs in how two results were made.
func between(a, b *results.Entry) []Mark {
	var marks []Mark
	mark := func(format string, args ...any) { marks = append(marks, Mark{b.Started, fmt.Sprintf(format, args...)}) }
	switch {
	case a.Version != b.Version:
		mark("the case: version %d → %d", a.Version, b.Version)
	case !bytes.Equal(asked(a.Line), asked(b.Line)):
		mark("the case was edited")
	}
	for _, name := range slices.Sorted(maps.Keys(b.Config.Judges)) {
		if old, known := a.Config.Judges[name]; known && old != b.Config.Judges[name] {
			mark("the judge %s is another", name)
		}
	}
	if a.Config.Ruler != b.Config.Ruler {
		mark("what judges: labels, settings or versions of checks")
	}
	return marks
}

// asked is what a line says was asked: the part before its verdict.
func asked(line []byte) []byte {
	head, _, _ := bytes.Cut(line, []byte(`,"pass":`))
	return head
}

// Spark draws the scores of the results, the oldest first, as a line of blocks
// from 0 to 1; a point stands for a result without a score. It takes the last
// most results.
func Spark(entries []results.Entry, most int) string {
	const blocks = "▁▂▃▄▅▆▇█"
	levels := []rune(blocks)
	var b strings.Builder
	for i := range entries[max(0, len(entries)-most):] {
		e := &entries[max(0, len(entries)-most)+i]
		if e.Score == nil {
			b.WriteByte('.')
			continue
		}
		level := int(*e.Score * float64(len(levels)))
		b.WriteRune(levels[min(max(level, 0), len(levels)-1)])
	}
	return b.String()
}

// Group makes the timelines of several cases, sorted by id. decisions may hold
// those of any case.
func Group(entries []results.Entry, decisions []decision.Past) []Timeline {
	byCase := map[string][]results.Entry{}
	for _, e := range entries {
		byCase[e.Case] = append(byCase[e.Case], e)
	}
	decided := map[string][]decision.Past{}
	for _, d := range decisions {
		decided[d.Case] = append(decided[d.Case], d)
	}
	var all []Timeline
	for _, id := range slices.Sorted(maps.Keys(byCase)) {
		all = append(all, Of(id, byCase[id], decided[id]))
	}
	return all
}

// FailingSince keeps the timelines of cases that have failed ever since a day or
// longer.
func FailingSince(all []Timeline, day time.Time) []Timeline {
	return slices.DeleteFunc(slices.Clone(all), func(t Timeline) bool {
		return t.FailingSince == nil || t.FailingSince.Started.After(day)
	})
}
