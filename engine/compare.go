package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/run"
)

// ErrNoBaseline says that a suite has no baseline for its mode yet.
var ErrNoBaseline = errors.New("no baseline")

// Baseline reads the suite's baseline for its mode. Where there is none the
// error wraps ErrNoBaseline and names the command that makes one.
func (s *Suite) Baseline() (*baseline.File, error) {
	f, err := baseline.Open(disk.OS{}, s.Project.Dir, s.Name, s.Mode)
	if errors.Is(err, fs.ErrNotExist) {
		command, remark := s.FirstBaseline()
		if remark != "" {
			remark = "; " + remark
		}
		return nil, fmt.Errorf("%w: %s is not there; make it with `%s`%s", ErrNoBaseline, s.BaselinePath(), command, remark)
	}
	return f, err
}

// Measures returns an error for a run in which cases were measured and yet
// there is nothing that could ever differ: no check, and no projection that
// applies to an output. Such evidence is empty, and must not pass for a result.
func (s *Suite) Measures(r *run.Run) error {
	measured := false
	for i := range r.Results {
		if r.Results[i].Outcome != run.Measured {
			continue
		}
		l, err := baseline.ParseLine(r.Results[i].Line)
		if err != nil {
			return fmt.Errorf("the line of case %q: %w", r.Results[i].ID, err)
		}
		if len(l.Checks)+len(l.Projections)+len(l.Unstable) > 0 {
			return nil
		}
		measured = true
	}
	if !measured {
		return nil
	}
	return fmt.Errorf("suite %s has no checks, and no projection applies to its outputs: there is nothing to compare; give its cases an expect", s.Name)
}

// Compare lays a run beside the baseline.
func (s *Suite) Compare(ctx context.Context, r *run.Run, base *baseline.File) (*diff.Diff, error) {
	terms := s.terms()
	// Of the same answers judged again every difference is what is asked for.
	again := r.Purpose == run.Rescore
	if terms.Rescored = again; !again {
		terms.Blind = s.blind(base.Header.Judges, r.Config.Judges)
	}
	if ruler := s.ruler(); !again && base.Header.Ruler != ruler && r.Config.Ruler == ruler {
		store, err := s.Project.Store(ctx)
		if err != nil {
			return nil, err
		}
		defer store.Close()
		terms.Measured = s.remeasure(ctx, store)
	}
	d, err := diff.Compare(base, r, terms)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base.Path, err)
	}
	if s.proposes(r, base) {
		d.Recapture = r.Remark
	}
	d.Again, err = s.alarms(ctx, base)
	return d, err
}

// terms are the terms of a comparison of the suite.
func (s *Suite) terms() diff.Options {
	return diff.Options{
		Comparer:  s.instrument.Projections,
		Tolerance: s.Config.ScoreTolerance,
		Weights:   s.Weights(),
		Families:  s.families(),
		Gate:      s.gate(),
		Today:     time.Now().UTC(),
	}
}

// families returns the family of each case by id, of those that have one.
func (s *Suite) families() map[string]string {
	families := map[string]string{}
	for _, c := range s.data.Cases {
		if c.Family != "" {
			families[c.ID] = c.Family
		}
	}
	return families
}

// gate tells the checks of which a single failure counts.
func (s *Suite) gate() func(name string) bool {
	strict := map[string]bool{check.SchemaName: true}
	for _, p := range s.planned {
		for _, c := range p.Checks {
			if c.Strict {
				strict[c.Check.Name()] = true
			}
		}
	}
	return func(name string) bool { return strict[name] }
}
