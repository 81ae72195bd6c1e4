package engine

import (
	"context"
	"errors"
	"fmt"
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
	lock, err := s.holdAgain(before)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	// Another docket may have gone on with it until the lock was had.
	if before, err = store.Run(ctx, before.ID); err != nil {
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
	judges, err := s.sit(ctx)
	if err != nil {
		return nil, err
	}
	defer judges.Close()
	o = o.goingOn(before)
	p := &patch{store: store, run: before, whole: len(s.planned)}
	plan := run.Plan{
		ID: before.ID, Started: before.Started, Scrub: s.Project.scrubber(), Cases: planned, System: sys, Samples: o.Samples, Jobs: o.Jobs,
		Config: before.Config, Measure: s.measureBy(judges), Sink: p, Progress: o.progress(sys, judges),
	}
	confirming, err := s.limit(ctx, &plan, o, sys, judges, store)
	if err != nil {
		return nil, err
	}
	keep := context.WithoutCancel(ctx)
	taken, err := run.Execute(ctx, plan)
	if err := errors.Join(err, p.flush(keep)); err != nil {
		return nil, err
	}
	report := &RunReport{Run: before}
	report.Confirmed, report.Unconfirmed = confirming.ids()
	report.Spent, report.Stopped = spentBy(sys)
	recordings := before.Config.Recordings
	report.Recordings = append(s.conclude(sys, taken), judges.Conclude(taken)...)
	if now := taken.Config.Recordings; recordings != "" && now != "" && now != recordings {
		recordings = canonical.Hash([]any{recordings, now}) // rests on both
	} else if now != "" {
		recordings = now
	}
	before.AddSources(taken.Sources)
	before.Config.Recordings, before.Interrupted = recordings, taken.Interrupted
	return report, p.flush(keep)
}

// goingOn are the options for more cases of a run: as many samples of each as it
// took, unless they say otherwise. Where that is more than one, the samples
// confirm each other.
func (o RunOptions) goingOn(before *run.Run) RunOptions {
	if o.Samples != 0 {
		return o
	}
	if o.Samples = before.Config.Samples; o.Samples > 1 {
		o.Confirm = 0
	}
	return o
}

// resumable returns the last run, where the suite can go on with it.
func (s *Suite) resumable(ctx context.Context, store *results.Store) (*run.Run, error) {
	before, err := s.lastRun(ctx, store)
	switch {
	case errors.Is(err, results.ErrNone):
		return nil, fmt.Errorf("suite %s has no run with mode %s to go on with: make one with `%s`", s.Name, s.Mode, s.Command("run"))
	case err != nil:
		return nil, err
	case s.answers.models == provider.Replay:
		return nil, fmt.Errorf("a replay costs nothing and is made whole: `%s`", s.Command("run"))
	case before.Purpose == run.Imported:
		return nil, fmt.Errorf("the last run, %s, was imported, and what is asked now would not belong to it: make one with `%s`", before.ID, s.Command("run"))
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
