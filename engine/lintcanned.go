package engine

import (
	"context"

	"docket/engine/source"
	"docket/engine/system"
)

// lintCanned holds the canned answers of the suite to what its system declares,
// without a run: every tool call to the tools, and the last answer to the output
// schema. What a model says on the way there, with or without a call, is no
// output of the system.
func (s *Suite) lintCanned(ctx context.Context) source.Problems {
	if s.instrument.Schema == nil {
		return nil
	}
	var problems source.Problems
	for _, c := range s.data.Cases {
		if c.Mock.IsZero() {
			continue
		}
		answers, _ := system.CompileMock(c.Mock) // its problems are Open's
		r := system.Request{ID: c.ID, Sample: 1, Input: c.Input}
		for i := range answers {
			if i < len(answers)-1 {
				if len(answers[i].ToolCalls) == 0 {
					continue
				}
				answers[i].Text = ""
			}
			if err := (heldToSchema{schema: s.instrument.Schema}).hold(ctx, r, &answers[i]); err != nil {
				problems = append(problems, c.Mock.Problemf("case %q: %v", c.ID, err))
			}
		}
	}
	return problems
}
