package engine

import (
	"bytes"
	"context"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/results"
	"docket/engine/run"
)

// remeasure returns what measures an old line again under the ruler of today,
// from the outputs that the results store has, so that a change of the ruler
// does not read as one of the model. It gives nil for a case that was edited or
// whose outputs are not here, and for a line that is not what was measured but
// what a person made of it: a part accepted, a set allowed.
func (s *Suite) remeasure(ctx context.Context, store *results.Store) func(id string, line []byte) []byte {
	planned := make(map[string]run.Planned, len(s.planned))
	for _, p := range s.planned {
		planned[p.Case.ID] = p
	}
	return func(id string, raw []byte) []byte {
		p, ok := planned[id]
		old, err := baseline.ParseLine(raw)
		if !ok || err != nil || old.Outputs == "" || old.Input != p.Case.InputHash || old.Expect != p.Case.ExpectHash {
			return nil
		}
		samples := succeeded(behind(ctx, store, s.Name, id, raw, old.Outputs))
		if len(samples) == 0 {
			return nil
		}
		line, err := s.instrument.Case(ctx, subject(p), samples)
		if err != nil || len(diff.Reasked(old.Params, line.Params)) > 0 {
			return nil
		}
		return baseline.AppendLine(nil, line)
	}
}

// behind returns the samples that a line was measured on, none where no result
// in the store is the line as it stands.
func behind(ctx context.Context, store *results.Store, suite, id string, line []byte, outputs string) []run.Sample {
	history, err := store.History(ctx, suite, id)
	if err != nil {
		return nil
	}
	for i := range history {
		if !bytes.Equal(baseline.Key(history[i].Line), baseline.Key(line)) {
			continue
		}
		samples, err := store.Samples(ctx, history[i].Run, id)
		if err == nil && run.OutputsHash(samples) == outputs {
			return samples
		}
	}
	return nil
}

// succeeded returns the samples that a case is measured on.
func succeeded(samples []run.Sample) []run.Sample {
	var good []run.Sample
	for _, sample := range samples {
		if sample.Error == "" {
			good = append(good, sample)
		}
	}
	return good
}
