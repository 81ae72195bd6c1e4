package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/diff"
	"docket/engine/measure"
	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/run"
)

// A Rescoring is what judging a baseline again came to.
type Rescoring struct {
	Run *run.Run
	// Changed says in what the ruler is another: the judges by name, "ruler" for
	// labels, settings and versions of checks, and how many expectations.
	Changed []string
	// Kept are the cases, sorted, whose line stays as it was: their answers are
	// not on this machine, or the case has another input by now.
	Kept []string
	// Withdrawn are the cases, sorted, whose answers are not on this machine and
	// on which a judge ruled that is another by now. Their lines lose that
	// verdict, since the header would claim it for a judge that did not give it.
	Withdrawn []string
	Notes     []string // of the judges
}

// Rescore judges the answers behind the baseline again, by the ruler of today:
// no system is asked, so that every difference is the ruler's. The run that it
// stores proposes to take the whole baseline's place, header included, and is
// reviewed and written as a recapture is. It is consent to ask the judges of the
// suite, for money where they are live.
func (s *Suite) Rescore(ctx context.Context, reason string, jobs int, progress func(done, total int)) (*Rescoring, error) {
	base, err := s.Baseline()
	switch {
	case errors.Is(err, ErrNoBaseline):
		return nil, fmt.Errorf("there is no baseline to judge again: `%s` writes the first one", s.Command("calibrate"))
	case err != nil:
		return nil, err
	case strings.TrimSpace(reason) == "":
		return nil, errors.New("judging a baseline again needs a reason: add --reason TEXT")
	}
	report := &Rescoring{Changed: s.otherRuler(base)}
	if n := s.reasked(base); n > 0 {
		report.Changed = append(report.Changed, "the "+phrase.Count(n, "expectation", "expectations"))
	}
	if len(report.Changed) == 0 {
		return nil, fmt.Errorf("nothing that judges has changed since the baseline of %s: the same answers would get the same verdicts", s.Name)
	}
	store, err := s.Project.Store(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	judges, err := s.sit(ctx)
	if err != nil {
		return nil, err
	}
	defer judges.Close()
	answers := &answered{suite: s, store: store, base: base}
	planned := answers.plan(ctx, report)
	config := base.Header
	config.Ruler, config.Judges = s.ruler(), s.identities()
	plan := run.Plan{
		Started: time.Now(), Cases: planned, System: answers, Jobs: jobs, Config: config, Progress: progress,
		Measure: answers.measure(s.measureBy(judges)), Purpose: run.Rescore, Remark: strings.TrimSpace(reason), Scrub: s.Project.scrubber(),
		Recorded: s.answers.judges == provider.Record,
	}
	plan.ID = run.NewID(plan.Started)
	_, err = s.execute(ctx, plan, store, func(r *run.Run, sink run.Sink) error {
		if err := answers.keep(context.WithoutCancel(ctx), sink, r, slices.Concat(report.Kept, report.Withdrawn)); err != nil {
			return err
		}
		samples := r.Config.Samples
		r.Config = config // what answered is what answered then
		r.Config.Samples = max(samples, config.Samples)
		report.Run, report.Notes = r, judges.Conclude(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}

// keep puts the lines that stay, or lose a verdict, into the run, so that it is
// whole.
func (a *answered) keep(ctx context.Context, sink run.Sink, r *run.Run, ids []string) error {
	for _, id := range ids {
		at, _ := a.base.Find(id)
		kept := run.Result{ID: id, Outcome: run.Measured, Line: a.base.Lines[at].Bytes}
		if line, err := a.base.Line(at); err == nil {
			kept.Version = line.Version
		}
		if without := a.without[id]; without != nil {
			kept.Line = without
		}
		if err := sink.Put(ctx, kept); err != nil {
			return err
		}
		r.Results = append(r.Results, kept)
	}
	slices.SortFunc(r.Results, func(x, y run.Result) int { return strings.Compare(x.ID, y.ID) })
	return nil
}

// otherRuler names what judges otherwise than it did when the baseline was
// captured; nothing where the rulers are one.
func (s *Suite) otherRuler(base *baseline.File) []string {
	var names []string
	if base.Header.Ruler != s.ruler() {
		names = append(names, "ruler")
	}
	now := s.identities()
	for _, j := range s.judges {
		if base.Header.Judges[j.Name] != now[j.Name] {
			names = append(names, diff.JudgeField(j.Name))
		}
	}
	return names
}

// reasked counts the lines of the baseline whose case expects something else by
// now of the same input.
func (s *Suite) reasked(base *baseline.File) int {
	n := 0
	for i := range base.Lines {
		line, err := base.Line(i)
		c, known := s.Case(base.Lines[i].ID)
		if err != nil || !known || line.Input != c.InputHash {
			continue
		}
		if line.Expect != c.ExpectHash || len(diff.Reasked(line.Params, measure.Params(s.checksOf(c.ID)))) > 0 {
			n++
		}
	}
	return n
}

// checksOf are the checks of a case.
func (s *Suite) checksOf(id string) []check.Compiled {
	at, ok := slices.BinarySearchFunc(s.planned, id, func(p run.Planned, id string) int { return strings.Compare(p.Case.ID, id) })
	if !ok {
		return nil
	}
	return s.planned[at].Checks
}

// Keeps spells the cases whose line stays, for people.
func (r *Rescoring) Keeps() string {
	if len(r.Kept) == 0 {
		return ""
	}
	return phrase.Count(len(r.Kept), "line stays as it was", "lines stay as they were") + ", since the answers are not here or the case asks of another input by now: " + phrase.Few(phrase.Quoted(r.Kept), 5)
}

// Withdraws spells the cases that lose a verdict, for people.
func (r *Rescoring) Withdraws() string {
	if len(r.Withdrawn) == 0 {
		return ""
	}
	return phrase.Count(len(r.Withdrawn), "line loses its judge's verdict", "lines lose their judge's verdict") + ", since the answers are not here for the judge of today: " + phrase.Few(phrase.Quoted(r.Withdrawn), 5)
}
