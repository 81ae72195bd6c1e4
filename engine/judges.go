package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/judge"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/provider"
	"docket/engine/recording"
	"docket/engine/run"
	"docket/engine/source"
)

// compileJudges compiles the judges that some case of the suite asks.
func (s *Suite) compileJudges() source.Problems {
	asked := map[string]bool{}
	for i := range s.planned {
		for _, c := range s.planned[i].Checks {
			if name := check.JudgeOf(c.Check); name != "" {
				asked[name] = true
			}
		}
	}
	var problems source.Problems
	for _, named := range s.Project.Config.Judges {
		if !asked[named.Name] {
			continue
		}
		j, more := judge.Compile(named.Name, named.Value, s.Project.root)
		if problems = append(problems, more...); j != nil {
			s.judges = append(s.judges, j)
		}
	}
	return problems
}

// unfit says why a judge of the suite must not judge its system.
func (s *Suite) unfit() source.Problems {
	var problems source.Problems
	for _, j := range s.judges {
		refusal, warning := j.Against(s.System.Model)
		if refusal != "" {
			problems = append(problems, source.Problem{Position: j.At, Message: refusal})
		}
		if warning != "" {
			s.cautions = append(s.cautions, warning)
		}
	}
	return problems
}

// judgeNames are the judges that the configuration declares.
func (p *Project) judgeNames() []string {
	var names []string
	for _, named := range p.Config.Judges {
		names = append(names, named.Name)
	}
	return names
}

// identities are the judges of the suite as a header names them; nil for none.
func (s *Suite) identities() map[string]string {
	if len(s.judges) == 0 {
		return nil
	}
	all := map[string]string{}
	for _, j := range s.judges {
		all[j.Name] = j.Identity()
	}
	return all
}

// Cautions are what a person should know of how the suite is judged, before a
// run.
func (s *Suite) Cautions() []string { return s.cautions }

// asksJudge reports whether measuring the suite asks a model for verdicts, so
// that it is not done unasked.
func (s *Suite) asksJudge() bool {
	return len(s.judges) > 0 && (s.answers.judges == provider.Live || s.answers.judges == provider.Record)
}

// A panel is the judges of a suite while it is measured. The zero panel asks
// nobody.
type panel struct {
	bench *judge.Bench
	tapes []*recording.Store
	roots []*os.Root
}

// judgesFor is who answers for judges where nobody said: who answers for models,
// but recordings where the system's answers stand already and a judge's verdicts
// on them were recorded.
func (s *Suite) judgesFor(models provider.Who) provider.Who {
	if models != provider.Live || s.System.Kind != "outputs" {
		return models
	}
	folder := filepath.Join(s.Project.Dir, filepath.FromSlash(s.Config.Cases), recording.Folder)
	for _, j := range s.judges {
		for _, name := range j.Needs().Providers {
			if found, err := filepath.Glob(filepath.Join(folder, name, "judge-"+strings.ToLower(j.Name)+"-*")); err != nil || len(found) == 0 {
				return models
			}
		}
	}
	return provider.Replay
}

// AnswerJudges settles who answers for judges: mock, replay, live or record; ""
// leaves it to the mode.
func (s *Suite) AnswerJudges(who string) error {
	switch provider.Who(who) {
	case "":
		return nil
	case provider.Mock, provider.Replay, provider.Live, provider.Record:
	default:
		return fmt.Errorf("nobody is called %q who could answer for judges: say mock, replay, live or record", who)
	}
	if len(s.judges) == 0 {
		return fmt.Errorf("no case of suite %s has a rubric, so that no judge is asked: leave out --judges %s", s.Name, who)
	}
	s.answers.judges = provider.Who(who)
	return nil
}

// sit opens the judges of the suite.
func (s *Suite) sit(ctx context.Context) (*panel, error) {
	p := &panel{}
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

// notes say what the judges did, a line each; none where none was asked.
func (p *panel) notes() []string {
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
	return []string{text}
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

// blind tells the checks that do not compare, since another judge made them
// than the one of the other side; nil where there are none.
func (s *Suite) blind(old, new map[string]string) func(id, name string) bool {
	others := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if other, both := new[name]; both && other != old[name] {
			others[name] = true
		}
	}
	if len(others) == 0 {
		return nil
	}
	asks := map[string]map[string]bool{} // by case, the checks
	for i := range s.planned {
		for _, c := range s.planned[i].Checks {
			if others[check.JudgeOf(c.Check)] {
				id := s.planned[i].Case.ID
				if asks[id] == nil {
					asks[id] = map[string]bool{}
				}
				asks[id][c.Check.Name()] = true
			}
		}
	}
	return func(id, name string) bool { return asks[id][name] }
}
