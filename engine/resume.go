package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/canonical"
	"docket/engine/provider"
	"docket/engine/results"
	"docket/engine/run"
)

// Rest says which cases of a run are asked for again.
type Rest string

// The rests of a run.
const (
	Unreached Rest = "unreached" // interrupted, filtered out, or beyond what the run might cost
	Failures  Rest = "failures"  // the system failed, or a recording was missing
)

// Resume goes on with the last run of the suite's mode: it asks for the cases
// of it that the rest names, and puts their results into that run, in the
// place of what it said of them. A case that has its result is not asked for
// again, so that nothing is paid twice. What the options filter out stays as it
// is. The system must be what it was then; a replay, which costs nothing, is
// refused.
//
// Results are kept as they come: an interrupted Resume can be resumed.
func (s *Suite) Resume(ctx context.Context, o RunOptions, rest Rest) (*RunReport, error) {
	store, err := s.Project.Store(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	before, err := s.resumable(ctx, store)
	if err != nil {
		return nil, err
	}
	planned, err := s.rest(before, o, rest)
	if err != nil {
		return nil, err
	}
	sys, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	defer closeSystem(sys)
	if o.Samples == 0 {
		o.Samples = before.Config.Samples
	}
	p := &patch{store: store, run: before, whole: len(s.planned)}
	plan := run.Plan{
		ID: before.ID, Started: before.Started, Cases: planned, System: sys, Samples: o.Samples, Jobs: o.Jobs,
		Config: before.Config, Measure: s.measure, Sink: p, Progress: o.progress(sys),
	}
	if plan.Admit, err = s.holdTo(o, sys); err != nil {
		return nil, err
	}
	taken, err := run.Execute(ctx, plan)
	if err != nil {
		return nil, err
	}
	report := &RunReport{Run: before}
	report.Spent, report.Stopped = spentBy(sys)
	recordings := before.Config.Recordings
	report.Recordings = s.conclude(sys, taken)
	if now := taken.Config.Recordings; recordings != "" && now != "" && now != recordings {
		recordings = canonical.Hash([]any{recordings, now}) // rests on both
	} else if now != "" {
		recordings = now
	}
	before.AddSources(taken.Sources)
	before.Config.Recordings, before.Interrupted = recordings, taken.Interrupted
	return report, p.flush(context.WithoutCancel(ctx))
}

// resumable returns the last run, where the suite can go on with it.
func (s *Suite) resumable(ctx context.Context, store *results.Store) (*run.Run, error) {
	before, err := store.LastRun(ctx, s.runs())
	switch {
	case errors.Is(err, results.ErrNone):
		return nil, fmt.Errorf("suite %s has no run with mode %s to go on with: make one with `%s`", s.Name, s.Mode, s.Command("run"))
	case err != nil:
		return nil, err
	case s.answers.models == provider.Replay:
		return nil, fmt.Errorf("a replay costs nothing and is made whole: `%s`", s.Command("run"))
	case before.Config.System != s.System.Name:
		return nil, fmt.Errorf("the last run, %s, is of system %s: say --system %s to go on with it", before.ID, before.Config.System, before.Config.System)
	case before.Recorded != s.Records():
		return nil, fmt.Errorf("the last run, %s, and this one differ in whether they record: run again with `%s`", before.ID, s.Command("run"))
	case before.Services != s.servicesAnswer():
		return nil, fmt.Errorf("services were answered otherwise in the last run, %s: run again with `%s`", before.ID, s.Command("run"))
	}
	if fields := changedSince(before.Config, s.header()); len(fields) > 0 {
		return nil, fmt.Errorf("%s changed since run %s, so that more results would not belong to it: run again with `%s`", strings.Join(fields, ", "), before.ID, s.Command("run"))
	}
	return before, nil
}

// rest plans the cases that are asked for again.
func (s *Suite) rest(before *run.Run, o RunOptions, rest Rest) ([]run.Planned, error) {
	chosen, err := s.choose(o)
	if err != nil {
		return nil, err
	}
	outcomes := make(map[string]run.Outcome, len(before.Results))
	for i := range before.Results {
		outcomes[before.Results[i].ID] = before.Results[i].Outcome
	}
	var planned []run.Planned
	for _, p := range chosen {
		outcome := outcomes[p.Case.ID]
		failed := outcome == run.Failed || outcome == run.Missed
		if !p.Skip && (rest == Failures && failed || rest == Unreached && outcome == run.NotRun) {
			planned = append(planned, p)
		}
	}
	if len(planned) == 0 {
		what := "reached every case"
		if rest == Failures {
			what = "has no case that failed"
		}
		return nil, fmt.Errorf("run %s %s: there is nothing to go on with", before.ID, what)
	}
	return planned, nil
}

// A patch puts results into a run that exists, in memory and in the store.
type patch struct {
	store *results.Store
	run   *run.Run
	whole int // cases of the suite
	fresh []run.Result
}

// Put implements run.Sink. Cases that were not reached stay what they were.
func (p *patch) Put(ctx context.Context, r run.Result) error {
	if r.Outcome == run.NotRun {
		return nil
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
	const most = 32 // results that a crash could lose
	if len(p.fresh) < most {
		return nil
	}
	return p.flush(ctx)
}

// flush writes what the store has not got yet.
func (p *patch) flush(ctx context.Context) error {
	p.run.Whole = len(p.run.Results) >= p.whole && !slices.ContainsFunc(p.run.Results, func(r run.Result) bool { return r.Outcome == run.NotRun })
	fresh := p.fresh
	p.fresh = nil
	return p.store.Replace(ctx, p.run, fresh)
}
