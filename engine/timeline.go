package engine

import (
	"context"
	"fmt"

	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/history"
	"docket/engine/results"
)

// Timeline returns the history of one case of a suite, retired ones included.
// What is stored tells it: the cases are read only to say why there is none.
func (p *Project) Timeline(ctx context.Context, suite, id string) (history.Timeline, error) {
	all, err := p.Timelines(ctx, results.Span{Suite: suite, Case: id})
	if err != nil {
		return history.Timeline{}, err
	}
	if len(all) > 0 {
		return all[0], nil
	}
	s, err := p.Open(suite, "", "")
	if err != nil {
		return history.Timeline{}, err
	}
	if _, known := s.Case(id); known {
		return history.Timeline{}, fmt.Errorf("case %q has no result in the store yet: `docket run %s` makes one", id, s.Name)
	}
	return history.Timeline{}, s.noCase(id)
}

// Timelines returns the histories of the cases that have a result in a span. It
// makes no store where there is none.
func (p *Project) Timelines(ctx context.Context, span results.Span) ([]history.Timeline, error) {
	if !p.hasStore() {
		return nil, nil
	}
	store, err := p.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	entries, err := store.Entries(ctx, span)
	if err != nil {
		return nil, err
	}
	decided, err := decision.Read(disk.OS{}, p.Dir, span.Suite)
	if err != nil {
		return nil, err
	}
	return history.Group(entries, decided.All), nil
}
