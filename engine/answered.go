package engine

import (
	"context"
	"errors"
	"maps"
	"slices"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/output"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/system"
)

// answered is a system that has answered: it gives the answers behind the lines
// of a baseline.
type answered struct {
	suite   *Suite
	store   *results.Store
	base    *baseline.File
	lines   map[string]*baseline.Line
	samples map[string][]run.Sample
	without map[string][]byte // lines that lose a verdict
}

// plan finds the answers of each line, and notes the lines that stay or lose a
// verdict.
func (a *answered) plan(ctx context.Context, report *Rescoring) []run.Planned {
	a.lines, a.samples, a.without = map[string]*baseline.Line{}, map[string][]run.Sample{}, map[string][]byte{}
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
		if wrong != nil || !known || line.Input != p.Case.InputHash {
			report.Kept = append(report.Kept, id)
			continue
		}
		untouched := err == nil && len(decided.Of(id)) == 0
		samples := a.suite.found(ctx, a.store, a.base, a.base.Lines[i].Bytes, &line, untouched)
		anew := a.anew(&line, p.Checks)
		if len(samples) == 0 {
			if without, lost := withdrawn(&line, a.foreign(p.Checks)); lost {
				a.without[id], report.Withdrawn = without, append(report.Withdrawn, id)
			} else {
				report.Kept = append(report.Kept, id)
			}
			continue
		}
		for j := range samples {
			samples[j].Checks = slices.DeleteFunc(samples[j].Checks, func(v run.Verdict) bool { return anew[v.Check] })
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
	return numbers
}

// Answer implements system.System.
func (a *answered) Answer(_ context.Context, r system.Request) (output.Output, error) {
	for _, s := range a.samples[r.ID] {
		if s.Number == r.Sample {
			return s.Output, nil
		}
	}
	return output.Output{}, errors.New("the baseline has no such sample")
}

// anew are the checks of a case on which a judge is asked again, by name: the
// judge is another than the one of the baseline, or its rubric is. What the same
// judge said of the same answer by the same rubric stands: asked again it might
// say something else, and that would be no change of the ruler.
func (a *answered) anew(line *baseline.Line, checks []check.Compiled) map[string]bool {
	names := a.foreign(checks)
	for _, c := range checks {
		if name := c.Check.Name(); check.JudgeOf(c.Check) != "" && line.Params[name] != c.Params {
			names[name] = true
		}
	}
	return names
}

// foreign are the checks of a case, by name, whose judge is another than the one
// of the baseline.
func (a *answered) foreign(checks []check.Compiled) map[string]bool {
	now, names := a.suite.identities(), map[string]bool{}
	for _, c := range checks {
		if judge := check.JudgeOf(c.Check); judge != "" && a.base.Header.Judges[judge] != now[judge] {
			names[c.Check.Name()] = true
		}
	}
	return names
}

// withdrawn is a line without the verdicts of checks of a judge that is another
// by now; false where it has none of them. Whether it passes is then not known,
// unless another check fails.
func withdrawn(line *baseline.Line, foreign map[string]bool) ([]byte, bool) {
	proposed := *line
	proposed.Checks, proposed.Unscored = maps.Clone(line.Checks), map[string]int{}
	maps.Copy(proposed.Unscored, line.Unscored)
	accepted := decision.Parts{Checks: map[string]bool{}}
	for name := range line.Checks {
		if foreign[name] {
			accepted.Checks[name] = true
			delete(proposed.Checks, name)
			proposed.Unscored[name] = line.Samples
		}
	}
	if len(accepted.Checks) == 0 {
		return nil, false
	}
	mixed, err := decision.Mix(line, &proposed, accepted)
	if err != nil {
		return nil, false
	}
	if mixed.Pass != nil && mixed.Pass.All() {
		mixed.Pass = nil
	}
	return baseline.AppendLine(nil, &mixed), true
}

// measure measures as by does. What a line says of when and on what it was
// measured stays, since that is as it was.
func (a *answered) measure(by run.Measure) run.Measure {
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
