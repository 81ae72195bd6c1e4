package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/engine/check"
	"docket/engine/judge"
	"docket/engine/output"
	"docket/engine/panel"
	"docket/engine/provider"
)

// Judge compiles the judge of that name; for "" the only one there is.
func (p *Project) Judge(name string) (*judge.Judge, error) {
	names := p.judgeNames()
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	for _, named := range p.Config.Judges {
		if named.Name == name {
			j, problems := judge.Compile(named.Name, named.Value, p.root)
			return j, problems.Err()
		}
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("%s declares no judge: write one under judges", p.Config.File)
	case name == "":
		return nil, fmt.Errorf("there is more than one judge: say which with --judge (%s)", strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("there is no judge %q; there is %s%s", name, strings.Join(names, ", "), nearest(name, names))
}

// AskJudge asks a judge for its verdict on each label that has none, for money,
// and returns what that cost. Labels are filled in as they come, so that an
// interrupt keeps what was paid for.
func (p *Project) AskJudge(ctx context.Context, j *judge.Judge, labels []judge.Label, keyHosts []string, progress func(done, total int)) (judge.Tally, error) {
	bench, err := judge.Sit(ctx, []*judge.Judge{j}, func(j *judge.Judge) (*provider.Door, error) {
		return panel.Door(j, provider.Config{Models: provider.Live, KeyHosts: keyHosts})
	})
	if err != nil {
		return judge.Tally{}, err
	}
	defer bench.Close()
	clean := p.scrubber()
	for i := range labels {
		l := &labels[i]
		if l.Judge == nil && l.Unscored == "" {
			v, err := bench.Rule(ctx, check.Question{
				Judge: j.Name, Rubric: l.Rubric, ID: l.ID, Sample: 1, Input: l.Input, Output: &output.Output{Text: l.Output},
			})
			if err != nil {
				return bench.Tally(), errors.New(clean.Text(err.Error()))
			}
			if l.Unscored = clean.Text(v.Unscored); v.Unscored == "" {
				l.Judge = &v.Pass
			}
		}
		if progress != nil {
			progress(i+1, len(labels))
		}
	}
	return bench.Tally(), nil
}
