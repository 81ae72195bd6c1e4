package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// collect gives results to the sink as they come, and returns the run with all
// of them in the order of the cases.
func (e *execution) collect(ctx context.Context, cancel context.CancelCauseFunc) (*Run, error) {
	r := e.plan.Run()
	r.Results = make([]Result, len(e.plan.Cases))
	keep := context.WithoutCancel(ctx)
	delivered := make([]bool, len(r.Results))
	done := 0
	var failure error
	deliver := func(at int, result Result) {
		if failure == nil && e.plan.Sink != nil {
			if err := e.plan.Sink.Put(keep, result); err != nil {
				failure = fmt.Errorf("a result could not be kept: %w", err)
				cancel(failure)
			}
		}
		e.note(result.Samples)
		result.Samples = nil
		r.Results[at], delivered[at] = result, true
		done++
		if e.plan.Progress != nil {
			e.plan.Progress(done, len(e.plan.Cases))
		}
	}
	for i, planned := range e.plan.Cases {
		if planned.Skip {
			deliver(i, notRun(planned))
		}
	}
	for f := range e.finished {
		e.most = max(e.most, f.asked)
		deliver(f.index, f.result)
	}
	for i, planned := range e.plan.Cases {
		if !delivered[i] {
			r.Interrupted = r.Interrupted || !e.held
			deliver(i, notRun(planned))
		}
	}
	r.Finished = time.Now()
	r.Config.Answered = slices.Sorted(maps.Keys(e.answered))
	r.Config.Samples = max(e.plan.Samples, e.most)
	if _, ok := e.plan.System.(sampler); ok {
		r.Config.Samples = e.most
	}
	r.Whole = !slices.ContainsFunc(r.Results, func(result Result) bool { return result.Outcome == NotRun })
	return r, failure
}

// note remembers which models answered.
func (e *execution) note(samples []Sample) {
	for i := range samples {
		if model := samples[i].Output.Model; model != "" {
			e.answered[model] = true
		}
	}
}

func notRun(p Planned) Result {
	return Result{ID: p.Case.ID, Version: p.Case.Version, Outcome: NotRun}
}
