package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"

	"docket/engine/baseline"
	"docket/engine/judge"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/panel"
	"docket/engine/recording"
	"docket/engine/run"
)

// sit opens the judges of the suite.
func (s *Suite) sit(ctx context.Context) (*panel.Panel, error) {
	return panel.Sit(ctx, panel.Config{
		Judges: s.judges, Who: s.answers.judges, KeyHosts: s.KeyHosts, Canned: s.cannedVerdict,
		Recordings: func() (*os.Root, recording.Options, error) { return s.Project.recordings(s.Config) },
	})
}

// cannedVerdict returns what stands in a case for what a judge answers.
func (s *Suite) cannedVerdict(name string) ([]output.Output, error) {
	_, id, _ := judge.Judged(name)
	c, ok := s.Case(id)
	if !ok || c.MockVerdicts.IsZero() {
		return nil, errors.New("this case has no canned verdict; write one under mock_verdicts, such as mock_verdicts: pass")
	}
	answers, problems := judge.CompileMock(c.MockVerdicts)
	return answers, problems.Err()
}

// measureBy measures with the judges of a panel.
func (s *Suite) measureBy(p *panel.Panel) run.Measure {
	in := *s.instrument
	p.Join(&in)
	return func(ctx context.Context, planned run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		return measured(ctx, &in, planned, samples)
	}
}

// measured judges the samples of one case and folds them into its line.
func measured(ctx context.Context, in *measure.Instrument, p run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
	judged := slices.Clone(samples)
	line, err := in.Case(ctx, subject(p), judged)
	if err != nil {
		return nil, nil, err
	}
	// The lines of a whole run are in memory at once: each in no more than it needs.
	return bytes.Clone(baseline.AppendLine(make([]byte, 0, 1024), line)), judged, nil
}
