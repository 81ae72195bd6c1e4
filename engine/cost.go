package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"docket/engine/panel"
	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/system"
)

// A purse holds a run to what it may cost. The zero purse holds it to nothing.
//
// What a case will cost is taken to be what samples have cost so far on
// average. Nothing is known of the first: until it is answered no other is
// begun. Samples that confirm a difference are not foreseen, since few cases
// need them; they are asked for when it is time.
type purse struct {
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

// answered counts a sample of a case. Where judges are paid, too, what it costs
// is not known before it is judged; one that failed is never judged.
func (p *purse) answered(id string, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unjudged != nil && !failed {
		p.unjudged[id]++
		return
	}
	p.count(1)
}

// judging counts the samples that a measuring has judged, or could not.
func (p *purse) judging(measure measuring) measuring {
	return func(ctx context.Context, planned run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		defer func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.count(p.unjudged[planned.Case.ID])
			delete(p.unjudged, planned.Case.ID)
		}()
		return measure(ctx, planned, samples)
	}
}

// count adds samples whose cost is known, and tells who waits for the first. The
// caller holds the lock.
func (p *purse) count(n int) {
	p.done += n
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// admit reports whether one more case may be begun.
func (p *purse) admit(ctx context.Context, _ run.Planned) bool {
	if !p.wait(ctx) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	expected, why := p.expect(p.samples)
	switch {
	case why != "":
		p.stopped = "stopped, since " + why
		return false
	case p.beyond(expected):
		p.stopped = fmt.Sprintf("stopped before it would cost more than $%.4f: $%.4f is spent, and the next case was expected to make that $%.4f", p.limit, p.spent().USD, expected)
		return false
	}
	p.admitted += p.samples
	return true
}

// further reports whether n more samples of a case may be taken.
func (p *purse) further(n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if expected, why := p.expect(n); why != "" || p.beyond(expected) {
		return false
	}
	p.admitted += n
	return true
}

// expect returns what will be spent once n more samples and those under way
// are answered, and why that cannot be told.
func (p *purse) expect(n int) (usd float64, unknown string) {
	spent := p.spent()
	if spent.Unknown > 0 {
		return 0, fmt.Sprintf("what %s cost is not known: give the system a price for every model that answers", phrase.Count(spent.Unknown, "call", "calls"))
	}
	if p.done == 0 {
		return spent.USD, ""
	}
	return spent.USD + spent.USD/float64(p.done)*float64(max(0, p.admitted-p.done)+n), ""
}

// beyond reports whether so much is more than the run may cost.
func (p *purse) beyond(usd float64) bool {
	return usd > p.limit || p.done > 0 && p.spent().USD >= p.limit
}

// wait waits for the first sample, which tells what samples cost.
func (p *purse) wait(ctx context.Context) bool {
	for {
		p.mu.Lock()
		if p.done > 0 || p.admitted == 0 {
			p.mu.Unlock()
			return true
		}
		if p.changed == nil {
			p.changed = make(chan struct{})
		}
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// limit gives a plan what it may do besides asking for each case once: what it
// may cost, and which cases it samples again to confirm that they differ, within
// that. What decides on the latter is returned, nil where nothing is confirmed.
func (s *Suite) limit(ctx context.Context, plan *run.Plan, o RunOptions, sys system.System, judges *panel.Panel, store *results.Store) (*confirming, error) {
	held, err := s.holdTo(o, sys, judges)
	if err != nil {
		return nil, err
	}
	c, err := s.confirming(ctx, o.Confirm, store)
	if err != nil {
		return nil, err
	}
	if c != nil {
		plan.Confirm = c.more
	}
	if held != nil {
		plan.Admit = held.admit
		if s.asksJudge() {
			held.unjudged = map[string]int{}
			plan.Measure = held.judging(plan.Measure)
		}
		if c != nil {
			c.afford = held.further
		}
	}
	return c, nil
}

// holdTo returns what holds a run to the cost that the options allow; nil where
// nothing does.
func (s *Suite) holdTo(o RunOptions, sys system.System, judges *panel.Panel) (*purse, error) {
	switch {
	case o.MaxCost == 0:
		return nil, nil
	case o.MaxCost < 0:
		return nil, errors.New("a run cannot cost less than nothing")
	case s.free() && s.asksJudge():
		return nil, errors.New("the answers of this system cost nothing, and what its judges will cost is not known beforehand: leave out --max-cost, or take recorded verdicts with --judges replay")
	case s.free():
		return nil, nil
	}
	b := reached(sys)
	if b == nil || len(s.System.Needs.Providers) == 0 {
		return nil, fmt.Errorf("what system %s costs is not known before it has answered, since it calls its models without docket: no limit of the cost can be kept", s.System.Name)
	}
	if p := s.System.Needs.Prices; p.All == nil && len(p.Models) == 0 {
		return nil, fmt.Errorf("system %s has no price, so no limit of the cost can be kept: add price: {input: …, output: …} to it, in US dollars per million tokens", s.System.Name)
	}
	b.purse.limit, b.purse.samples = o.MaxCost, max(o.Samples, 1)
	b.purse.spent = func() provider.Spent { return b.door.Spent().Plus(judges.Spent()) }
	return &b.purse, nil
}

// free reports whether the answers of the system cost nothing.
func (s *Suite) free() bool {
	return s.System.Kind == "outputs" || s.answers.models != provider.Live && s.answers.models != provider.Record
}

// spentBy tells what a run cost, and why it stopped before its end.
func spentBy(sys system.System) (spent provider.Spent, stopped string) {
	b := reached(sys)
	if b == nil {
		return provider.Spent{}, ""
	}
	b.purse.mu.Lock()
	defer b.purse.mu.Unlock()
	return b.door.Spent(), b.purse.stopped
}

// progress is what is told of a run while it runs: with what its models and its
// judges have cost.
func (o RunOptions) progress(sys system.System, judges *panel.Panel) func(done, total int) {
	b := reached(sys)
	if o.Progress == nil || o.Spending == nil || b == nil {
		return o.Progress
	}
	return func(done, total int) {
		o.Spending(b.door.Spent().Plus(judges.Spent()))
		o.Progress(done, total)
	}
}
