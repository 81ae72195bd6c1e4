package check

import (
	"context"

	"docket/engine/source"
)

// rubric is the key of judged checks, and the name of their check.
const rubric = "rubric"

// A rubricCheck passes when a judge says so. The judge is asked by way of the
// subject's panel.
type rubricCheck struct{ judge, text string }

func (r *rubricCheck) Name() string { return rubric }

func (r *rubricCheck) Judge(ctx context.Context, s *Subject) (Verdict, error) {
	if s.Panel == nil {
		return Verdict{Unscored: "no judge was asked"}, nil
	}
	return s.Panel.Rule(ctx, Question{Judge: r.judge, Rubric: r.text, ID: s.ID, Sample: s.Sample, Input: s.Input, Output: s.Output})
}

// JudgeOf returns the judge that a check asks; "" for a check that asks none.
func JudgeOf(c Check) string {
	if r, ok := c.(*rubricCheck); ok {
		return r.judge
	}
	return ""
}

func compileRubric(c *compiler, v source.Value) []item {
	r := &rubricCheck{judge: c.env.Judge}
	text := v
	if v.Kind() == source.Map {
		if !c.known(v, "a rubric", "judge", "text") {
			return nil
		}
		if named := v.Get("judge"); !named.IsZero() {
			r.judge = named.Scalar()
			if !c.declared(named, r.judge) {
				return nil
			}
		}
		if text = v.Get("text"); text.IsZero() {
			c.problem(v, "rubric needs a text, what the judge is to hold an answer to: {judge: tone, text: \"The reply is polite.\"}")
			return nil
		}
	}
	var ok bool
	if r.text, ok = c.str(text, "a rubric, the text that the judge is to hold an answer to"); !ok {
		return nil
	}
	switch {
	case c.env.Case.Scoring != judged:
		c.problem(v, "a rubric needs scoring: judged in the case, since a model decides on it")
		return nil
	case r.judge == "":
		c.problem(v, "no judge is named for this rubric, and there is no default one: name it under judge of the suite in .docket.yaml, or here as {judge: NAME, text: …}")
		return nil
	}
	return []item{{r, map[string]any{"judge": r.judge, "text": r.text}}}
}

// judged is the scoring of a case that a judge may have a say in.
const judged = "judged"

// declared reports whether a judge is, and says what is wrong where it is not.
func (c *compiler) declared(v source.Value, name string) bool {
	for _, known := range c.env.Judges {
		if known == name {
			return true
		}
	}
	if len(c.env.Judges) == 0 {
		c.problem(v, "there is no judge %s: declare it under judges in .docket.yaml", quote(name))
		return false
	}
	c.problem(v, "there is no judge %s; %s", quote(name), source.Suggest(name, c.env.Judges))
	return false
}
