// Package budget holds a run to what it may cost, by what its samples have cost
// so far.
//
// It refuses to guess: where a price is not known it lets nothing more begin. It
// knows no vendor, asks nobody and stops nothing that is under way.
package budget

import (
	"context"
	"fmt"
	"sync"

	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/run"
)

// A Budget holds a run to what it may cost. The zero Budget holds it to nothing.
//
// What a case will cost is taken to be what samples have cost so far on
// average. Nothing is known of the first: until it is answered no other is
// begun. Samples that confirm a difference are not foreseen, since few cases
// need them; they are asked for when it is time.
type Budget struct {
	limit   float64               // US dollars
	samples int                   // of each case
	spent   func() provider.Spent // so far, by the system and its judges

	mu       sync.Mutex
	admitted int // samples that were let begin
	done     int // samples that were answered, and judged where judges are paid
	// unjudged counts, by case, the answers whose verdicts are still to be paid;
	// nil where no judge is.
	unjudged map[string]int
	changed  chan struct{}
	stopped  string
}

// Allow sets what the run may cost, in US dollars, before its first sample. samples
// is how many are taken of each case; spent says what the system and its judges
// have cost so far.
func (b *Budget) Allow(limit float64, samples int, spent func() provider.Spent) {
	b.limit, b.samples, b.spent = limit, samples, spent
}

// Stopped says why a case was not begun; "" where none was refused.
func (b *Budget) Stopped() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stopped
}

// Answered counts a sample of a case. Where judges are paid, too, what it costs
// is not known before it is judged; one that failed is never judged.
func (b *Budget) Answered(id string, failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unjudged != nil && !failed {
		b.unjudged[id]++
		return
	}
	b.count(1)
}

// Judging says that judges are paid, too: it counts the samples that measuring has
// judged, or could not.
func (b *Budget) Judging(measure run.Measure) run.Measure {
	b.unjudged = map[string]int{}
	return func(ctx context.Context, planned run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		defer func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.count(b.unjudged[planned.Case.ID])
			delete(b.unjudged, planned.Case.ID)
		}()
		return measure(ctx, planned, samples)
	}
}

// count adds samples whose cost is known, and tells who waits for the first. The
// caller holds the lock.
func (b *Budget) count(n int) {
	b.done += n
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// Admit reports whether one more case may be begun.
func (b *Budget) Admit(ctx context.Context, _ run.Planned) bool {
	if !b.wait(ctx) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	expected, why := b.expect(b.samples)
	switch {
	case why != "":
		b.stopped = "stopped, since " + why
		return false
	case b.beyond(expected):
		b.stopped = fmt.Sprintf("stopped before it would cost more than $%.4f: $%.4f is spent, and the next case was expected to make that $%.4f", b.limit, b.spent().USD, expected)
		return false
	}
	b.admitted += b.samples
	return true
}

// Further reports whether n more samples of a case may be taken.
func (b *Budget) Further(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if expected, why := b.expect(n); why != "" || b.beyond(expected) {
		return false
	}
	b.admitted += n
	return true
}

// expect returns what will be spent once n more samples and those under way
// are answered, and why that cannot be told.
func (b *Budget) expect(n int) (usd float64, unknown string) {
	spent := b.spent()
	if spent.Unknown > 0 {
		return 0, fmt.Sprintf("what %s cost is not known: give the system a price for every model that answers", phrase.Count(spent.Unknown, "call", "calls"))
	}
	if b.done == 0 {
		return spent.USD, ""
	}
	return spent.USD + spent.USD/float64(b.done)*float64(max(0, b.admitted-b.done)+n), ""
}

// beyond reports whether so much is more than the run may cost.
func (b *Budget) beyond(usd float64) bool {
	return usd > b.limit || b.done > 0 && b.spent().USD >= b.limit
}

// wait waits for the first sample, which tells what samples cost.
func (b *Budget) wait(ctx context.Context) bool {
	for {
		b.mu.Lock()
		if b.done > 0 || b.admitted == 0 {
			b.mu.Unlock()
			return true
		}
		if b.changed == nil {
			b.changed = make(chan struct{})
		}
		changed := b.changed
		b.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}
