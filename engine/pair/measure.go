package pair

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/measure"
	"docket/engine/run"
)

// measure folds the samples of each case into lines and results, on all
// processors and in the order of the ids.
func (f *file) measure(ctx context.Context, instrument *measure.Instrument) error {
	if f.side.samples == nil {
		return nil
	}
	results, errs := make([]run.Result, len(f.ids)), make([]error, len(f.ids))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(f.ids)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(f.ids) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				results[i], errs[i] = f.result(ctx, f.ids[i], instrument)
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range results {
		switch {
		case errs[i] != nil:
			return errs[i]
		case results[i].Outcome == run.Failed:
			f.side.Failed++
		default:
			f.side.lines = append(f.side.lines, baseline.Raw{ID: results[i].ID, Bytes: results[i].Line})
		}
	}
	f.side.results = results
	return nil
}

// result measures one case.
func (f *file) result(ctx context.Context, id string, instrument *measure.Instrument) (run.Result, error) {
	samples := f.side.samples[id]
	if failure, all := allFailed(samples); all {
		return run.Result{ID: id, Outcome: run.Failed, Error: failure}, nil
	}
	input := f.inputs[id]
	hash := ""
	if input != nil {
		hash = canonical.Hash(input)
	}
	if known, there := f.hashes[id]; there && (known == "" || hash == "") {
		hash = known // what one side does not say is no edit
	}
	line, err := instrument.Case(ctx, &measure.Subject{ID: id, Version: 1, Input: input, InputHash: hash}, samples)
	if err != nil {
		return run.Result{}, err
	}
	return run.Result{ID: id, Outcome: run.Measured, Line: baseline.AppendLine(nil, line)}, nil
}

func allFailed(samples []run.Sample) (failure string, all bool) {
	for _, s := range samples {
		if s.Error == "" {
			return "", false
		}
		if failure == "" {
			failure = s.Error
		}
	}
	return failure, true
}
