package engine

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/engine/results"
	"docket/engine/run"
)

// A process that is killed while it goes on with a run loses no more results
// than these.
const (
	patchResults = 32
	patchAge     = 500 * time.Millisecond
)

// A patch puts results into a run that exists, in memory and in the store.
type patch struct {
	store *results.Store
	run   *run.Run
	whole int // cases of the suite

	mu     sync.Mutex
	fresh  []run.Result
	timer  *time.Timer // runs while there are fresh results
	failed error       // of a write that nobody waited for
}

// Put implements run.Sink. Cases that were not reached stay what they were.
func (p *patch) Put(ctx context.Context, r run.Result) error {
	if r.Outcome == run.NotRun {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return p.failed
	}
	models := map[string]bool{}
	for _, model := range p.run.Config.Answered {
		models[model] = true
	}
	for _, sample := range r.Samples {
		if sample.Output.Model != "" {
			models[sample.Output.Model] = true
		}
	}
	p.run.Config.Answered = slices.Sorted(maps.Keys(models))
	at, _ := slices.BinarySearchFunc(p.run.Results, r.ID, func(have run.Result, id string) int { return strings.Compare(have.ID, id) })
	p.fresh = append(p.fresh, r)
	r.Samples = nil
	p.run.Results[at] = r
	if len(p.fresh) >= patchResults {
		return p.write(ctx)
	}
	if p.timer == nil {
		p.timer = time.AfterFunc(patchAge, func() { p.flushLate(context.WithoutCancel(ctx)) })
	}
	return nil
}

// flush writes what the store has not got yet, and whether the run is whole now.
func (p *patch) flush(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return p.failed
	}
	return p.write(ctx)
}

// flushLate writes results that have waited long enough.
func (p *patch) flushLate(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil && len(p.fresh) > 0 {
		p.failed = p.write(ctx)
	}
}

// write is flush for who holds the lock.
func (p *patch) write(ctx context.Context) error {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	p.run.Whole = len(p.run.Results) >= p.whole && !slices.ContainsFunc(p.run.Results, func(r run.Result) bool { return r.Outcome == run.NotRun })
	fresh := p.fresh
	p.fresh = nil
	return p.store.Replace(ctx, p.run, fresh)
}
