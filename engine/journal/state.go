package journal

import (
	"maps"
	"slices"
)

// A row holds what stands for one row. It is never changed once it is in a
// state, so that an undo can put the one before back.
type row struct {
	whole *Decision
	parts map[string]*Decision // decided after whole
}

func (r *row) empty() bool { return r == nil || r.whole == nil && len(r.parts) == 0 }

// with returns the row after one more decision. A verdict on the whole row
// covers earlier ones on its parts; one on a part leaves the rest as it is.
func (r *row) with(d *Decision) *row {
	if d.Part == "" {
		if d.Verdict == "" {
			return &row{}
		}
		return &row{whole: d}
	}
	next := &row{parts: map[string]*Decision{}}
	if r != nil {
		next.whole = r.whole
		maps.Copy(next.parts, r.parts)
	}
	if d.Verdict == "" {
		delete(next.parts, d.Part)
	} else {
		next.parts[d.Part] = d
	}
	return next
}

// A done is a group that stands, with the rows as they were before it.
type done struct {
	group  *Group
	before []*row // for each entry
}

// A state is the fold of a journal's steps.
type state struct {
	rows   map[string]*row
	done   []done
	undone []*Group
	stale  []*Group
}

func newState() *state { return &state{rows: map[string]*row{}} }

func (s *state) decide(g *Group) {
	s.apply(g)
	s.undone = nil
}

func (s *state) apply(g *Group) {
	d := done{group: g, before: make([]*row, len(g.Entries))}
	for i, e := range g.Entries {
		d.before[i] = s.rows[e.Row]
		s.rows[e.Row] = s.rows[e.Row].with(g.decision(e))
	}
	s.done = append(s.done, d)
}

func (g *Group) decision(e Entry) *Decision {
	return &Decision{Entry: e, Verdict: g.Verdict, Reason: g.Reason, Seq: g.Seq, At: g.At}
}

func (s *state) lastDone() *Group {
	if len(s.done) == 0 {
		return nil
	}
	return s.done[len(s.done)-1].group
}

func (s *state) lastUndone() *Group {
	if len(s.undone) == 0 {
		return nil
	}
	return s.undone[len(s.undone)-1]
}

func (s *state) undo() {
	last := s.done[len(s.done)-1]
	s.done = s.done[:len(s.done)-1]
	for i, e := range slices.Backward(last.group.Entries) {
		if last.before[i].empty() {
			delete(s.rows, e.Row)
		} else {
			s.rows[e.Row] = last.before[i]
		}
	}
	s.undone = append(s.undone, last.group)
}

func (s *state) redo() {
	last := s.lastUndone()
	s.undone = s.undone[:len(s.undone)-1]
	s.apply(last)
}

// count returns how many rows and parts are decided.
func (s *state) count() int {
	n := 0
	for _, r := range s.rows {
		if r.whole != nil {
			n++
		}
		n += len(r.parts)
	}
	return n
}

// carry returns the state for another subject: the groups that stand, in their
// order, less the entries that no longer hold. Of those, the ones that still
// counted become stale. What was stale and holds again stands again, so that a
// look at another subject and back loses nothing.
func (s *state) carry(holds func(Decision) bool) *state {
	next := newState()
	var revived []*Group
	revived, next.stale = s.revive(holds)
	apply := func(g *Group) {
		g.Seq = len(next.done) + 1
		next.apply(g)
	}
	for _, d := range s.done {
		for len(revived) > 0 && revived[0].At.Before(d.group.At) {
			apply(revived[0])
			revived = revived[1:]
		}
		kept, lost := *d.group, *d.group
		kept.Entries, lost.Entries = nil, nil
		for _, e := range d.group.Entries {
			decision := d.group.decision(e)
			switch {
			case decision.Verdict == "" || holds != nil && holds(*decision):
				kept.Entries = append(kept.Entries, e)
			case s.stands(decision):
				lost.Entries = append(lost.Entries, e)
			}
		}
		if len(kept.Entries) > 0 {
			apply(&kept)
		}
		if len(lost.Entries) > 0 {
			next.stale = append(next.stale, &lost)
		}
	}
	for _, g := range revived {
		apply(g)
	}
	slices.SortStableFunc(next.stale, func(a, b *Group) int { return a.At.Compare(b.At) })
	for i, g := range next.stale {
		g.Seq = len(next.done) + 1 + i
	}
	return next
}

