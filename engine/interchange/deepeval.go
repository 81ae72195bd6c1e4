package interchange

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/engine/output"
)

// deepevalRule is how the rows of a test run pair.
const deepevalRule = "a case's id is its test case's name; one named by its number (test_case_3) is known by a hash of its input (--id names a key of its metadata, or input, instead)"

func isDeepeval(s *sight) bool {
	return s.first == '{' && s.any("testCases", "conversationalTestCases") &&
		s.any("testFile", "testCases.metricsData", "testCases.actualOutput", "conversationalTestCases.turns", "metricsScores", "testPassed", "hyperparameters")
}

// readDeepeval reads a test run that deepeval wrote. A metric is a check; one
// that is marked as flaky, or that could not be made, gives no verdict. Of a
// conversation the output is its last turn, and the turns before are the input.
func readDeepeval(ctx context.Context, in *input) (*collector, error) {
	c := newCollector(in)
	if in.options.ID == "" {
		c.tally.rule = deepevalRule
	}
	s := newStream(ctx, in)
	model := ""
	err := s.object(func(key string) error {
		switch key {
		case "testCases", "conversationalTestCases":
			if next, err := s.next(); err != nil || next != '[' {
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
				deepevalCase(c, t, fmt.Sprintf("%s[%d]", key, i), v)
				return c.more()
			})
		case "hyperparameters":
			v, err := s.value()
			model = textAt(v, "model")
			return err
		default:
			return s.skip()
		}
	})
	if err == nil {
		err = s.end()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	for i := range c.rows {
		if c.rows[i].Error == "" {
			c.rows[i].Output.Model = model
		}
	}
	return c, nil
}

func deepevalCase(c *collector, t text, place string, v any) {
	test, ok := v.(map[string]any)
	if !ok {
		c.problem(t, place, "expected an object, one test case, got %s", describe(v))
		return
	}
	e := entry{text: t, place: place}
	if n, ok := integer(test["order"]); ok && n >= 0 && n < 1<<31 {
		e.order = int(n)
	}
	turns := listAt(test, "turns")
	given := test["input"]
	e.row.Input = asInput(given)
	if given == nil && turns != nil {
		before := turns
		if n := len(turns); n > 0 && textAt(turns[n-1], "role") == "assistant" {
			before = turns[:n-1]
		}
		given = before
		e.row.Input = map[string]any{"turns": before}
	}
	name := strings.TrimSpace(textAt(test, "name"))
	switch {
	case c.options.ID != "":
		if !c.choose(&e, test["metadata"], test["additionalMetadata"], test) {
			return
		}
	case name != "" && !numberedName(name, "test_case_"):
		e.row.ID, e.sameInput = shortID(name), digest("input", given)
	default:
		e.row.ID = digest("input", given)
	}
	deepevalOutput(&e.row, test, turns)
	c.entry(e)
}

// numberedName reports whether a name is a prefix and a number, and so says
// nothing but a position.
func numberedName(name, prefix string) bool {
	digits, ok := strings.CutPrefix(name, prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

func deepevalOutput(row *Row, test map[string]any, turns []any) {
	out := &row.Output
	answer, answered := test["actualOutput"]
	answered = answered && answer != nil
	if !answered && turns != nil {
		if answer = lastSaid(turns); answer != nil {
			answered = true
		}
	}
	for _, turn := range turns {
		deepevalCalls(out, at(turn, "toolsCalled"), "inputParameters")
	}
	deepevalCalls(out, test["toolsCalled"], "inputParameters")
	if out.ToolCalls == nil {
		if spans := listAt(test, "trace", "toolSpans"); spans != nil {
			spans = slices.Clone(spans)
			slices.SortStableFunc(spans, func(a, b any) int { return strings.Compare(textAt(a, "startTime"), textAt(b, "startTime")) })
			deepevalCalls(out, spans, "input")
		}
	}
	switch {
	case strings.EqualFold(textAt(test, "trace", "status"), "ERRORED"):
		row.Error = "the trace ended in an error"
		if why := failure(at(test, "trace", "error")); why != "" {
			row.Error = why
		}
	case !answered && len(out.ToolCalls) == 0:
		row.Error = "the test run holds no output of this test case"
	}
	if row.Error != "" {
		row.Output = output.Output{}
		return
	}
	if answered {
		out.Text = spelled(answer)
	}
	out.LatencyMS = secondsAt(test, "completionTime")
	row.Checks = deepevalChecks(test)
}

func deepevalCalls(out *output.Output, calls any, arguments string) {
	list, ok := calls.([]any)
	if !ok {
		return
	}
	if out.ToolCalls == nil {
		out.ToolCalls = []output.ToolCall{}
	}
	for _, call := range list {
		if name := textAt(call, "name"); name != "" {
			addCall(out, name, at(call, arguments))
		}
	}
}

func deepevalChecks(test map[string]any) []Check {
	all := newChecks("deepeval")
	flakyCase := boolAt(test, "flaky")
	for _, v := range listAt(test, "metricsData") {
		pass, score, message := boolAt(v, "success"), numberAt(v, "score"), textAt(v, "reason")
		if flaky := boolAt(v, "flaky"); flaky != nil && *flaky || flakyCase != nil && *flakyCase {
			pass = nil
		}
		if why := failure(at(v, "error")); why != "" {
			pass, score, message = nil, nil, "it could not be made: "+why
		}
		all.add(textAt(v, "name"), pass, score, message)
	}
	return all.all
}
