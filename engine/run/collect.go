package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// collect gathers results in the order of the cases, gives them to the sink,
// and returns the run.
func (e *execution) collect(ctx context.Context, cancel context.CancelCauseFunc) (*Run, error) {
	r := e.plan.Run()
	r.Results = make([]Result, 0, len(e.plan.Cases))
	keep := context.WithoutCancel(ctx)
	early := map[int]indexed{} // results that wait for an earlier case
	var failure error
	deliver := func(result Result) {
		if failure == nil && e.plan.Sink != nil {
			if err := e.plan.Sink.Put(keep, result); err != nil {
				failure = fmt.Errorf("a result could not be kept: %w", err)
				cancel(failure)
			}
		}
		e.note(result.Samples)
		result.Samples = nil
		r.Results = append(r.Results, result)
		if e.plan.Progress != nil {
			e.plan.Progress(len(r.Results), len(e.plan.Cases))
		}
	}
	// advance delivers what is next in order, as far as it is there.
	advance := func() {
		for len(r.Results) < len(e.plan.Cases) {
			next := len(r.Results)
			if planned := e.plan.Cases[next]; planned.Skip {
				deliver(notRun(planned))
				continue
			}
			f, ok := early[next]
			if !ok {
				return
			}
			delete(early, next)
			e.most = max(e.most, f.asked)
			deliver(f.result)
			<-e.slots
		}
	}
	advance()
	for f := range e.finished {
		early[f.index] = f
		advance()
	}
	// Whatever is missing now was not reached.
	for len(r.Results) < len(e.plan.Cases) {
		next := len(r.Results)
		if f, ok := early[next]; ok {
			e.most = max(e.most, f.asked)
			deliver(f.result)
			continue
		}
		r.Interrupted = r.Interrupted || !e.plan.Cases[next].Skip && !e.held
		deliver(notRun(e.plan.Cases[next]))
	}
	r.Finished = time.Now()
	r.Config.Answered = slices.Sorted(maps.Keys(e.answered))
	r.Config.Samples = max(e.plan.Samples, e.most)
	if _, ok := e.plan.System.(sampler); ok {
		r.Config.Samples = e.most
	}
	r.Whole = true
	for i := range r.Results {
		r.Whole = r.Whole && r.Results[i].Outcome != NotRun
	}
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
