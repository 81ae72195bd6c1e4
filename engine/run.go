package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/disk"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/provider"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/safetext"
	"docket/engine/source"
	"docket/engine/system"
)

// RunOptions say how a suite is run.
type RunOptions struct {
	Samples int      // of each case; 0 takes one, or all that a file of outputs has
	Jobs    int      // cases at once; 0 and 1 run one after another
	Cases   []string // ids; only these. An id that the suite lacks is an error
	Tags    []string // only cases with one of these tags
	// Across lets Calibrate write lines beside those of another configuration.
	Across bool
	// Confirm is how many more samples are taken of a case that differs from the
	// baseline, before the difference counts; see Suite.Confirms.
	Confirm int
	// MaxCost is how much a run may cost in US dollars: it stops before the case
	// that would pass it. 0 is any. It is an error for a live system whose price
	// is not known.
	MaxCost float64
	// Spending is told what live calls have cost so far, before each Progress;
	// nil for nobody.
	Spending func(provider.Spent)
	Progress func(done, total int)

	purpose run.Purpose
	remark  string
	observe func(p run.Planned, samples []run.Sample) // sees every case's samples, from several goroutines
	finish  func(*RunReport) error                    // has the last word before the run counts as finished
}

// A RunReport is a run with what the person who started it should know.
type RunReport struct {
	Run     *run.Run
	Unknown []string // ids that the outputs have and the suite lacks
	// Confirmed are the ids of the cases that differed in their first samples
	// and were sampled again, sorted.
	Confirmed []string
	// Unconfirmed are those that were not, since the samples would have cost more
	// than the run may; sorted.
	Unconfirmed []string
	// Recordings say which recordings the run rests on or wrote, a line each.
	Recordings []string
	// Spent is what the calls of models cost, as far as they were live.
	Spent provider.Spent
	// Stopped says why cases were not begun; "" where all were.
	Stopped string
}

// Run asks the system for every case that the options choose, judges the
// answers and stores all of it. A run that ctx interrupts keeps what has
// finished; the error is then nil and Run.Interrupted set.
func (s *Suite) Run(ctx context.Context, o RunOptions) (*RunReport, error) {
	planned, err := s.choose(o)
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
	store, err := s.Project.Store(context.WithoutCancel(ctx)) // an interrupt is the run's to tell
	if err != nil {
		return nil, err
	}
	defer store.Close()

	plan := run.Plan{
		Started: time.Now(), Scrub: s.Project.scrubber(), Cases: planned, System: sys, Samples: o.Samples, Jobs: o.Jobs,
		Config: s.header(), Evidence: s.evidence(sys), Measure: s.measureBy(judges), Progress: o.Progress,
		Purpose: o.purpose, Remark: o.remark, Services: s.servicesAnswer(), Recorded: s.Records(),
	}
	if o.observe != nil {
		plan.Measure = observed(plan.Measure, o.observe)
	}
	confirming, err := s.limit(ctx, &plan, o, sys, judges, store)
	if err != nil {
		return nil, err
	}
	plan.Progress = o.progress(sys, judges)
	plan.ID = run.NewID(plan.Started)
	report := &RunReport{}
	_, err = s.execute(ctx, plan, store, func(r *run.Run, _ run.Sink) error {
		report.Run = r
		report.Confirmed, report.Unconfirmed = confirming.ids()
		report.Spent, report.Stopped = spentBy(sys)
		report.Recordings = append(s.conclude(sys, r), judges.Conclude(r)...)
		if o.finish == nil {
			return nil
		}
		return o.finish(report)
	})
	if err != nil {
		return nil, err
	}
	report.Unknown = s.unknownIn(sys)
	return report, nil
}

// execute runs a plan into the store. finish has the last word before the run
// counts as finished, and may keep more results.
func (s *Suite) execute(ctx context.Context, plan run.Plan, store *results.Store, finish func(*run.Run, run.Sink) error) (*run.Run, error) {
	// What has finished is kept although ctx is done.
	keep := context.WithoutCancel(ctx)
	writer, lock, err := s.begin(keep, &plan, store)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	plan.Sink = writer
	r, err := run.Execute(ctx, plan)
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	if err := finish(r, writer); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	if err := writer.Finish(keep, r); err != nil {
		return nil, err
	}
	return r, nil
}

