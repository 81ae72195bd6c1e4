package interchange

import (
	"encoding/json"
	"fmt"

	"docket/engine/canonical"
	"docket/engine/output"
	"docket/engine/phrase"
)

// readToolCalls reads the list under "tool_calls". Each call is
// {"name": …, "arguments": …}, or the form that vendors send,
// {"function": {"name": …, "arguments": …}}.
func (r *record) readToolCalls() {
	calls, ok := r.values["tool_calls"].([]any)
	if !ok {
		r.wrongf("tool_calls", "\"tool_calls\" must be a list ([] for none, null where it is unknown), got %s", describe(r.values["tool_calls"]))
		return
	}
	out := &r.row.Output
	out.ToolCalls = make([]output.ToolCall, 0, len(calls))
	spans := elements(r.data, r.spans["tool_calls"].start)
	for i, v := range calls {
		call, at := v, spans[i]
		object, ok := call.(map[string]any)
		if function, nested := object["function"].(map[string]any); nested {
			for _, m := range members(r.data, at.start) {
				if m.key == "function" {
					object, at = function, m.value
				}
			}
		}
		name, named := object["name"].(string)
		if !ok || !named || name == "" {
			r.wrong = append(r.wrong, r.problemf(at.start, "a tool call is {\"name\": …, \"arguments\": {…}} with a name, got %s", describeCall(call)))
			continue
		}
		var written []byte
		for _, m := range members(r.data, at.start) {
			if m.key == "arguments" {
				written = r.data[m.value.start:m.value.end]
			}
		}
		arguments, why := Arguments(object["arguments"], written)
		if why != "" && out.ToolCallsError == "" {
			out.ToolCallsError = fmt.Sprintf("the arguments of call %d, %q, %s", i+1, phrase.Abridge(name, 40), why)
		}
		out.ToolCalls = append(out.ToolCalls, output.ToolCall{Name: name, Arguments: arguments})
	}
}

func describeCall(v any) string {
	if object, ok := v.(map[string]any); ok {
		if name, given := object["name"]; given {
			return "the name " + describe(name)
		}
		return "an object without one"
	}
	return describe(v)
}

// Arguments returns the arguments of a tool call in the form that an output
// holds them. The value is a JSON object, which is kept as it was written, or
// a string with one inside, as models send it; null and "" stand for a call
// without arguments.
//
// Anything else is what a model wrote and no tool could have read: why then
// says so, as the end of a sentence that begins with the call, and the value is
// kept as it was written. It is the model's behaviour and no error of the file.
func Arguments(value any, written []byte) (arguments json.RawMessage, why string) {
	switch v := value.(type) {
	case nil:
		return nil, ""
	case map[string]any:
		return append(json.RawMessage(nil), written...), ""
	case string:
		if v == "" {
			return nil, ""
		}
		inside, err := canonical.Parse([]byte(v))
		if _, object := inside.(map[string]any); object {
			return json.RawMessage(v), ""
		}
		switch {
		case err != nil:
			why = "did not parse: " + err.Error()
		case inside == nil:
			return nil, ""
		default:
			why = "are " + describe(inside) + " and no JSON object"
		}
	default:
		why = "are " + describe(v) + " and no JSON object"
	}
	return append(json.RawMessage(nil), written...), why
}
