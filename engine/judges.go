package engine

import (
	"fmt"
	"slices"

	"docket/engine/check"
	"docket/engine/judge"
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

// judgesFor is who answers for judges where nobody said: who answers for models,
// but recordings where the system's answers stand already and some verdict of
// each judge on them was recorded.
func (s *Suite) judgesFor(models provider.Who) provider.Who {
	if models != provider.Live || s.System.Kind != "outputs" || len(s.judges) == 0 {
		return models
	}
	root, options, err := s.Project.recordings(s.Config)
	if err != nil {
		return models // told by whatever opens the recordings
	}
	defer root.Close()
	tape := recording.Open(root, options)
	for _, j := range s.judges {
		recorded := func(p run.Planned) bool {
			numbers, err := tape.Samples(judge.CaseID(j.Name, p.Case.ID))
			return err == nil && len(numbers) > 0
		}
		if !slices.ContainsFunc(s.planned, recorded) {
			return models
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
		return fmt.Errorf("judges cannot be answered by %q: say mock, replay, live or record", who)
	}
	if len(s.judges) == 0 {
		return fmt.Errorf("no case of suite %s has a rubric, so that no judge is asked: leave out --judges %s", s.Name, who)
	}
	s.answers.judges = provider.Who(who)
	return nil
}

// blind tells the checks that do not compare, since another judge made them
// than the one of the other side, or one that the other side does not know; nil
// where there are none.
func (s *Suite) blind(old, new map[string]string) func(id, name string) bool {
	others := map[string]bool{}
	for name, now := range new {
		if old[name] != now {
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