// begin enters a run into the store, under its lock, with an id that no other
// run has.
func (s *Suite) begin(ctx context.Context, plan *run.Plan, store *results.Store) (*results.Writer, disk.Lock, error) {
	for {
		lock, err := s.Project.hold(plan.ID)
		if err == nil {
			writer, err := store.Begin(ctx, plan.Run())
			if err == nil {
				return writer, lock, nil
			}
			if err = errors.Join(err, lock.Release()); !errors.Is(err, results.ErrTaken) {
				return nil, nil, err
			}
		} else if held := (*disk.HeldError)(nil); !errors.As(err, &held) {
			return nil, nil, err
		}
		plan.ID = run.NewID(plan.Started) // two runs of one second drew the same
	}
}

// open makes the suite's system ready to answer.
func (s *Suite) open(ctx context.Context) (system.System, error) {
	around := system.Surroundings{Dir: s.Project.Dir, Root: s.Project.root, Mock: s.mock}
	var sys system.System
	var err error
	if s.System.Needs.Door() {
		sys, err = s.openBehind(ctx, around)
	} else {
		sys, err = s.System.Open(ctx, around)
	}
	if err != nil {
		return nil, err
	}
	if s.System.Kind == "canned" && s.instrument.Schema != nil {
		return heldToSchema{sys, s.instrument.Schema}, nil
	}
	return sys, nil
}

func closeSystem(sys system.System) {
	if c, ok := sys.(io.Closer); ok {
		c.Close()
	}
}

func (s *Suite) mock(id string) source.Value {
	if c, ok := s.Case(id); ok {
		return c.Mock
	}
	return source.Value{}
}

// heldToSchema holds canned answers to the contract that live ones are held
// to. An answer that breaks it is a mistake in the case and not a model's
// behaviour, so it is an error instead of a failed check.
type heldToSchema struct {
	system.System
	schema *check.SchemaCheck
}

// Answer returns the canned answer, or an error that says how it breaks the
// contract.
func (h heldToSchema) Answer(ctx context.Context, r system.Request) (output.Output, error) {
	o, err := h.System.Answer(ctx, r)
	if err != nil {
		return output.Output{}, err
	}
	if err := h.hold(ctx, r, &o); err != nil {
		return output.Output{}, err
	}
	return o, nil
}

func (h heldToSchema) hold(ctx context.Context, r system.Request, o *output.Output) error {
	document, has := output.Document(o.Text)
	v, err := h.schema.Judge(ctx, &check.Subject{ID: r.ID, Sample: r.Sample, Input: r.Input, Output: o, Document: document, HasDocument: has})
	if err != nil {
		return err
	}
	if !v.Pass {
		return fmt.Errorf("the canned answer breaks the contract that live answers are held to: %s", v.Message)
	}
	return nil
}

// choose marks the cases that the options leave out. What is left out stays in
// the plan, so that the run knows that it is not whole. The caller must not change
// what it gets.
func (s *Suite) choose(o RunOptions) ([]run.Planned, error) {
	chosen := make(map[string]bool, len(o.Cases))
	for _, id := range o.Cases {
		if _, ok := s.Case(id); !ok {
			return nil, s.noCase(id)
		}
		chosen[id] = true
	}
	planned, whole := s.planned, true
	left := 0
	for i := range planned {
		c := planned[i].Case
		tagged := len(o.Tags) == 0 || slices.ContainsFunc(c.Tags, func(tag string) bool { return slices.Contains(o.Tags, tag) })
		if tagged && (len(o.Cases) == 0 || chosen[c.ID]) {
			left++
			continue
		}
		if whole {
			planned, whole = slices.Clone(planned), false // the suite's own stay as they are
		}
		planned[i].Skip = true
	}
	if left == 0 {
		return nil, fmt.Errorf("no case of suite %s matches: nothing was run", s.Name)
	}
	return planned, nil
}

// noCase says that the suite has no case of that id.
func (s *Suite) noCase(id string) error {
	ids := make([]string, len(s.data.Cases))
	for i, c := range s.data.Cases {
		ids[i] = c.ID
	}
	return fmt.Errorf("no case %q in suite %s%s", id, s.Name, nearest(id, ids))
}

// header is the configuration that a run of the suite has, in the form of a
// baseline's header.
func (s *Suite) header() baseline.Header {
	h := s.System.Identity()
	h.Format, h.Suite, h.Mode, h.Ruler, h.Judges = baseline.Format, s.Name, s.Mode, s.ruler(), s.identities()
	return h
}

func subject(p run.Planned) *measure.Subject {
	c := p.Case
	return &measure.Subject{ID: c.ID, Version: c.Version, Input: c.Input, InputHash: c.InputHash, ExpectHash: c.ExpectHash, Checks: p.Checks}
}

// runs chooses the stored runs that the suite is about: those of its mode and,
// where a person named the system, of that system alone; else those that were
// asked for, of any.
func (s *Suite) runs() results.Filter {
	f := results.Filter{Suite: s.Name, Mode: s.Mode, Asked: !s.named}
	if s.named {
		f.System = s.System.Name
	}
	return f
}

