package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"docket/engine/comparison"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/safetext"
)

// CompareSystems lays stored runs of a suite side by side: of each system that
// is named the last one that was whole, or else the last one. A name may also be
// the id of a run. mode chooses among runs; "" takes them in any. Nothing is
// run. The error is a comparison.MixedError where the runs were not measured
// alike and mixed is not set.
func (s *Suite) CompareSystems(ctx context.Context, names []string, mode string, mixed bool) (*comparison.Comparison, error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	var sides []comparison.Side
	for _, name := range names {
		r, err := s.lastOf(ctx, store, name, mode)
		if err != nil {
			return nil, err
		}
		side := comparison.Side{Name: r.Config.System, Run: r}
		if r.ID == name || side.Name == "" {
			side.Name = name
		}
		if side.Took, err = store.Took(ctx, r.ID); err != nil {
			return nil, err
		}
		sides = append(sides, side)
	}
	return comparison.Compare(s.Name, sides, comparison.Options{Weights: s.Weights(), Families: s.families(), Mixed: mixed})
}

// lastOf finds the run that stands for a system.
func (s *Suite) lastOf(ctx context.Context, store *results.Store, name, mode string) (*run.Run, error) {
	if r, err := store.Run(ctx, name); err == nil && r.Config.Suite == s.Name {
		return r, nil
	} else if err != nil && !errors.Is(err, results.ErrNone) {
		return nil, err
	}
	runs, err := store.Runs(ctx, results.Filter{Suite: s.Name, System: name, Mode: mode, Finished: true})
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Whole {
			return store.Run(ctx, r.ID)
		}
	}
	if len(runs) > 0 {
		return store.Run(ctx, runs[0].ID)
	}
	var declared []string
	for _, named := range s.Project.Config.Systems {
		declared = append(declared, named.Name)
	}
	in := ""
	if mode != "" {
		in = " in mode " + mode
	}
	mend := fmt.Sprintf("`docket run %s --system %s` makes one", safetext.Word(s.Name), safetext.Word(name))
	if !slices.Contains(declared, name) {
		mend = "there is no such system in " + filepath.Base(s.Project.Config.File) + nearest(name, declared)
	}
	return nil, fmt.Errorf("no run of system %q%s is stored for suite %q: %s", name, in, s.Name, mend)
}
