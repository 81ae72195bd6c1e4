package pruning

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/engine/amend"
	"docket/engine/decision"
	"docket/engine/journal"
	"docket/engine/run"
	"docket/engine/suite"
)

// A Plan is what Write would do.
type Plan struct {
	Decisions []decision.Decision // to retire, and to keep
	Edits     []decision.Rewrite  // of the cases that others are merged into, and of mended ones
	// Mended names the cases that get another provenance, Merged what each merge
	// takes over and does not.
	Mended []string
	Merged []Merger
	// Stale says, in a sentence each, what is left out and why.
	Stale []string
	// Stay names input files of retired cases that others read, too.
	Stay []string
	// Left is how many cases the suite has afterwards.
	Left int
}

// A Merger is a case that is merged into another.
type Merger struct {
	ID, Into         string
	Added, Conflicts []string
}

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Decisions) == 0 && len(p.Edits) == 0 }

// Plan says what Write would do to the files as they are now.
func (p *Pruning) Plan() (Plan, error) {
	plan := Plan{Left: len(p.Suite.Cases)}
	var standing []journal.Decision
	going := map[string]bool{}
	for _, d := range p.journal.Decisions() {
		if seen, err := p.seen(d.Row); err != nil || seen != d.Seen {
			plan.Stale = append(plan.Stale, fmt.Sprintf("%s of case %q: the case is another by now than when it was decided on", d.Verdict, d.Row))
			continue
		}
		standing = append(standing, d)
		if v := Verdict(d.Verdict); v == Retire || v == Merge {
			going[d.Row] = true
			plan.Left--
		}
	}
	edits := map[string]*decision.Rewrite{}
	for _, d := range standing {
		c := p.Suite.Case(d.Row)
		var err error
		switch Verdict(d.Verdict) {
		case Keep:
			plan.Decisions = append(plan.Decisions, p.decision(c, d, decision.Keep, d.Reason))
		case Mend:
			plan.Mended = append(plan.Mended, d.Row)
			err = p.edit(edits, c, func(data []byte) ([]byte, error) { return amend.Provenance(c.Path, data, d.Reason) })
		case Retire:
			err = p.retire(&plan, c, d, going, "", d.Reason)
		case Merge:
			err = p.merge(&plan, c, d, going, edits)
		}
		if err != nil {
			return Plan{}, err
		}
	}
	for _, c := range p.Suite.Cases {
		if e := edits[c.Path]; e != nil && !bytes.Equal(e.Old, e.New) {
			plan.Edits = append(plan.Edits, *e)
		}
	}
	return plan, nil
}

func (p *Pruning) decision(c *suite.Case, j journal.Decision, v decision.Verdict, reason string) decision.Decision {
	return decision.Decision{
		At: j.At, By: p.By, Mode: decision.Everything, Case: c.ID, Version: c.Version, Verdict: v,
		Seen: j.Seen, Reason: reason, Provenance: c.Provenance,
	}
}

// retire adds to the plan that a case goes, with its lines and fixtures.
func (p *Pruning) retire(plan *Plan, c *suite.Case, j journal.Decision, going map[string]bool, into, reason string) error {
	d := p.decision(c, j, decision.Retire, reason)
	d.Into = into
	if err := decision.Reseal(p.FS, p.Root, p.Suite.Name, &d); err != nil {
		return err
	}
	data, err := p.read(c.Path)
	if err != nil {
		return err
	}
	file, err := decision.KeepFile(p.FS, p.Root, c.Path, data)
	if err != nil {
		return err
	}
	d.CaseFile = &file
	for _, name := range c.Files {
		if p.needed(name, going) {
			if !slices.Contains(plan.Stay, name) {
				plan.Stay = append(plan.Stay, name)
			}
			continue
		}
		if data, err = p.read(name); err != nil {
			return err
		}
		fixture, err := decision.KeepFile(p.FS, p.Root, name, data)
		if err != nil {
			return err
		}
		d.Fixtures = append(d.Fixtures, fixture)
	}
	plan.Decisions = append(plan.Decisions, d)
	return nil
}

func (p *Pruning) merge(plan *Plan, c *suite.Case, j journal.Decision, going map[string]bool, edits map[string]*decision.Rewrite) error {
	into, reason, err := p.target(c.ID, j.Reason)
	if err != nil {
		return err
	}
	other, err := p.read(c.Path)
	if err != nil {
		return err
	}
	to := p.Suite.Case(into)
	m := Merger{ID: c.ID, Into: into}
	err = p.edit(edits, to, func(data []byte) ([]byte, error) {
		merged, err := amend.Merge(to.Path, data, c.Path, other, c.ID)
		m.Added, m.Conflicts = merged.Added, merged.Conflicts
		return merged.Data, err
	})
	if err != nil {
		return fmt.Errorf("the case %q is not merged into %q: %w", c.ID, into, err)
	}
	plan.Merged = append(plan.Merged, m)
	return p.retire(plan, c, j, going, into, reason)
}

// edit changes the file of a case once more.
func (p *Pruning) edit(edits map[string]*decision.Rewrite, c *suite.Case, change func([]byte) ([]byte, error)) error {
	e := edits[c.Path]
	if e == nil {
		data, err := p.read(c.Path)
		if err != nil {
			return err
		}
		e = &decision.Rewrite{Path: c.Path, Old: data, New: data}
	}
	data, err := change(e.New)
	if err != nil {
		return err
	}
	e.New, edits[c.Path] = data, e
	return nil
}

// needed reports whether a case that stays, of any suite, reads a file, or names
// it anywhere in what it expects. Where a suite does not load, all that lies
// outside of this one's folder counts as needed.
func (p *Pruning) needed(name string, going map[string]bool) bool {
	if len(p.Unread) > 0 && !strings.HasPrefix(name, p.Suite.Dir+"/") {
		return true
	}
	for _, s := range append([]*suite.Suite{p.Suite}, p.Others...) {
		short := strings.TrimPrefix(name, s.Dir+"/")
		shared := strings.TrimPrefix(name, s.Config.Fixtures+"/")
		for _, c := range s.Cases {
			if s == p.Suite && going[c.ID] {
				continue
			}
			if slices.Contains(c.Files, name) || names(c.Expect.JSON(), short, shared) || names(c.Mock.JSON(), short, shared) {
				return true
			}
		}
	}
	return false
}

// names reports whether a value holds one of some texts.
func names(v any, texts ...string) bool {
	switch v := v.(type) {
	case string:
		return slices.Contains(texts, v)
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return names(x, texts...) })
	case map[string]any:
		for _, x := range v {
			if names(x, texts...) {
				return true
			}
		}
	}
	return false
}

// Write does what is planned, in one step, and closes the journal. After an
// error that wraps decision.ErrStale nothing was changed.
func (p *Pruning) Write() (Plan, decision.Done, error) {
	plan, err := p.Plan()
	if err != nil {
		return plan, decision.Done{}, err
	}
	if plan.Empty() {
		return plan, decision.Done{}, errors.New("nothing is decided that could be written")
	}
	now := time.Now
	if p.Now != nil {
		now = p.Now
	}
	retirement := decision.Retirement{FS: p.FS, Root: p.Root, Suite: p.Suite.Name, Run: run.NewID(now()), Decisions: plan.Decisions, Edits: plan.Edits}
	done, err := retirement.Apply()
	if err != nil {
		return plan, done, err
	}
	if err := p.journal.Written(); err != nil {
		return plan, done, fmt.Errorf("all of it is done; the journal could not be closed, and the next docket prune closes it: %w", err)
	}
	return plan, done, nil
}
