package engine

import (
	"bytes"
	"context"
	"fmt"

	"docket/engine/baseline"
	"docket/engine/merge"
)

// MergeOptions say which baselines are merged, and how.
type MergeOptions struct {
	Suite  string        // only this suite's; "" takes all
	Mode   string        // only this mode's; "" takes all
	Header baseline.Take // whose header, where they differ
}

// A Merge is one baseline that was in conflict, with the command that decides
// what the merge could not.
type Merge struct {
	*merge.Baseline
	Review string
}

// Merge merges the baselines that git holds to be in conflict, by case id, and
// writes them. Nothing is written unless all can be. Where none is in conflict it
// returns none, and an error for a baseline that a merge damaged.
func (p *Project) Merge(ctx context.Context, o MergeOptions) ([]Merge, error) {
	suites, err := p.oneOrAll(o.Suite)
	if err != nil {
		return nil, err
	}
	planned, err := merge.Baselines(ctx, p.Dir, suites, o.Mode, o.Header)
	if err != nil {
		return nil, err
	}
	merges := make([]Merge, len(planned))
	for i, m := range planned {
		merges[i].Baseline = m
		if merges[i].Review, err = p.reviewOf(m); err != nil {
			return nil, err
		}
	}
	for _, m := range planned {
		if err := m.Write(p.fsys); err != nil {
			return nil, err
		}
	}
	return merges, nil
}

// MergeDecisions settles the decision files of a suite that are in conflict; ""
// is every suite's.
func (p *Project) MergeDecisions(ctx context.Context, suite string) ([]merge.Kept, error) {
	suites, err := p.oneOrAll(suite)
	if err != nil {
		return nil, err
	}
	return merge.Decisions(ctx, p.fsys, p.Dir, suites)
}

// oneOrAll is the suite of that name; for "" they are all meant.
func (p *Project) oneOrAll(name string) ([]string, error) {
	if name == "" {
		return p.Names(), nil
	}
	config, _, err := p.Choose(name)
	return []string{config.Name}, err
}

// reviewOf spells the command that decides what a merge could not.
func (p *Project) reviewOf(m *merge.Baseline) (string, error) {
	config, _, err := p.Choose(m.Suite)
	if err != nil {
		return "", err
	}
	first, _, _ := bytes.Cut(m.Merged.Data, []byte("\n"))
	header, err := baseline.ParseHeader(first)
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.Path, err)
	}
	return p.reviewCommand(config, m.Mode, header.System), nil
}
