package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/provenance"
	"docket/engine/pruning"
	"docket/engine/results"
	"docket/engine/suggestion"
	"docket/engine/suite"
)

// PruneOptions say which cases are proposed for deletion: those that are named,
// by id or by a glob over ids and files, else those that docket finds.
type PruneOptions struct {
	Names []string
	suggestion.Options
}

// A Prune is a suite's cases that are proposed for deletion, with the decisions
// on them and what is known of each.
type Prune struct {
	*pruning.Pruning
	Project *Project
	Found   suggestion.Found // what docket finds, and left out; nothing where cases were named

	suiteName string
}

// Prune opens the cases of a suite ("": the first) that are proposed for
// deletion. It needs no system and runs nothing. A name that matches no case is
// an error.
func (p *Project) Prune(ctx context.Context, name string, o PruneOptions) (*Prune, error) {
	config, _, err := p.Choose(name)
	if err != nil {
		return nil, err
	}
	own, problems, err := p.Config.Open(config.Name)
	if err == nil {
		err = problems.Err()
	}
	if err != nil {
		return nil, err
	}
	history, err := decision.Read(disk.OS{}, p.Dir, config.Name)
	if err != nil {
		return nil, err
	}
	v := &Prune{Project: p, suiteName: config.Name}
	tallies, err := v.tallies(ctx)
	if err != nil {
		return nil, err
	}
	subjects, err := v.subjects(ctx, own, history, tallies)
	if err != nil {
		return nil, err
	}
	c := pruning.Config{
		FS: p.fsys, Root: p.Dir, By: git.Author(ctx, p.Dir), Suite: own, Rules: p.Config.Links, History: history, Tallies: tallies,
	}
	for _, other := range p.Config.Suites {
		if other.Name == config.Name {
			continue
		}
		if s, problems, err := p.Config.Open(other.Name); err != nil || len(problems) > 0 {
			c.Unread = append(c.Unread, other.Name)
		} else {
			c.Others = append(c.Others, s)
		}
	}
	if len(o.Names) == 0 {
		v.Found = suggestion.Find(subjects, o.Options)
		for _, s := range v.Found.Suggestions {
			c.Proposals = append(c.Proposals, pruning.Proposal{ID: s.ID, Findings: s.Findings})
		}
	} else {
		all := o.Options
		all.Heavy, all.Again = true, true
		if c.Proposals, err = pruning.Named(own, o.Names, suggestion.Find(subjects, all)); err != nil {
			return nil, err
		}
	}
	v.Pruning, err = pruning.Open(c)
	return v, err
}

// tallies counts the stored results of each case.
func (v *Prune) tallies(ctx context.Context) (map[string]results.Tally, error) {
	if !v.Project.hasStore() {
		return nil, nil
	}
	store, err := v.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	tallies, err := store.Tallies(ctx, v.suiteName)
	return tallies, errors.Join(err, store.Close())
}

// subjects gathers what suggestions rest on.
func (v *Prune) subjects(ctx context.Context, s *suite.Suite, history *decision.History, tallies map[string]results.Tally) ([]suggestion.Subject, error) {
	gone := v.dangling(ctx, s)
	wavering := map[string]baseline.Line{}
	modes := map[string]string{}
	for _, mode := range baseline.Modes() { // what a model did counts before what a mock did
		f, err := baseline.Open(disk.OS{}, v.Project.Dir, s.Name, mode)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range f.Lines {
			line, err := f.Line(i)
			if err != nil {
				return nil, err
			}
			wavering[line.ID], modes[line.ID] = line, mode
		}
	}
	subjects := make([]suggestion.Subject, len(s.Cases))
	for i, c := range s.Cases {
		t := tallies[c.ID]
		_, kept := history.Kept(c.ID)
		subject := suggestion.Subject{
			Case: c, Incident: provenance.StemsFromIncident(c), Kept: kept,
			Judged: t.Judged, Failed: t.Failed, First: t.First, Last: t.Last, Gone: gone(c), Mode: modes[c.ID],
		}
		for _, past := range history.Of(c.ID) {
			subject.Caught = subject.Caught || past.Verdict == decision.Reject
		}
		if line, ok := wavering[c.ID]; ok {
			subject.Held, subject.Wavering = suggestion.Steadiness(&line)
			subject.Samples = line.Samples
		}
		subjects[i] = subject
	}
	return subjects, nil
}

// dangling returns what says which references of a case point to nothing. git is
// asked once for the commits of all cases.
func (v *Prune) dangling(ctx context.Context, s *suite.Suite) func(c *suite.Case) []string {
	rules, known := v.Project.Config.Links, v.Project.known(ctx, s.Cases)
	return func(c *suite.Case) []string {
		var clauses []string
		for _, d := range provenance.Dangles(c.Provenance, rules, known) {
			clauses = append(clauses, fmt.Sprintf("its provenance refers to %s, and %s", d.Text, d.Why))
		}
		return clauses
	}
}

// Why answers why a case of the suite exists.
func (v *Prune) Why(ctx context.Context, id string) (*provenance.Story, error) {
	c := v.Suite.Case(id)
	if c == nil {
		return nil, fmt.Errorf("suite %s has no case %q", v.suiteName, id)
	}
	return v.Project.story(ctx, v.suiteName, id, c, v.History)
}

// CaseText returns the text of a case's file, and its path relative to the
// configuration.
func (v *Prune) CaseText(id string) (name, text string, err error) {
	c := v.Suite.Case(id)
	if c == nil {
		return "", "", fmt.Errorf("suite %s has no case %q", v.suiteName, id)
	}
	data, err := v.Project.Config.ReadFile(c.Path)
	return c.Path, string(data), err
}

// CaseFile returns where the file of a case lies on disk, for an editor.
func (v *Prune) CaseFile(id string) (string, bool) {
	c := v.Suite.Case(id)
	if c == nil {
		return "", false
	}
	return filepath.Join(v.Project.Dir, filepath.FromSlash(c.Path)), true
}

// Case returns a case of the suite, nil where there is none.
func (v *Prune) Case(id string) *suite.Case { return v.Suite.Case(id) }

// Past returns the decisions on a case that were written, the oldest first.
func (v *Prune) Past(id string) []decision.Past { return v.History.Of(id) }

// Tally counts what runs said of a case.
func (v *Prune) Tally(id string) results.Tally { return v.Tallies[id] }

// PruneSuite finds the suite in which names, or globs, mean cases. Names that do
// so in two suites are an error that names both.
func (p *Project) PruneSuite(names []string) (string, error) {
	if len(p.Config.Suites) == 1 || len(names) == 0 {
		config, _, err := p.Choose("")
		return config.Name, err
	}
	var in []string
	var first error
	for _, config := range p.Config.Suites {
		s, problems, err := p.Config.Open(config.Name)
		if err == nil {
			err = problems.Err()
		}
		if err != nil {
			return "", fmt.Errorf("%w\nor name the suite that is meant with --suite", err)
		}
		if _, err := pruning.Named(s, names, suggestion.Found{}); err == nil {
			in = append(in, config.Name)
		} else if first == nil {
			first = err
		}
	}
	switch len(in) {
	case 0:
		for _, name := range names {
			if _, _, err := p.Choose(name); err == nil {
				return "", fmt.Errorf("%s is a suite: say `docket prune --suite %s`, or name cases of it", name, name)
			}
		}
		return "", fmt.Errorf("no suite has all of these: %w", first)
	case 1:
		return in[0], nil
	}
	return "", fmt.Errorf("%s means cases in the suites %s: say which with --suite", strings.Join(names, " "), strings.Join(in, " and "))
}