// ErrNoRun says that nothing was run yet that could be compared, and that docket
// does not run it unasked, since it would start a program or ask a model.
var ErrNoRun = errors.New("no run")

// Latest returns the run that a comparison is about: the last one of the
// suite's mode, and of the system where one was named, that proposes lines. Where the system of that run is a file of outputs or
// canned answers and no program has to be started, a new one is made whenever
// what it depends on has changed since; made says so. Where there is none and
// none can be made the error wraps ErrNoRun.
func (s *Suite) Latest(ctx context.Context, progress func(done, total int)) (r *run.Run, made bool, err error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, false, err
	}
	last, err := s.lastRun(ctx, store)
	store.Close()
	switch {
	case errors.Is(err, results.ErrNone):
		last = nil
	case err != nil:
		return nil, false, err
	case s.pending(last):
		return last, false, nil // it waits for decisions, whatever else could be run
	case last != nil && last.Purpose == run.Imported:
		return last, false, nil // a person took it in to be compared
	}
	asked := s.asked(last)
	if asked == nil {
		return last, false, nil
	}
	evidence, err := asked.evidenceNow(ctx)
	s.unknown = asked.unknown
	switch {
	case err != nil:
		return nil, false, err
	case last != nil && (evidence == "" || last.Evidence == evidence):
		return last, false, nil
	case evidence == "":
		return nil, false, fmt.Errorf("suite %s has %w with mode %s yet: make one with `%s`", s.Name, ErrNoRun, s.Mode, s.Command("run"))
	}
	o := RunOptions{Progress: progress}
	if s.named && s.System.Name != s.Config.System {
		o.purpose = run.Shown // is looked at, and not what later commands without a name are about
	}
	report, err := asked.Run(ctx, o)
	if err != nil {
		return nil, false, err
	}
	if report.Run.Interrupted {
		return nil, false, context.Canceled
	}
	return report.Run, true, nil
}

// asked is the suite with the system of its last run, which need not be its
// own: what a person ran by name is what they look at next. It is nil where the
// configuration has no such system any more, or not one that answers in this
// mode, so that the run stands as it is.
func (s *Suite) asked(last *run.Run) *Suite {
	if last == nil {
		return s
	}
	return s.under(last.Config.System)
}

// evidenceNow is the evidence that a run made now would have. Only what
// answers from files is opened for it: a program, or what models say, is not
// known beforehand, and need not be on the machine of whoever looks at a diff.
func (s *Suite) evidenceNow(ctx context.Context) (string, error) {
	if s.System.Kind != "canned" && s.System.Kind != "outputs" {
		return "", nil
	}
	sys, err := s.open(ctx)
	if err != nil {
		return "", err
	}
	defer closeSystem(sys)
	s.unknown = s.unknownIn(sys)
	return s.evidence(sys), nil
}

// StoredRun returns the run of that id, to be compared with the suite's
// baseline. It is an error for a run of another suite or mode, and for one that
// proposes no line.
func (s *Suite) StoredRun(ctx context.Context, id string) (*run.Run, error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	r, err := store.Run(ctx, id)
	switch {
	case errors.Is(err, results.ErrNone):
		return nil, fmt.Errorf("no run %q in %s: `docket run` prints the id of each run", id, s.Project.Config.Results)
	case err != nil:
		return nil, err
	case r.Config.Suite != s.Name:
		return nil, fmt.Errorf("run %s is of suite %s, not of %s: say `docket diff %s --run %s`", id, r.Config.Suite, s.Name, r.Config.Suite, id)
	case r.Config.Mode != s.Mode:
		// Its lines must not get into the baseline of another mode.
		mend := "--mode " + r.Config.Mode
		if r.Config.System != s.System.Name {
			mend += " --system " + safetext.Word(r.Config.System)
		}
		return nil, fmt.Errorf("run %s was made with mode %s, and the baseline of mode %s is meant: say %s", id, r.Config.Mode, s.Mode, mend)
	case r.Purpose == run.Again:
		return nil, fmt.Errorf("run %s counted false alarms and proposes nothing: make one that does with `%s`", id, s.Command("run"))
	case r.Purpose == run.Capture:
		return nil, fmt.Errorf("run %s made lines of the baseline and proposes nothing: make one that does with `%s`", id, s.Command("run"))
	}
	return r, nil
}

// BaselinePath is the baseline's path as people type it: relative to the
// configuration, with slashes.
func (s *Suite) BaselinePath() string {
	return path.Join("baselines", s.Name, s.Mode+".jsonl")
}
