package wire

import (
	"errors"
	"fmt"

	"docket/engine/canonical"
	"docket/engine/interchange"
	"docket/engine/output"
)

// A tool is a function that is declared to a model, whatever the form.
type tool struct {
	name, description string
	parameters        any // JSON Schema; nil for none
	strict            any // true, false, or nil where it is not said
}

// readTool reads one declared tool: {type: function, function: {name,
// parameters}}, the same flat, {name, input_schema}, or {name, inputSchema}.
func readTool(item any) (tool, bool) {
	object, ok := item.(map[string]any)
	if !ok {
		return tool{}, false
	}
	if function, ok := object["function"].(map[string]any); ok {
		object = function
	}
	var t tool
	t.name, _ = object["name"].(string)
	t.description, _ = object["description"].(string)
	t.strict = object["strict"]
	for _, key := range [...]string{"parameters", "input_schema", "inputSchema"} {
		if p := object[key]; p != nil {
			t.parameters = p
			break
		}
	}
	return t, t.name != ""
}

// listTools returns the tools of a prompt, each in the form that own says is
// the format's already, or in the one that translate makes of it.
func listTools(tools any, own func(map[string]any) bool, translate func(tool) any) ([]any, error) {
	if tools == nil {
		return nil, nil
	}
	if wrapped, ok := tools.(map[string]any); ok {
		tools = wrapped["tools"]
	}
	list, ok := tools.([]any)
	if !ok {
		return nil, errors.New("tools must be a list, or an object that holds one under \"tools\"")
	}
	all := make([]any, 0, len(list))
	for i, item := range list {
		if object, ok := item.(map[string]any); ok && own(object) {
			all = append(all, item)
			continue
		}
		t, ok := readTool(item)
		if !ok {
			return nil, fmt.Errorf("tool %d has no name", i+1)
		}
		all = append(all, translate(t))
	}
	return all, nil
}

// functions returns those of a request's tools that the system itself runs: a
// tool that the provider runs has a type of its own, and no schema.
func functions(tools []any) []any {
	var all []any
	for _, item := range tools {
		object, ok := item.(map[string]any)
		if !ok {
			continue
		}
		t, named := readTool(item)
		if !named {
			continue
		}
		kind, _ := object["type"].(string)
		if kind == "" || kind == "function" || kind == "custom" || t.parameters != nil {
			all = append(all, item)
		}
	}
	return all
}

// addCall adds a call that an answer holds. The arguments are as they came: an
// object, a string with one inside, or what a model wrote in the place of one.
func (a *Answer) addCall(name string, value any, written []byte) {
	arguments, why := interchange.Arguments(value, written)
	if why != "" && a.ToolCallsError == "" {
		a.ToolCallsError = fmt.Sprintf("the arguments of call %d, %q, %s", len(a.ToolCalls)+1, name, why)
	}
	a.ToolCalls = append(a.ToolCalls, output.ToolCall{Name: name, Arguments: arguments})
}

// addCallText adds a call whose arguments came as text.
func (a *Answer) addCallText(name, arguments string) {
	a.addCall(name, arguments, canonical.AppendString(nil, arguments))
}

// argumentText spells the arguments of a canned call as a model would.
func argumentText(c output.ToolCall) string {
	if len(c.Arguments) == 0 || string(c.Arguments) == "null" {
		return "{}"
	}
	if v, err := canonical.Parse(c.Arguments); err == nil {
		return string(canonical.Marshal(v))
	}
	return string(c.Arguments)
}

// plainSchema takes a schema out of OpenAI's wrapping. name is what the
// wrapping calls it, "output" without one.
func plainSchema(schema any) (name string, plain any, strict any) {
	name = "output"
	wrapper, ok := schema.(map[string]any)
	if !ok {
		return name, schema, nil
	}
	if inner, ok := wrapper["json_schema"].(map[string]any); ok && wrapper["type"] == "json_schema" {
		wrapper = inner
	}
	if wrapper["schema"] == nil {
		return name, schema, nil
	}
	if called, ok := wrapper["name"].(string); ok {
		return called, wrapper["schema"], wrapper["strict"]
	}
	if wrapper["type"] == "json_schema" {
		return name, wrapper["schema"], wrapper["strict"]
	}
	return name, schema, nil
}
