package engine

import (
	"context"

	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/results"
	"docket/engine/run"
)

// longestMessage bounds, in characters, what a check's message takes up in a
// report.
const longestMessage = 400

// Messages returns what says why checks of a case fail on the new side of a
// diff: by check, what it said of the first sample that failed it. closing
// lets go of the store behind it.
func (s *Suite) Messages(ctx context.Context, r *run.Run) (say func(c *diff.Case) map[string]string, closing func() error, err error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, nil, err
	}
	return func(c *diff.Case) map[string]string { return stored(ctx, store, r, c) }, store.Close, nil
}

// stored reads the messages of a run; none where it is not in this store, or
// its outputs were pruned.
func stored(ctx context.Context, store *results.Store, r *run.Run, c *diff.Case) map[string]string {
	samples, err := store.Samples(ctx, r.ID, c.ID)
	if err != nil {
		return nil // a damaged store is told by what follows it
	}
	return messagesOf(samples)
}

// Messages is as Suite.Messages: with two files, what the tool that made the
// new one said.
func (p *Pair) Messages(c *diff.Case) map[string]string { return messagesOf(p.New.Samples(c.ID)) }

// messagesOf returns what checks said that failed. The texts are untrusted.
func messagesOf(samples []run.Sample) map[string]string {
	said := map[string]string{}
	for i := range samples {
		for _, v := range samples[i].Checks {
			if v.Pass || v.Message == "" || said[v.Check] != "" {
				continue
			}
			said[v.Check] = phrase.Abridge(v.Message, longestMessage)
		}
	}
	return said
}
