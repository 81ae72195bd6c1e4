// Package diff compares a baseline with a run, case by case and structure by
// structure, and says what became of every case.
//
// It is pure: lines in, statuses and changes out. It never reads a message, a
// text or a clock, never pairs cases by position, and decides nothing: a diff
// is a decision for a person to make, not a failure.
package diff

import (
	"fmt"

	"docket/engine/baseline"
	"docket/engine/projection"
	"docket/engine/stats"
)

// A Status says what became of a case. The statuses of a Diff add up to the
// number of its cases.
type Status string

// The statuses in the order in which the first that holds is taken; the values
// are their names in JSON.
const (
	Error      Status = "error"      // the system, or the judgement, failed; the case keeps its line
	Missed     Status = "missed"     // a recording was missing; the case keeps its line
	NotRun     Status = "not_run"    // filtered out, or interrupted; the case keeps its line
	Gone       Status = "gone"       // in the baseline only, with no case file any more
	New        Status = "new"        // in the run only
	Regressed  Status = "regressed"  // a check was lost, or a score fell
	Redefined  Status = "redefined"  // input or expectation was edited
	Changed    Status = "changed"    // projections differ and no check was lost
	Unsettled  Status = "unsettled"  // some samples differ, or too few to tell
	Improved   Status = "improved"   // a check was gained, or a score rose
	Unmeasured Status = "unmeasured" // no check, and nothing stable to compare
	Same       Status = "same"       // nothing differs
)

// Statuses returns every status, in the order of precedence.
func Statuses() []Status {
	return []Status{Error, Missed, NotRun, Gone, New, Regressed, Redefined, Changed, Unsettled, Improved, Unmeasured, Same}
}

// InReadingOrder returns the statuses as a person should meet them: what
// regressed first, then the others in their order.
func InReadingOrder() []Status {
	order := []Status{Regressed}
	for _, s := range Statuses() {
		if s != Regressed {
			order = append(order, s)
		}
	}
	return order
}

// Listed reports whether cases of the status appear among a Diff's cases: all
// but the same, the unmeasured and those that were not run.
func (s Status) Listed() bool {
	return s != Same && s != Unmeasured && s != NotRun
}

// Decidable reports whether a person can accept or reject what happened to a
// case of this status.
func (s Status) Decidable() bool {
	switch s {
	case Gone, New, Regressed, Redefined, Changed, Unsettled, Improved:
		return true
	default:
		return false
	}
}

// A Diff is the comparison of a baseline with a run.
type Diff struct {
	Suite, Mode string
	Run         string // id of the run; "" for a file
	Old, New    baseline.Header

	// Grounds are the reasons for which the two sides call for a recapture
	// instead of a comparison; none means that they are comparable.
	Grounds []Ground
	// Named are the other differences of configuration, which are told and
	// are no ground.
	Named []Ground
	// Unknown are the fields that neither side knows.
	Unknown []string
	// Oldest is the day on which the oldest line of the baseline was captured;
	// "" where it is not known.
	Oldest string
	// Remeasured counts the cases whose lines differ and whose old side was
	// measured again under the ruler of today; AsCaptured the others of them.
	Remeasured, AsCaptured int
	// Recapture is the reason for which the run proposes to take the place of
	// the whole baseline, header included; "" where it proposes lines alone.
	Recapture string
	// Rescored says that the run is the baseline's own answers, judged again.
	Rescored bool
	// Again is what was found when this configuration was last measured twice;
	// nil where it never was.
	Again *Alarms

	Cases   []Case // the listed ones, sorted by id
	Summary Summary

	outcomes []stats.Outcome // of the cases that both sides judged
	found    stats.Findings
}

// Alarms counts the cases that docket listed when nothing had changed.
type Alarms struct{ Listed, Of int }

// String is the sentence for the line of a header: "2 of 220 listed when
// nothing had changed".
func (a Alarms) String() string {
	return fmt.Sprintf("%d of %d listed when nothing had changed", a.Listed, a.Of)
}

// Statistics says what the two sides differ by as a whole, and how much of it
// could be noise.
func (d *Diff) Statistics() stats.Summary { return stats.Compare(d.outcomes, d.found) }

// A Case is what became of one case.
type Case struct {
	ID      string
	Status  Status
	Edited  bool    // the case's input or expectation was edited since the baseline
	Weight  float64 // of the case; 1 where unknown
	Version int     // of the case in the run, else in the baseline
	Error   string  // why it is Error or Missed; untrusted text

	Changes []Change
	// Apart is what a redefined case measures on both sides but under
	// different terms: shown, not compared.
	Apart []Change

	OldSamples, NewSamples int
	// OldLine and NewLine are the canonical lines; nil where a side has none.
	OldLine, NewLine []byte
}

// A Kind says what a change is a change of.
type Kind string

// The kinds of change.
const (
	OfProjection Kind = "projection"
	OfCheck      Kind = "check"
)

// An Effect says how one structure differs.
type Effect string

// The effects. Lost and Gained are a check's, Fell and Rose its score's without
// a flip; Differs, Removed and Added are a projection's. A check that is no
// longer made is Removed, or Lost where one failure of it counts.
const (
	Lost    Effect = "lost"
	Gained  Effect = "gained"
	Fell    Effect = "fell"
	Rose    Effect = "rose"
	Differs Effect = "differs"
	Removed Effect = "removed"
	Added   Effect = "added"
	Unclear Effect = "unsettled"
)

// A Change is one structural difference of one case.
type Change struct {
	Kind   Kind
	Of     string // the projection's or the check's name
	Member string // the member of a projection compared member by member, or ""
	Effect Effect
	// Old and New are JSON values: a projection's value or member, or for a
	// check true, false, or "2/3" where samples are split. For Fell and Rose
	// they are the scores. nil: absent on that side; of a check: not made there.
	Old, New any
	// Counts says, for what is unsettled, in how many of the new samples each
	// value, or the member, was seen. Keys are spelled as in a baseline's
	// unstable.
	Counts map[string]int
	Tags   []string
}

// A Comparer compares the two sides of one projection; *projection.Set is one.
type Comparer interface {
	Compare(name string, old, new projection.Measured) []projection.Difference
	// Carry returns what a new line holds of a projection that the old line
	// knows to be unstable: fewer samples than the baseline's cannot show that
	// it became stable.
	Carry(name string, old, new projection.Measured) projection.Measured
}