// revive splits what is stale into the groups that hold again and those that
// still do not. Only the last word on a row is offered: where something was
// decided on it later, that is what the person thinks of it, whether it holds
// now or not.
func (s *state) revive(holds func(Decision) bool) (revived, stale []*Group) {
	if holds == nil {
		return nil, slices.Clone(s.stale)
	}
	last := map[string]string{} // by row, what was on the screen when it was decided last
	for _, g := range s.stale {
		for _, e := range g.Entries {
			last[e.Row] = e.Seen
		}
	}
	for _, g := range s.stale {
		again, still := *g, *g
		again.Entries, still.Entries = nil, nil
		for _, e := range g.Entries {
			if s.rows[e.Row].empty() && last[e.Row] == e.Seen && holds(*g.decision(e)) {
				again.Entries = append(again.Entries, e)
			} else {
				still.Entries = append(still.Entries, e)
			}
		}
		if len(again.Entries) > 0 {
			revived = append(revived, &again)
		}
		if len(still.Entries) > 0 {
			stale = append(stale, &still)
		}
	}
	return revived, stale
}

// stands reports whether a decision is the one that counts for its row.
func (s *state) stands(d *Decision) bool {
	r := s.rows[d.Row]
	if r == nil {
		return false
	}
	now := r.whole
	if d.Part != "" {
		now = r.parts[d.Part]
	}
	return now != nil && now.Seq == d.Seq
}

// A Verdicts says what stands for one row.
type Verdicts struct {
	// Whole is the verdict on the row; nil where it has none.
	Whole *Decision
	// Parts holds the verdicts on parts that were given after Whole, and come
	// before it for their part.
	Parts map[string]*Decision
}

// Of returns what is decided on a row. The result must not be changed.
func (j *Journal) Of(name string) Verdicts {
	j.mu.RLock()
	defer j.mu.RUnlock()
	if r := j.state.rows[name]; r != nil {
		return Verdicts{r.whole, r.parts}
	}
	return Verdicts{}
}

// Decisions returns all that stands: by group, then by row and part.
func (j *Journal) Decisions() []Decision {
	j.mu.RLock()
	defer j.mu.RUnlock()
	all := make([]Decision, 0, len(j.state.rows))
	for _, r := range j.state.rows {
		if r.whole != nil {
			all = append(all, *r.whole)
		}
		for _, d := range r.parts {
			all = append(all, *d)
		}
	}
	slices.SortFunc(all, inOrder)
	return all
}

// Count returns how many rows and parts are decided.
func (j *Journal) Count() int {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.state.count()
}

// Stale returns the decisions that did not hold when the subject changed. They
// stay listed until the journal is written, or until they hold again.
func (j *Journal) Stale() []Decision {
	j.mu.RLock()
	defer j.mu.RUnlock()
	var all []Decision
	for _, g := range j.state.stale {
		for _, e := range g.Entries {
			all = append(all, *g.decision(e))
		}
	}
	return all
}

// CanUndo returns the group that Undo would take back; false where there is
// none.
func (j *Journal) CanUndo() (Group, bool) { return j.peek((*state).lastDone) }

// CanRedo returns the group that Redo would bring back; false where there is
// none.
func (j *Journal) CanRedo() (Group, bool) { return j.peek((*state).lastUndone) }

func (j *Journal) peek(which func(*state) *Group) (Group, bool) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	if g := which(j.state); g != nil {
		return *g, true
	}
	return Group{}, false
}
