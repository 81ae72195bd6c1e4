package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/source"
)

// A toolCallsCheck passes when the calls that the model made are as asked:
//
//   - sequence: exactly these names in this order; [] asks for no call;
//   - contains: these names, in any order, among others; a name that is listed
//     twice must be called twice;
//   - forbidden: none of these names;
//   - arguments: by the name of a tool, the argument keys that one of its calls
//     must have, or the values: {lookup: [invoice_id], refund: {amount: 20}}.
//     Values compare as in fields, tolerances included; other arguments may be
//     there.
//
// The score is the share of parts that hold: of a sequence, its longest common
// subsequence with the calls over the longer of the two.
type toolCallsCheck struct {
	sequence            []string
	hasSequence         bool
	contains, forbidden []string
	arguments           []toolArguments
}

// toolArguments asks for arguments of one call of a tool.
type toolArguments struct {
	tool string
	keys []string
	want []*expectation // for each key; nil asks for the key alone
}

func (t *toolCallsCheck) Name() string { return "tool_calls" }

func (t *toolCallsCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	if s.Output.ToolCallsError != "" {
		return failed("a tool call did not parse: %s", quote(s.Output.ToolCallsError)), nil
	}
	calls := s.Output.ToolCalls
	if calls == nil {
		return Verdict{}, errors.New("the output does not say whether tools were called; where none was, write tool_calls: []")
	}
	names := make([]string, len(calls))
	for i, call := range calls {
		names[i] = call.Name
	}
	var got, asked float64
	var wrong []string
	part := func(found, of int, problem string) {
		got += float64(found)
		asked += float64(of)
		if found < of {
			wrong = append(wrong, problem)
		}
	}
	if t.hasSequence {
		part(commonSubsequence(names, t.sequence), max(len(names), len(t.sequence)), "called "+spellNames(names)+", not "+spellNames(t.sequence))
	}
	missing := without(t.contains, names)
	part(len(t.contains)-len(missing), len(t.contains), "did not call "+spellNames(missing))
	for _, name := range t.forbidden {
		allowed := 1
		if slices.Contains(names, name) {
			allowed = 0
		}
		part(allowed, 1, "called "+spellNames([]string{name}))
	}
	for _, a := range t.arguments {
		held, problem := a.best(calls)
		part(held, max(1, len(a.keys)), problem)
	}
	return share(got, asked, func() string { return strings.Join(wrong, "; ") }), nil
}

// without returns the names of a that b has not, counting repeats.
func without(a, b []string) []string {
	left := map[string]int{}
	for _, name := range b {
		left[name]++
	}
	var missing []string
	for _, name := range a {
		if left[name]--; left[name] < 0 {
			missing = append(missing, name)
		}
	}
	return missing
}

// best returns how many of the arguments the call has that has most of them,
// and what it lacks.
func (a toolArguments) best(calls []output.ToolCall) (held int, problem string) {
	held, problem = -1, "did not call "+spellNames([]string{a.tool})
	for _, call := range calls {
		if call.Name != a.tool {
			continue
		}
		if n, wrong := a.held(call); n > held {
			held, problem = n, wrong
		}
	}
	if held < 0 {
		return 0, problem
	}
	if len(a.keys) == 0 {
		return 1, "" // the tool was called, with whatever arguments
	}
	return held, problem
}

func (a toolArguments) held(call output.ToolCall) (n int, problem string) {
	parsed, err := callArguments(call)
	members, ok := parsed.(map[string]any)
	if err != nil || !ok {
		return 0, fmt.Sprintf("the arguments of %s are not a JSON object", quote(a.tool))
	}
	for i, key := range a.keys {
		value, there := members[key]
		switch want := a.want[i]; {
		case !there:
			problem = fmt.Sprintf("%s was called without %s", quote(a.tool), quote(key))
		case want != nil && !want.holds(value):
			problem = fmt.Sprintf("%s of %s is %s, not %s", quote(key), quote(a.tool), quoteJSON(value), want)
		default:
			n++
		}
	}
	return n, problem
}

func spellNames(names []string) string {
	if len(names) == 0 {
		return "no tool"
	}
	const shown = 8
	var quoted []string
	for _, n := range names[:min(shown, len(names))] {
		quoted = append(quoted, phrase.Abridge(n, 60))
	}
	if len(names) > shown {
		quoted = append(quoted, fmt.Sprintf("and %d more", len(names)-shown))
	}
	return fmt.Sprintf("%q", strings.Join(quoted, ", "))
}

func compileToolCalls(c *compiler, v source.Value) []item {
	before := len(c.problems)
	if !c.known(v, "tool_calls", "sequence", "contains", "forbidden", "arguments") {
		return nil
	}
	if len(v.Entries()) == 0 {
		c.problem(v, "tool_calls asks nothing: expected sequence, contains, forbidden or arguments")
		return nil
	}
	t := &toolCallsCheck{}
	asked := map[string]any{}
	if s := v.Get("sequence"); !s.IsZero() {
		t.hasSequence = true
		t.sequence = c.toolNames(s, "sequence")
		asked["sequence"] = texts(t.sequence)
	}
	if s := v.Get("contains"); !s.IsZero() {
		t.contains = c.toolNames(s, "contains")
		sorted := slices.Sorted(slices.Values(t.contains))
		asked["contains"] = texts(sorted)
	}
	if s := v.Get("forbidden"); !s.IsZero() {
		t.forbidden = c.strings(s, "forbidden", "[delete_account]")
		asked["forbidden"] = texts(slices.Sorted(slices.Values(t.forbidden)))
		for _, name := range t.forbidden {
			if slices.Contains(t.sequence, name) || slices.Contains(t.contains, name) {
				c.problem(s, "tool_calls: %s is both asked for and forbidden", quote(name))
			}
		}
	}
	if a := v.Get("arguments"); !a.IsZero() {
		t.arguments = c.toolArguments(a)
		asked["arguments"] = a.JSON()
	}
	if len(c.problems) > before {
		return nil
	}
	return []item{{t, asked}}
}

// toolNames reads a list of tools, which may repeat and be empty.
func (c *compiler) toolNames(v source.Value, key string) []string {
	if v.Kind() != source.List {
		c.problem(v, "%s: expected a list of tools such as [lookup_invoice, refund], got %s", key, v.Describe())
		return nil
	}
	var names []string
	for _, it := range v.Items() {
		if s, ok := c.str(it, "the name of a tool"); ok {
			names = append(names, s)
		}
	}
	return names
}

func (c *compiler) toolArguments(v source.Value) []toolArguments {
	const example = "{lookup_invoice: [invoice_id], refund: {amount: 20}}"
	if v.Kind() != source.Map || len(v.Entries()) == 0 {
		c.problem(v, "arguments: expected tools with the keys, or the values, of their arguments, such as %s, got %s", example, v.Describe())
		return nil
	}
	var all []toolArguments
	for _, e := range v.Entries() {
		a := toolArguments{tool: e.Key}
		switch e.Value.Kind() {
		case source.List:
			if len(e.Value.Items()) > 0 {
				a.keys = c.strings(e.Value, "arguments", "[invoice_id]")
			}
			a.want = make([]*expectation, len(a.keys))
		case source.Map:
			for _, argument := range e.Value.Entries() {
				want, ok := c.expectation(argument.Value)
				if ok {
					a.keys = append(a.keys, argument.Key)
					a.want = append(a.want, &want)
				}
			}
		default:
			c.problem(e.Value, "arguments: expected a list of keys, or a mapping of keys and values, got %s", e.Value.Describe())
			continue
		}
		all = append(all, a)
	}
	return all
}
