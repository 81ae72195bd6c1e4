package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"docket/engine/system"
)

// waiting is how many results may wait for the sink, so that judging goes on
// while it writes. It bounds the memory of a run, whatever its length.
const waiting = 1024

// sampler is a system that already has its samples.
type sampler interface {
	// Samples returns the numbers of the samples there are of a case, in
	// their order.
	Samples(id string) []int
}

// Execute runs a plan and returns the run with its results sorted by id. The
// sink has each result when its case is done, however long an earlier one takes,
// so that what is paid for outlives the process. Each result's samples are
// dropped then, so that the memory of a run does not grow with its outputs.
//
// The results depend on the plan and the system alone: not on the number of
// jobs, nor on the order in which answers come.
//
// An error or a panic of the system costs its case and never the run. Execute
// sets no time limit of its own: adapters know what is too long. Once ctx is
// done no further sample is asked for, cases that have all their samples are
// kept, the others are NotRun, and Execute returns soon, without waiting for a
// system that hangs; that is no error, the run says that it was Interrupted.
//
// The error is for a plan that cannot be run and for a sink that failed. The
// run is then returned as far as it came, and nil where it did not begin.
func Execute(ctx context.Context, plan Plan) (*Run, error) {
	if plan.System == nil || plan.Measure == nil {
		return nil, errors.New("a run needs a system and something that measures its outputs")
	}
	if plan.ID == "" {
		plan.Started = time.Now()
		plan.ID = NewID(plan.Started)
	}
	byID := func(a, b Planned) int { return cmp.Compare(a.Case.ID, b.Case.ID) }
	if !slices.IsSortedFunc(plan.Cases, byID) { // as those of a suite are
		plan.Cases = slices.Clone(plan.Cases)
		slices.SortStableFunc(plan.Cases, byID)
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e := &execution{
		plan:     plan,
		calls:    make(chan call),
		finished: make(chan indexed, waiting),
		answered: map[string]bool{},
	}
	var workers sync.WaitGroup
	for range max(plan.Jobs, 1) {
		workers.Go(func() { e.work(ctx) })
	}
	go func() {
		e.dispatch(ctx)
		close(e.calls)
		workers.Wait()
		close(e.finished)
	}()
	return e.collect(ctx, cancel)
}

// An execution is a plan while it runs: one goroutine deals out calls, workers
// make them, and the goroutine of Execute collects the results.
type execution struct {
	plan     Plan
	calls    chan call
	finished chan indexed
	held     bool // Admit said no; set before finished is closed

	answered map[string]bool // models that answered; used by collect alone
	most     int             // samples of the case of which most were asked for; used by collect alone
}

// A pending is a case under way.
type pending struct {
	index   int
	planned Planned

	mu        sync.Mutex
	samples   []Sample // one for each call, in the order of their numbers
	missing   int      // calls that have not returned
	missed    bool     // a recording was missing for one of them
	abandoned bool     // the run was interrupted before one of them returned
}

// A call is one sample that a system is asked for.
type call struct {
	of     *pending
	at     int // index into the samples
	number int
}

// An indexed is a result with the place of its case.
type indexed struct {
	index  int
	result Result
	asked  int // samples of the case that were asked for to begin with
}

// dispatch deals out the samples of all cases, in order.
func (e *execution) dispatch(ctx context.Context) {
	for i, planned := range e.plan.Cases {
		if planned.Skip {
			continue
		}
		if ctx.Err() != nil {
			return
		}
		if e.plan.Admit != nil && !e.plan.Admit(ctx, planned) {
			e.held = ctx.Err() == nil
			return
		}
		numbers := e.numbers(planned)
		p := &pending{index: i, planned: planned, samples: make([]Sample, len(numbers)), missing: len(numbers)}
		for at, number := range numbers {
			select {
			case e.calls <- call{of: p, at: at, number: number}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// numbers returns the numbers of the samples to ask for. A case of which a
// system has none is asked for once, so that the system can say why.
func (e *execution) numbers(planned Planned) []int {
	if _, ok := e.plan.System.(sampler); ok {
		if have := e.further(planned.Case.ID, planned.Before, e.plan.Samples); len(have) > 0 {
			return have
		}
		return []int{last(planned.Before) + 1}
	}
	return e.further(planned.Case.ID, planned.Before, max(e.plan.Samples, 1))
}

// work makes calls until there are none, and measures a case once the last of
// its samples is there.
func (e *execution) work(ctx context.Context) {
	for c := range e.calls {
		if ctx.Err() != nil {
			c.of.abandon()
			continue
		}
		sample, missed, abandoned := e.take(ctx, c)
		if !c.of.done(c.at, sample, missed, abandoned) {
			continue
		}
		asked := len(c.of.samples)
		if result, ok := e.settle(ctx, c.of); ok {
			e.finished <- indexed{c.of.index, result, asked}
		}
	}
}

func (p *pending) abandon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.abandoned = true
}

// done keeps one sample and reports whether the case now has all of them.
func (p *pending) done(at int, sample Sample, missed, abandoned bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.samples[at] = sample
	p.missed = p.missed || missed
	p.abandoned = p.abandoned || abandoned
	p.missing--
	return p.missing == 0 && !p.abandoned
}

// measure makes the result of a case whose samples are all there. It reports
// false where an interrupt kept it from being judged.
func (e *execution) measure(ctx context.Context, p *pending) (Result, bool) {
	c := p.planned.Case
	result := Result{ID: c.ID, Version: c.Version, Outcome: Measured, Samples: slices.Concat(p.planned.Before, p.samples)}
	var good []Sample
	for _, s := range result.Samples {
		if s.Error == "" {
			good = append(good, s)
		} else if result.Error == "" {
			result.Error = s.Error
		}
	}
	if len(good) == 0 {
		result.Outcome = Failed
		if p.missed {
			result.Outcome = Missed
		}
		return result, true
	}
	result.Error = ""
	line, judged, err := e.judge(ctx, p.planned, good)
	if err != nil {
		if ctx.Err() != nil {
			return Result{}, false
		}
		result.Outcome, result.Error = Failed, e.scrubbed(err.Error())
		if missedRecording(err) { // of what a judge said
			result.Outcome = Missed
		}
		return result, true
	}
	result.Line = line
	if e.plan.Scrub != nil {
		for i := range judged {
			e.plan.Scrub.Judged(&judged[i])
		}
	}
	merge(result.Samples, judged)
	return result, true
}

// scrubbed is why a case could not be judged, without secrets.
func (e *execution) scrubbed(why string) string {
	if e.plan.Scrub == nil {
		return why
	}
	return e.plan.Scrub.Text(why)
}

// judge calls Measure. A panic in it is a mistake of a check or a projection
// and costs the case.
func (e *execution) judge(ctx context.Context, planned Planned, good []Sample) (line []byte, judged []Sample, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the output could not be judged: %s", fault("judgement", p))
		}
	}()
	return e.plan.Measure(ctx, planned, good)
}

// merge puts the samples that were judged in the place of those that were not.
func merge(samples, judged []Sample) {
	i := 0
	for _, j := range judged {
		for i < len(samples) && samples[i].Number < j.Number {
			i++
		}
		if i < len(samples) && samples[i].Number == j.Number {
			samples[i] = j
		}
	}
}

// fault describes a panic without the words of the language it happened in.
func fault(where string, p any) string {
	switch p := p.(type) {
	case runtime.Error:
		return "a mistake in the code of the " + where
	case error:
		return p.Error()
	default:
		return fmt.Sprint(p)
	}
}

// missedRecording reports whether an error says that a recording was missing.
func missedRecording(err error) bool { return errors.Is(err, system.ErrMissed) }
