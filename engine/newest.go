package engine

import (
	"context"
	"errors"

	"docket/engine/results"
	"docket/engine/run"
)

// latest returns what the newest run of the mode proposes for each case, so
// that a decision on a line that a newer run no longer proposes is told as
// stale. Mostly that is the run that is reviewed.
func (v *Review) latest(ctx context.Context) (func(id string) []byte, error) {
	newest, err := v.newest(ctx)
	if err != nil {
		return nil, err
	}
	if newest == nil {
		return func(id string) []byte {
			if c, ok := v.cases[id]; ok {
				return c.NewLine
			}
			return nil
		}, nil
	}
	d, err := v.Suite.Compare(ctx, newest, v.Base)
	if err != nil {
		return nil, err
	}
	// Cases that do not differ any more propose what the baseline has.
	proposed := map[string][]byte{}
	for i := range newest.Results {
		r := &newest.Results[i]
		if at, ok := v.Base.Find(r.ID); ok && r.Outcome == run.Measured {
			proposed[r.ID] = v.Base.Lines[at].Bytes
		}
	}
	for i := range d.Cases {
		if c := &d.Cases[i]; c.NewLine != nil {
			proposed[c.ID] = c.NewLine
		} else {
			delete(proposed, c.ID)
		}
	}
	return func(id string) []byte { return proposed[id] }, nil
}

// newest returns the last run that the suite is about where it is younger than the
// one that is reviewed, else nil.
func (v *Review) newest(ctx context.Context) (*run.Run, error) {
	if v.Suite == nil || v.Run == nil {
		return nil, nil
	}
	store, err := v.Suite.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	filter := v.Suite.runs()
	filter.Finished, filter.Proposing = true, true
	newest, err := v.Suite.standing(ctx, store, filter)
	switch {
	case errors.Is(err, results.ErrNone):
		return nil, nil // pruned between the two questions
	case err != nil:
		return nil, err
	case newest == nil, newest.ID == v.Run.ID, !newest.Started.After(v.Run.Started):
		return nil, nil
	}
	return newest, nil
}
