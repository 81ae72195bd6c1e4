package interchange

import (
	"encoding/json"
	"math"
	"strings"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/phrase"
)

// Values of other tools are read with forbearance: what is not of the kind
// that is looked for is absent. These functions say so for the JSON model.

// at returns the value under a path of keys, nil where there is none.
func at(v any, path ...string) any {
	for _, key := range path {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	return v
}

func textAt(v any, path ...string) string {
	s, _ := at(v, path...).(string)
	return s
}

func objectAt(v any, path ...string) map[string]any {
	object, _ := at(v, path...).(map[string]any)
	return object
}

func listAt(v any, path ...string) []any {
	list, _ := at(v, path...).([]any)
	return list
}

// boolAt returns a boolean, nil where there is none.
func boolAt(v any, path ...string) *bool {
	if b, ok := at(v, path...).(bool); ok {
		return &b
	}
	return nil
}

// numberAt returns a finite number, nil where there is none.
func numberAt(v any, path ...string) *float64 {
	n, ok := at(v, path...).(json.Number)
	if !ok {
		return nil
	}
	f, err := n.Float64()
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil
	}
	return &f
}

// amountAt returns a finite number that is not negative, nil where there is
// none.
func amountAt(v any, path ...string) *float64 {
	if f := numberAt(v, path...); f != nil && *f >= 0 {
		return f
	}
	return nil
}

// secondsAt returns a time in milliseconds that is written in seconds.
func secondsAt(v any, path ...string) *float64 {
	f := amountAt(v, path...)
	if f == nil {
		return nil
	}
	ms := *f * 1000
	// Binary fractions of seconds give spurious digits below a microsecond.
	ms = math.Round(ms*1e3) / 1e3
	if math.IsInf(ms, 0) || math.IsNaN(ms) {
		return nil
	}
	return &ms
}

// countAt returns a whole number that is not negative, nil where there is none.
func countAt(v any, path ...string) *int64 {
	if n, ok := integer(at(v, path...)); ok && n >= 0 {
		return &n
	}
	return nil
}

// spelled returns a value as the text of an output: a string as it is, any
// other value as JSON.
func spelled(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(canonical.Marshal(v))
}

// failure returns what an "error" says, "" where it is no error: null, "",
// false and an empty object are none.
func failure(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		if !v {
			return ""
		}
	case map[string]any:
		if len(v) == 0 {
			return ""
		}
		message, code := textAt(v, "message"), textAt(v, "code")
		switch {
		case message != "" && code != "":
			return code + ": " + message
		case message != "" && textAt(v, "type") != "":
			return textAt(v, "type") + ": " + message
		case message != "":
			return message
		}
	}
	return spelled(v)
}

// asInput returns a value in the form of a case's input: an object as it is,
// anything else under one key.
func asInput(v any) map[string]any {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		return v
	case []any:
		return map[string]any{"messages": v}
	default:
		return map[string]any{"input": v}
	}
}

// contentText returns the text of a message's content: a string, or the text
// parts of a list.
func contentText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for _, part := range v {
			switch part := part.(type) {
			case string:
				parts = append(parts, part)
			case map[string]any:
				if kind := textAt(part, "type"); kind == "text" || kind == "output_text" || kind == "" {
					if s := textAt(part, "text"); s != "" {
						parts = append(parts, s)
					}
				}
			}
		}
		return strings.Join(parts, "\n")
	}
	return ""
}

// addCall appends a tool call whose arguments are an object, or a string with
// one inside.
func addCall(out *output.Output, name string, arguments any) {
	raw, why := Arguments(arguments, canonical.Marshal(arguments))
	out.ToolCalls = append(out.ToolCalls, output.ToolCall{Name: name, Arguments: raw})
	if why != "" && out.ToolCallsError == "" {
		out.ToolCallsError = "the arguments of " + phrase.Abridge(name, 40) + " " + why
	}
}

// chatCalls adds the tool calls of a chat completion's message, in the forms
// of OpenAI's API, the older single function call included. It reports false
// where an item is no call.
func chatCalls(out *output.Output, calls []any) bool {
	for _, call := range calls {
		function := objectAt(call, "function")
		name := textAt(function, "name")
		if name == "" {
			return false
		}
		addCall(out, name, function["arguments"])
	}
	return true
}

// parseText parses a text that may be JSON.
func parseText(s string) (any, error) { return canonical.Parse([]byte(s)) }
