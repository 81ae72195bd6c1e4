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
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/system"
)

// A Rescoring is what judging a baseline again came to.
type Rescoring struct {
	Run *run.Run
	// Changed says in what the ruler is another: the judges by name, and "ruler"
	// for labels, settings and versions of checks.
	Changed []string
	// Kept are the cases, sorted, whose line stays as it was: their answers are
	// not on this machine, and no judge has a say in them, or nothing of theirs
	// could be measured again.
	Kept  []string
	Notes []string // of the judges
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
		Measure: answers.measure(s.measureBy(judges)), Purpose: run.Rescore, Remark: strings.TrimSpace(reason), Scrub: scrub(),
	}
	plan.ID = run.NewID(plan.Started)
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
	if err := answers.keep(keep, writer, r, report.Kept); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	samples := r.Config.Samples
	r.Config = config // what answered is what answered then
	r.Config.Samples = max(samples, config.Samples)
	report.Run, report.Notes = r, judges.notes()
	return report, writer.Finish(keep, r)
}

// keep puts the lines that stay into the run, so that it is whole.
func (a *answered) keep(ctx context.Context, writer *results.Writer, r *run.Run, ids []string) error {
	for _, id := range ids {
		at, _ := a.base.Find(id)
		kept := run.Result{ID: id, Outcome: run.Measured, Line: a.base.Lines[at].Bytes}
		if line, err := a.base.Line(at); err == nil {
			kept.Version = line.Version
		}
		if err := writer.Put(ctx, kept); err != nil {
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

// lacks is what Unready says of a case whose answers are not here.
const lacks = "the answers behind its line are not on this machine, so that the judge cannot judge them again"

// found returns the answers behind a line of the baseline, none where they are
// not here, or where the line is not what was measured but what a person made
// of it: a part accepted, a set allowed. untouched says that nobody has decided
// on it.
func (s *Suite) found(ctx context.Context, store *results.Store, base *baseline.File, raw []byte, line *baseline.Line, untouched bool) []run.Sample {
	if line.Outputs == "" {
		return nil
	}
	if samples := succeeded(behind(ctx, store, s.Name, line.ID, raw, line.Outputs)); len(samples) > 0 || !untouched {
		return samples
	}
	for _, file := range s.answered(ctx, base.Header.System) {
		if samples := samplesIn(ctx, file, line.ID); run.OutputsHash(samples) == line.Outputs {
			return succeeded(samples)
		}
	}
	return nil
}

// Keeps spells the cases whose line stays, for people.
func (r *Rescoring) Keeps() string {
	if len(r.Kept) == 0 {
		return ""
	}
	return phrase.Count(len(r.Kept), "line stays as it was", "lines stay as they were") + ", since the answers are not here or the case is another by now: " + phrase.Few(phrase.Quoted(r.Kept), 5)
}

// answered is a system that has answered: it gives the answers behind the lines
// of a baseline.
type answered struct {
	suite   *Suite
	store   *results.Store
	base    *baseline.File
	lines   map[string]*baseline.Line
	samples map[string][]run.Sample
}

// plan finds the answers of each line, and notes the lines that stay. A case of
// which a judge has a say and whose answers are not here is an error of the run:
// the header would name a judge that did not judge it.
func (a *answered) plan(ctx context.Context, report *Rescoring) []run.Planned {
	a.lines, a.samples = map[string]*baseline.Line{}, map[string][]run.Sample{}
	decided, err := decision.Read(disk.OS{}, a.suite.Project.Dir, a.suite.Name)
	byID := map[string]run.Planned{}
	for _, p := range a.suite.planned {
		byID[p.Case.ID] = p
	}
	var planned []run.Planned
	for i := range a.base.Lines {
		id := a.base.Lines[i].ID
		line, wrong := a.base.Line(i)
		p, known := byID[id]
		if wrong != nil || !known || line.Input != p.Case.InputHash || line.Expect != p.Case.ExpectHash {
			report.Kept = append(report.Kept, id)
			continue
		}
		untouched := err == nil && len(decided.Of(id)) == 0
		samples := a.suite.found(ctx, a.store, a.base, a.base.Lines[i].Bytes, &line, untouched)
		judged := slices.ContainsFunc(p.Checks, func(c check.Compiled) bool { return check.JudgeOf(c.Check) != "" })
		if len(samples) == 0 && !judged {
			report.Kept = append(report.Kept, id)
			continue
		}
		for j := range samples {
			samples[j].Checks = nil // what was said of it is to be said anew
		}
		a.lines[id], a.samples[id] = &line, samples
		planned = append(planned, p)
	}
	return planned
}

// Samples are the numbers of the samples of a case.
func (a *answered) Samples(id string) []int {
	var numbers []int
	for _, s := range a.samples[id] {
		numbers = append(numbers, s.Number)
	}
	if numbers == nil {
		return []int{1} // which Answer refuses
	}
	return numbers
}

// Answer implements system.System.
func (a *answered) Answer(_ context.Context, r system.Request) (output.Output, error) {
	for _, s := range a.samples[r.ID] {
		if s.Number == r.Sample {
			return s.Output, nil
		}
	}
	return output.Output{}, errors.New(lacks)
}

// measure measures as by does. What a line says of when and on what it was
// measured stays, since that is as it was.
func (a *answered) measure(by measuring) measuring {
	return func(ctx context.Context, p run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		raw, judged, err := by(ctx, p, samples)
		if err != nil {
			return nil, nil, err
		}
		line, err := baseline.ParseLine(raw)
		if err != nil {
			return nil, nil, err
		}
		old := a.lines[p.Case.ID]
		line.Captured, line.Outputs = old.Captured, old.Outputs
		return baseline.AppendLine(nil, &line), judged, nil
	}
}
