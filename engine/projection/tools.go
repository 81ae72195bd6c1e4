package projection

import (
	"strings"
	"unicode"

	"docket/engine/canonical"
	"docket/engine/output"
)

// tools is the sequence of tool calls, each spelled name(argument keys,
// sorted): an empty list for no call, "unparsable" where the model wrote a
// call that does not parse or whose arguments are no object. Where nobody
// recorded calls it does not apply.
type tools struct{}

const unparsable = "unparsable"

func (tools) Name() string { return "tools" }

func (tools) Project(s *Subject) (any, bool) {
	if s.Output.ToolCallsError != "" {
		return unparsable, true
	}
	if s.Output.ToolCalls == nil {
		return nil, false
	}
	calls := make([]string, 0, len(s.Output.ToolCalls))
	for _, c := range s.Output.ToolCalls {
		call, ok := spellCall(c)
		if !ok {
			return unparsable, true
		}
		calls = append(calls, call)
	}
	return sequence(calls), true
}

// spellCall reports false where the arguments are no JSON object.
func spellCall(c output.ToolCall) (string, bool) {
	keys, ok := c.ArgumentKeys()
	if !ok {
		return "", false
	}
	b := make([]byte, 0, 64)
	b = appendName(b, c.Name)
	b = append(b, '(')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendName(b, k)
	}
	return string(append(b, ')')), true
}

// appendName appends the name of a tool or of an argument, as a JSON string
// where it holds what the spelling of a call is made of.
func appendName(b []byte, name string) []byte {
	odd := func(r rune) bool {
		return strings.ContainsRune(`(),"\`, r) || unicode.IsSpace(r) || !unicode.IsGraphic(r)
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		return canonical.AppendString(b, name)
	}
	return append(b, name...)
}
