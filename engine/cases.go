package engine

import (
	"context"
	"errors"
	"time"

	"docket/engine/census"
	"docket/engine/results"
)

// Census counts what the suite of that name holds ("": the first). It needs no
// system and runs nothing. Problems that keep cases from being read are the
// error, since a count that leaves some out would be wrong.
func (p *Project) Census(ctx context.Context, name string, now time.Time) (*census.Census, error) {
	config, _, err := p.Choose(name)
	if err != nil {
		return nil, err
	}
	s, problems, err := p.Config.Open(config.Name)
	if err == nil {
		err = problems.Err()
	}
	if err != nil {
		return nil, err
	}
	var ran map[string]int
	var tallies map[string]results.Tally
	stored := p.hasStore()
	if stored {
		store, err := p.Store(ctx)
		if err != nil {
			return nil, err
		}
		ran, err = store.Ran(ctx, s.Name)
		if err == nil {
			tallies, err = store.Tallies(ctx, s.Name)
		}
		if err := errors.Join(err, store.Close()); err != nil {
			return nil, err
		}
	}
	return census.Take(s, p.Config.Links, now, stored, ran, tallies), nil
}
