package system

import (
	"context"
	"errors"
	"strconv"

	"docket/engine/canonical"
	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/source"
)

// A canned system answers with what each case wrote under `mock`. It makes no
// model calls, so that of a list with one answer for each call the last is the
// answer.
type canned struct {
	mock func(id string) source.Value
}

func compileCanned(d *Declared, _ source.Value, _ Env) (opener, source.Problems) {
	d.Mode = "mock"
	return &canned{}, nil
}

func (c *canned) open(_ context.Context, _ string, s Surroundings) (System, error) {
	if s.Mock == nil {
		return nil, errors.New("a canned system needs the suite's canned answers")
	}
	return &canned{mock: s.Mock}, nil
}

// Answer implements System.
func (c *canned) Answer(_ context.Context, r Request) (output.Output, error) {
	v := c.mock(r.ID)
	if v.IsZero() {
		return output.Output{}, errors.New("this case has no canned answer; write one under mock")
	}
	answers, problems := CompileMock(v)
	if err := problems.Err(); err != nil {
		return output.Output{}, err
	}
	return answers[len(answers)-1], nil
}

// CompileMock reads what a case wrote under `mock`: a string, or a list with
// one item for each model call, {text, tool_calls: [{name, arguments}]} or a
// string. It returns at least one answer, or problems.
//
// What a canned answer does not mention did not happen: its tool calls are
// none, and not unknown. Arguments stay as they were written; a string holds
// the JSON of an object, as models send it.
func CompileMock(v source.Value) ([]output.Output, source.Problems) {
	if text, ok := v.Text(); ok {
		return []output.Output{cannedText(text)}, nil
	}
	if v.Kind() != source.List {
		return nil, source.Problems{v.Problemf("mock must be a string, or a list with one answer for each model call, got %s", v.Describe())}
	}
	var answers []output.Output
	var problems source.Problems
	for _, item := range v.Items() {
		if text, ok := item.Text(); ok {
			answers = append(answers, cannedText(text))
			continue
		}
		if item.Kind() != source.Map {
			problems = append(problems, item.Problemf("an answer of mock is a string or {text, tool_calls}, got %s", item.Describe()))
			continue
		}
		problems = append(problems, source.Known(item, "an answer of mock", "text", "tool_calls")...)
		answer := cannedText("")
		text, calls := item.Get("text"), item.Get("tool_calls")
		if text.IsZero() && calls.IsZero() {
			problems = append(problems, item.Problemf("an answer of mock has a text, tool_calls or both"))
			continue
		}
		if s, ok := text.Text(); ok {
			answer.Text = s
		} else if !text.IsZero() && text.Kind() != source.Null {
			problems = append(problems, text.Problemf("text must be a string, got %s", text.Describe()))
		}
		if !calls.IsZero() {
			var wrong source.Problems
			answer.ToolCalls, wrong = cannedCalls(calls)
			problems = append(problems, wrong...)
		}
		answers = append(answers, answer)
	}
	if len(answers) == 0 && len(problems) == 0 {
		problems = append(problems, v.Problemf("mock is an empty list; expected one answer for each model call"))
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return answers, nil
}

func cannedText(text string) output.Output {
	return output.Output{Text: text, ToolCalls: []output.ToolCall{}}
}

func cannedCalls(v source.Value) ([]output.ToolCall, source.Problems) {
	if v.Kind() != source.List {
		return nil, source.Problems{v.Problemf("tool_calls must be a list of {name, arguments}, got %s", v.Describe())}
	}
	calls := []output.ToolCall{}
	var problems source.Problems
	for _, item := range v.Items() {
		if item.Kind() != source.Map {
			problems = append(problems, item.Problemf("a tool call is {name, arguments}, got %s", item.Describe()))
			continue
		}
		problems = append(problems, source.Known(item, "a tool call", "name", "arguments")...)
		name, ok := item.Get("name").Text()
		if !ok || name == "" {
			problems = append(problems, item.Problemf("a tool call needs the name of the tool as a string"))
			continue
		}
		written := item.Get("arguments")
		var value any
		if !written.IsZero() {
			value = written.JSON()
		}
		arguments, why := interchange.Arguments(value, canonical.Marshal(value))
		if why != "" {
			problems = append(problems, written.Problemf("the arguments of %s %s", strconv.Quote(name), why))
			continue
		}
		calls = append(calls, output.ToolCall{Name: name, Arguments: arguments})
	}
	return calls, problems
}
