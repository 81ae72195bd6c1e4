// Package measure judges the outputs of one case and folds its samples into
// the one line that a baseline would hold of them.
//
// It does not run systems, read files or compare with a baseline, and it
// cannot tell who answered.
package measure

import (
	"context"
	"fmt"
	"slices"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/run"
)

// An Instrument is what a suite measures with besides each case's own checks.
// It may be used by several goroutines.
type Instrument struct {
	Projections *projection.Set
	// Schema holds every output to the tools and the output schema that the
	// system declares; nil where it declares none.
	Schema *check.SchemaCheck
	// Panel asks the judges of rubrics; nil where none sit, and rubrics stay
	// unscored.
	Panel check.Panel
}

// A Subject is a case as far as measuring it needs.
type Subject struct {
	ID         string
	Version    int
	Input      map[string]any
	InputHash  string
	ExpectHash string
	Checks     []check.Compiled
}

// Case judges each sample that succeeded and folds all of them into a line.
// It returns the line and fills in the verdicts of the samples. An error says
// that a judgement could not be made; the case is then an error, neither a
// pass nor a failure. There must be at least one sample without an error.
func (in *Instrument) Case(ctx context.Context, s *Subject, samples []run.Sample) (*baseline.Line, error) {
	line := &baseline.Line{ID: s.ID, Version: s.Version, Input: s.InputHash, Expect: s.ExpectHash}
	var (
		projected []map[string]any
		tallies   = newTallies(len(s.Checks) + 1)
		passed    int
		total     float64
		judged    int
		scored    int
		prepared  = in.Projections.Prepare(s.Input)
	)
	for i := range samples {
		sample := &samples[i]
		if sample.Error != "" {
			continue
		}
		document, has := output.Document(sample.Output.Text)
		projected = append(projected, in.Projections.Project(&projection.Subject{
			Input: s.Input, Output: &sample.Output, Document: document, HasDocument: has, Prepared: prepared,
		}))
		verdicts, err := in.judge(ctx, s.Checks, sample.Checks, &check.Subject{
			ID: s.ID, Sample: sample.Number, Input: s.Input,
			Output: &sample.Output, Document: document, HasDocument: has, Panel: in.Panel,
		})
		if err != nil {
			return nil, err
		}
		others, scores := given(sample)
		verdicts = append(verdicts, others...)
		sample.Checks = verdicts
		tallies.add(scores)
		if len(verdicts) == 0 {
			continue
		}
		sample.Pass, sample.Score = combine(verdicts)
		if sample.Pass != nil {
			judged++
			if *sample.Pass {
				passed++
			}
		}
		if sample.Score != nil {
			total += *sample.Score
			scored++
		}
		tallies.add(verdicts)
	}
	if len(projected) == 0 {
		return nil, fmt.Errorf("case %q has no sample that succeeded", s.ID)
	}
	line.Samples = len(projected)
	line.Projections, line.Unstable = in.Projections.Fold(projected)
	if judged > 0 {
		line.Pass = &baseline.Tally{Passed: passed, Of: judged}
	}
	if scored > 0 {
		mean := total / float64(scored)
		line.Score = &mean
	}
	if judged+scored > 0 {
		line.Params = Params(s.Checks)
	}
	line.Unscored = tallies.unscored
	if len(tallies.checks) > 0 {
		line.Checks = tallies.checks
	}
	line.Outputs = run.OutputsHash(samples)
	return line, nil
}

// judge runs the schema, then every check of the case: all of them always, so
// that a person sees all that failed at once.
//
// What a judge said of this very output before is not asked again: known holds
// the verdicts of a sample that was stored, under the judges of its run.
func (in *Instrument) judge(ctx context.Context, checks []check.Compiled, known []run.Verdict, subject *check.Subject) ([]run.Verdict, error) {
	verdicts := make([]run.Verdict, 0, len(checks)+1)
	judge := func(c check.Check) error {
		v, err := c.Judge(ctx, subject)
		if err != nil {
			return fmt.Errorf("check %s could not be made: %w", c.Name(), err)
		}
		verdicts = append(verdicts, run.Verdict{Check: c.Name(), Pass: v.Pass, Score: v.Score, Message: v.Message, Unscored: v.Unscored})
		return nil
	}
	if in.Schema != nil {
		if err := judge(in.Schema); err != nil {
			return nil, err
		}
	}
	for _, c := range checks {
		if at := slices.IndexFunc(known, func(v run.Verdict) bool { return v.Check == c.Check.Name() && v.Unscored == "" }); at >= 0 && check.JudgeOf(c.Check) != "" {
			verdicts = append(verdicts, known[at])
			continue
		}
		if err := judge(c.Check); err != nil {
			return nil, err
		}
	}
	return verdicts, nil
}

// combine folds a sample's verdicts: it passes when all do, its score is their
// mean. A verdict that a judge did not give enters no mean, and leaves open
// whether the sample passes unless another check fails; nil is what is not known.
func combine(verdicts []run.Verdict) (pass *bool, score *float64) {
	all, open, total, n := true, false, 0.0, 0
	for _, v := range verdicts {
		if v.Unscored != "" {
			open = true
			continue
		}
		all = all && v.Pass
		total += v.Score
		n++
	}
	if n > 0 {
		mean := total / float64(n)
		score = &mean
	}
	if !open || !all {
		pass = &all
	}
	return pass, score
}

// Params returns what a line holds of what checks ask, by their names; nil for
// no check.
func Params(checks []check.Compiled) map[string]string {
	if len(checks) == 0 {
		return nil
	}
	all := make(map[string]string, len(checks))
	for _, c := range checks {
		if c.Params != "" {
			all[c.Check.Name()] = c.Params
		}
	}
	return all
}

// tallies counts verdicts by check over the samples.
type tallies struct {
	checks   map[string]baseline.Check
	unscored map[string]int // nil for none
}

func newTallies(size int) *tallies {
	return &tallies{checks: make(map[string]baseline.Check, size)}
}

func (t *tallies) add(verdicts []run.Verdict) {
	for _, v := range verdicts {
		if v.Unscored != "" {
			if t.unscored == nil {
				t.unscored = map[string]int{}
			}
			t.unscored[v.Check]++
			continue
		}
		c, seen := t.checks[v.Check]
		if !seen {
			c.Low, c.High = v.Score, v.Score
		}
		c.Of++
		if v.Pass {
			c.Passed++
		}
		c.Low, c.High = min(c.Low, v.Score), max(c.High, v.Score)
		t.checks[v.Check] = c
	}
}
