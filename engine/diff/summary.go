package diff

import (
	"maps"
	"math"
	"slices"

	"docket/engine/stats"
)

// A Summary counts a diff. Every count is of cases.
type Summary struct {
	Cases    int
	Statuses map[Status]int
	// Passing counts the cases that pass in most of their samples, among those
	// with checks that both sides measured.
	Passing Sides
	Checked int // cases that both Passing counts range over
	// Unlisted counts the cases that pass on one side only and are not listed: their
	// samples disagreed before and now, and only the majority is another.
	Unlisted int

	Projections map[string]Moved // by name
	Checks      map[string]Flips // by name
	Score       Scores
	// Unscored counts the cases of the run in which a judge gave no verdict on
	// some sample, whatever became of them.
	Unscored int
}

// Sides holds one count for each side.
type Sides struct{ Old, New int }

// Moved counts, for one projection, the cases in which it changed and those in
// which it was compared. Unsettled cases are not among the changed.
type Moved struct{ Changed, Unsettled, Of int }

// Flips counts, for one check, how often it was lost, gained or split.
type Flips struct{ Lost, Gained, Unsettled, Of int }

// Scores are the mean scores of both sides, by weight, over the cases that both
// sides scored.
type Scores struct {
	Old, New float64
	Known    bool // false where no case was scored on both sides
}

// Undecided counts the cases that a person can decide.
func (s *Summary) Undecided() int {
	n := 0
	for status, count := range s.Statuses {
		if status.Decidable() {
			n += count
		}
	}
	return n
}

// ProjectionNames returns the names of the projections that were compared,
// those that changed most first.
func (s *Summary) ProjectionNames() []string {
	names := slices.Sorted(maps.Keys(s.Projections))
	slices.SortStableFunc(names, func(a, b string) int { return s.Projections[b].Changed - s.Projections[a].Changed })
	return names
}

// CheckNames returns the names of the checks that were lost, gained or split
// at least once, those that were lost most first.
func (s *Summary) CheckNames() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.Checks)) {
		if f := s.Checks[name]; f.Lost+f.Gained+f.Unsettled > 0 {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return s.Checks[b].Lost - s.Checks[a].Lost })
	return names
}

// A tally gathers a summary while the cases go by.
type tally struct {
	summary            Summary
	weight             float64
	oldScore, newScore float64
}

func newTally() *tally {
	return &tally{summary: Summary{
		Statuses:    map[Status]int{},
		Projections: map[string]Moved{},
		Checks:      map[string]Flips{},
	}}
}

func (t *tally) status(s Status) {
	t.summary.Cases++
	t.summary.Statuses[s]++
}

// judged books a case that both sides judged.
func (t *tally) judged(o stats.Outcome) {
	t.summary.Checked++
	if o.OldPass {
		t.summary.Passing.Old++
	}
	if o.NewPass {
		t.summary.Passing.New++
	}
	if !math.IsNaN(o.Old) && !math.IsNaN(o.New) {
		t.weight += o.Weight
		t.oldScore += o.Weight * o.Old
		t.newScore += o.Weight * o.New
	}
}

// projectionOf books that a projection was compared in n more cases.
func (t *tally) projectionOf(name string, n int) {
	m := t.summary.Projections[name]
	m.Of += n
	t.summary.Projections[name] = m
}

// checkOf books that a check was compared in n more cases.
func (t *tally) checkOf(name string, n int) {
	f := t.summary.Checks[name]
	f.Of += n
	t.summary.Checks[name] = f
}

// changes books the changes of one case: each projection and check once, by
// the first of its changes that is not unsettled.
func (t *tally) changes(changes []Change) {
	same := func(a, b *Change) bool { return a.Kind == b.Kind && a.Of == b.Of }
	for i := range changes {
		c := &changes[i]
		told := slices.ContainsFunc(changes[:i], func(other Change) bool {
			return same(c, &other) && (c.Effect == Unclear || other.Effect != Unclear)
		})
		later := c.Effect == Unclear && slices.ContainsFunc(changes[i+1:], func(other Change) bool {
			return same(c, &other) && other.Effect != Unclear
		})
		if !told && !later {
			t.change(c)
		}
	}
}

func (t *tally) change(c *Change) {
	if c.Kind == OfProjection {
		m := t.summary.Projections[c.Of]
		if c.Effect == Unclear {
			m.Unsettled++
		} else {
			m.Changed++
		}
		t.summary.Projections[c.Of] = m
		return
	}
	f := t.summary.Checks[c.Of]
	switch c.Effect {
	case Lost:
		f.Lost++
	case Gained:
		f.Gained++
	case Unclear:
		f.Unsettled++
	}
	t.summary.Checks[c.Of] = f
}

func (t *tally) close() Summary {
	if t.weight > 0 {
		t.summary.Score = Scores{Old: t.oldScore / t.weight, New: t.newScore / t.weight, Known: true}
	}
	return t.summary
}
