package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"docket/engine/baseline"
	"docket/engine/judge"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/run"
)

// A panel is the judges of a suite while it is measured. The zero panel asks
// nobody.
type panel struct {
	bench  *judge.Bench
	judges []*judge.Judge
	who    provider.Who // that answers for them
	tapes  []*recording.Store
	roots  []*os.Root
}

// sit opens the judges of the suite.
func (s *Suite) sit(ctx context.Context) (*panel, error) {
	p := &panel{judges: s.judges, who: s.answers.judges}
	if len(s.judges) == 0 {
		return p, nil
	}
	bench, err := judge.Sit(ctx, s.judges, func(j *judge.Judge) (*provider.Door, error) {
		root, options, err := s.Project.recordings(s.Config)
		if err != nil {
			return nil, err
		}
		tape := recording.Open(root, options)
		p.roots, p.tapes = append(p.roots, root), append(p.tapes, tape)
		needs := j.Needs()
		config := provider.Config{
			Models: s.answers.judges, Canned: s.cannedVerdict, Tape: tape,
			Prices: needs.Prices, Timeout: needs.Timeout, KeyHosts: s.KeyHosts,
		}
		if needs.BaseURL != "" {
			config.BaseURLs = map[string]string{needs.Providers[0]: needs.BaseURL}
		}
		return provider.Open(config)
	})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.bench = bench
	return p, nil
}

// Close lets the judges go, and their recordings.
func (p *panel) Close() error {
	var errs []error
	if p.bench != nil {
		errs = append(errs, p.bench.Close())
	}
	for i := range p.tapes {
		errs = append(errs, p.tapes[i].Close(), p.roots[i].Close())
	}
	return errors.Join(errs...)
}

// spent is what the judges have cost so far, as far as they are live.
func (p *panel) spent() provider.Spent {
	if p.bench == nil {
		return provider.Spent{}
	}
	return p.bench.Tally().Spent
}

// conclude notes in a run who answered for its judges, and returns what a person
// should know of it, a line each; none where no judge was asked. A whole
// recording leaves no verdict on a sample of an earlier one that took more.
func (p *panel) conclude(r *run.Run) []string {
	if p.bench == nil {
		return nil
	}
	t := p.bench.Tally()
	if t.Asked == 0 {
		return nil
	}
	text := phrase.Count(t.Asked, "verdict", "verdicts") + " asked of judges"
	if t.Retried > 0 {
		text += fmt.Sprintf(", %d asked again since the first answer could not be read", t.Retried)
	}
	if t.Unscored > 0 {
		text += fmt.Sprintf(", %d not given: these count neither as passed nor as failed", t.Unscored)
	}
	if t.Spent.USD > 0 {
		text += fmt.Sprintf(", $%.4f", t.Spent.USD)
	}
	notes := []string{text}
	for i, j := range p.judges {
		from := run.Source{Name: judgeSource(j.Name), Calls: p.bench.Spent(j.Name).Calls, USD: p.bench.Spent(j.Name).USD}
		switch p.who {
		case provider.Replay:
			from.Answered = run.Replayed
			for _, used := range p.tapes[i].Used() {
				from.Oldest = used.Oldest
			}
		case provider.Record:
			from.Answered = run.Recorded
			notes = append(notes, p.trim(i, r)...)
		case provider.Live:
			from.Answered = run.Live
		default:
			continue // canned verdicts are nobody's
		}
		r.AddSources([]run.Source{from})
	}
	return notes
}

// judgeSource is the name of a judge among those who answered in a run.
func judgeSource(name string) string { return "judge " + name }

// trim removes what an earlier recording has of samples that a whole one did not
// take.
func (p *panel) trim(at int, r *run.Run) []string {
	if r.Interrupted {
		return nil
	}
	for i := range r.Results {
		if r.Results[i].Outcome != run.Measured {
			continue
		}
		for _, name := range p.judges[at].Needs().Providers {
			for _, id := range judge.Recorded(p.judges[at].Name, r.Results[i].ID) {
				if err := p.tapes[at].Trim(name, id, r.Config.Samples); err != nil {
					return []string{fmt.Sprintf("verdicts of an earlier recording are left beside these: %v", err)}
				}
			}
		}
	}
	return nil
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
func (s *Suite) measureBy(p *panel) measuring {
	in := *s.instrument
	if p.bench != nil {
		in.Panel = p.bench
	}
	return func(ctx context.Context, planned run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		return measured(ctx, &in, planned, samples)
	}
}

// measuring judges the samples of a case, and returns its line and the samples
// with their verdicts.
type measuring = func(context.Context, run.Planned, []run.Sample) ([]byte, []run.Sample, error)

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
