package engine

import (
	"context"

	"docket/engine/agreement"
	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/results"
)

// Evidence says, for each projection that the baseline's line of a case calls
// stable, in how many samples of all stored runs of its configuration the value
// held. A case without a line has no evidence.
func (s *Suite) Evidence(ctx context.Context, id string) (map[string]agreement.Agreement, error) {
	base, err := s.Baseline()
	if err != nil {
		return nil, err
	}
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return s.pool(store, base).Of(ctx, id)
}

func (s *Suite) pool(store *results.Store, base *baseline.File) *agreement.Pool {
	return &agreement.Pool{
		Suite: s.Name, Mode: s.Mode, Store: store, Base: base,
		Projections: s.instrument.Projections, Case: s.Case, Stands: s.stands,
	}
}

// stands reports whether the answers of a system stand somewhere, in a file, in
// the cases, or in recordings, so that reading them again is no further sample. A
// system that is no longer configured is taken for one of that kind.
func (s *Suite) stands(name string) bool {
	if s.Mode != "live" {
		return true
	}
	declared, problems, err := s.Project.system(s.Config, name)
	return err != nil || len(problems) > 0 || declared.Kind == "outputs" || declared.Kind == "canned"
}

// mostPooled is how many listed cases have their evidence pooled in one report:
// each takes the better part of a millisecond.
const mostPooled = 5000

// Pooled reports whether Grounded counts the samples of all stored runs in a
// report on this diff. In a longer one it counts the baseline's own alone, and
// says so in each sentence; Review.Agreement pools one case of any diff.
func Pooled(d *diff.Diff) bool { return len(d.Cases) <= mostPooled }

// Grounded returns what says, of a case of a diff, on what its old side rests:
// one sentence for the changed projections that share it. closing lets go of
// the store behind it.
func (s *Suite) Grounded(ctx context.Context, d *diff.Diff, base *baseline.File) (say func(c *diff.Case) []string, closing func() error, err error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, nil, err
	}
	pool, pooled := s.pool(store, base), Pooled(d)
	return func(c *diff.Case) []string {
		found := agreement.Claimed(c.OldLine)
		if pooled {
			if all, err := pool.Of(ctx, c.ID); err == nil { // a damaged store is told by what follows it
				found = all
			}
		}
		var lines []string
		for _, sentence := range agreement.Sentences(c, found) {
			lines = append(lines, sentence.String())
		}
		return lines
	}, store.Close, nil
}

// Claimed says on what the old side of a case rests as far as the baseline
// alone tells: its own samples. It answers at once.
func (v *Review) Claimed(c *diff.Case) []agreement.Sentence {
	return agreement.Sentences(c, agreement.Claimed(c.OldLine))
}

// Agreement says on what the old side of a case rests, over all stored runs of
// the same configuration. It reads the results store and may take a while; two
// files have nothing but their own samples.
func (v *Review) Agreement(ctx context.Context, c *diff.Case) ([]agreement.Sentence, error) {
	if v.Suite == nil {
		return v.Claimed(c), nil
	}
	store, err := v.Suite.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	found, err := v.Suite.pool(store, v.Base).Of(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	return agreement.Sentences(c, found), nil
}
