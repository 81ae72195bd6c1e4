package interchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"docket/engine/phrase"
)

// pydanticRule is how the rows of a report pair.
const pydanticRule = "a case's id is its name; one named by its number (Case 3) is known by a hash of its inputs (--id names a key of its metadata or its inputs instead)"

func isPydanticEvals(s *sight) bool {
	return s.first == '{' && (s.has("cases", "cases.inputs") && s.any("cases.assertions", "cases.scores", "cases.labels", "cases.task_duration") ||
		s.has("cases", "failures", "failures.error_message"))
}

// readPydanticEvals reads a report of pydantic_evals as JSON. Repeats of a case
// are its samples, known by source_case_name. Assertions are verdicts, scores
// are scores, and labels are kept as checks without either. A failure is an
// error.
func readPydanticEvals(ctx context.Context, in *input) (*collector, error) {
	c := newCollector(in)
	if in.options.ID == "" {
		c.tally.rule = pydanticRule
	}
	s := newStream(ctx, in)
	err := s.object(func(key string) error {
		if next, err := s.next(); err != nil || key != "cases" && key != "failures" || next != '[' {
			return s.skip()
		}
		return s.list(func(i int) error {
			t, err := s.capture()
			if err != nil {
				return err
			}
			v, err := t.parseLoose()
			if err != nil {
				return err
			}
			pydanticCase(c, t, fmt.Sprintf("%s[%d]", key, i), v, key == "failures")
			return c.more()
		})
	})
	if err == nil {
		err = s.end()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return c, nil
}

func pydanticCase(c *collector, t text, place string, v any, failed bool) {
	one, ok := v.(map[string]any)
	if !ok {
		c.problem(t, place, "expected an object, one case, got %s", describe(v))
		return
	}
	e := entry{text: t, place: place, row: Row{Input: asInput(one["inputs"])}}
	name := textAt(one, "source_case_name")
	if name == "" {
		name = textAt(one, "name")
	}
	switch {
	case c.options.ID != "":
		if !c.choose(&e, one["metadata"], one["inputs"], one) {
			return
		}
	case name != "" && !numberedName(name, "Case "):
		e.row.ID, e.sameInput = shortID(name), digest("inputs", one["inputs"])
	default:
		e.row.ID = digest("inputs", one["inputs"])
	}
	if failed {
		if e.row.Error = failure(one["error_message"]); e.row.Error == "" {
			e.row.Error = "the task failed and the report does not say why"
		}
		c.entry(e)
		return
	}
	answer, answered := one["output"]
	if !answered {
		c.problem(t, place, "expected an \"output\"")
		return
	}
	out := &e.row.Output
	out.Text = spelled(answer)
	out.LatencyMS = secondsAt(one, "task_duration")
	out.InputTokens, out.OutputTokens = countAt(one, "metrics", "input_tokens"), countAt(one, "metrics", "output_tokens")
	out.CostUSD = amountAt(one, "metrics", "cost")
	all := newChecks("pydantic-evals")
	for _, kind := range []string{"assertions", "scores", "labels"} {
		results := objectAt(one, kind)
		for _, name := range slices.Sorted(maps.Keys(results)) {
			value, message := at(results[name], "value"), textAt(results[name], "reason")
			if objectAt(results[name]) == nil {
				value = results[name]
			}
			pass, score := boolAt(value), numberAt(value)
			if label, ok := value.(string); ok {
				message = label
			}
			if score == nil {
				score = oneOrZero(pass)
			}
			all.add(name, pass, score, message)
		}
	}
	e.row.Checks = all.all
	for _, f := range listAt(one, "evaluator_failures") {
		c.tally.note("the evaluator %q failed on some cases and judged them not", phrase.Abridge(textAt(f, "name"), 40))
	}
	c.entry(e)
}
