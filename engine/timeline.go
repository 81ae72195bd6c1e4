package engine

import (
	"context"
	"fmt"
	"time"

	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/history"
	"docket/engine/results"
)

// Timeline returns the history of one case, retired ones included.
func (s *Suite) Timeline(ctx context.Context, id string) (history.Timeline, error) {
	all, err := s.timelines(ctx, results.Span{Suite: s.Name, Case: id})
	if err != nil {
		return history.Timeline{}, err
	}
	if len(all) == 0 {
		if _, known := s.Case(id); known {
			return history.Timeline{}, fmt.Errorf("case %q has no result in the store yet: `docket run %s` makes one", id, s.Name)
		}
		return history.Timeline{}, s.noCase(id)
	}
	return all[0], nil
}

// Timelines returns the histories of all cases of the suite that have a result,
// of one system where it is named, from a time on where it is set.
func (s *Suite) Timelines(ctx context.Context, systemName string, since time.Time) ([]history.Timeline, error) {
	return s.timelines(ctx, results.Span{Suite: s.Name, System: systemName, Since: since})
}

// timelines reads the store, which it does not make where there is none.
func (s *Suite) timelines(ctx context.Context, span results.Span) ([]history.Timeline, error) {
	if !s.Project.hasStore() {
		return nil, nil
	}
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	entries, err := store.Entries(ctx, span)
	if err != nil {
		return nil, err
	}
	decided, err := decision.Read(disk.OS{}, s.Project.Dir, s.Name)
	if err != nil {
		return nil, err
	}
	return history.Group(entries, decided.All), nil
}
