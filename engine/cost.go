package engine

import (
	"context"
	"errors"
	"fmt"

	"docket/engine/budget"
	"docket/engine/panel"
	"docket/engine/provider"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/system"
)

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
		plan.Admit = held.Admit
		if s.asksJudge() {
			plan.Measure = held.Judging(plan.Measure)
		}
		if c != nil {
			c.afford = held.Further
		}
	}
	return c, nil
}

// holdTo returns what holds a run to the cost that the options allow; nil where
// nothing does.
func (s *Suite) holdTo(o RunOptions, sys system.System, judges *panel.Panel) (*budget.Budget, error) {
	switch {
	case o.MaxCost == 0:
		return nil, nil
	case o.MaxCost < 0:
		return nil, errors.New("a limit of the cost is an amount more than 0")
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
	b.budget.Allow(o.MaxCost, max(o.Samples, 1), func() provider.Spent { return b.door.Spent().Plus(judges.Spent()) })
	return &b.budget, nil
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
	return b.door.Spent(), b.budget.Stopped()
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
