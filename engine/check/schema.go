package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/engine/canonical"
	"docket/engine/output"
)

// SchemaName is the name of the check that holds outputs to what their system
// declares. No check of a case may have it.
const SchemaName = "schema"

const schemaVersion = 1

// A SchemaCheck holds the outputs of a system to the tools and the output schema
// that the system declares, whoever answered and before any other check.
type SchemaCheck struct {
	tools  map[string]*schema // nil where no tools are declared; a nil schema takes any arguments
	answer *schema            // nil where no output schema is declared
}

// Schema compiles what a system declares, in the JSON model: its tools (nil
// for none) and the schema of its answers (nil for none).
//
// Tools are a list, or an object that holds it under "tools". A tool is written
// as for OpenAI ({type: function, function: {name, parameters}}, or flat), as
// for Anthropic ({name, input_schema}), or as for MCP ({name, inputSchema}). One
// without a schema takes any arguments. An answer's schema may come in OpenAI's
// wrapping ({type: json_schema, json_schema: {name, schema}}).
func Schema(tools, outputSchema any) (*SchemaCheck, error) {
	check := &SchemaCheck{}
	if tools != nil {
		declared, err := declaredTools(tools)
		if err != nil {
			return nil, fmt.Errorf("tools: %w", err)
		}
		check.tools = declared
	}
	if outputSchema != nil {
		answer, err := compileSchema(unwrapSchema(outputSchema))
		if err != nil {
			return nil, fmt.Errorf("output_schema: %w", err)
		}
		check.answer = answer
	}
	return check, nil
}

func declaredTools(tools any) (map[string]*schema, error) {
	if wrapped, ok := tools.(map[string]any); ok {
		tools = wrapped["tools"]
	}
	list, ok := tools.([]any)
	if !ok {
		return nil, errors.New("expected a list of tools, or an object that holds one under \"tools\"")
	}
	declared := make(map[string]*schema, len(list))
	for i, item := range list {
		name, parameters, err := declaredTool(item)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i+1, err)
		}
		if _, twice := declared[name]; twice {
			return nil, fmt.Errorf("tool %d: %s is declared twice", i+1, quote(name))
		}
		if parameters == nil {
			declared[name] = nil
			continue
		}
		if declared[name], err = compileSchema(parameters); err != nil {
			return nil, fmt.Errorf("tool %d, %s: %w", i+1, quote(name), err)
		}
	}
	return declared, nil
}

func declaredTool(item any) (name string, parameters any, err error) {
	tool, ok := item.(map[string]any)
	if !ok {
		return "", nil, errors.New("expected an object with a name")
	}
	if function, ok := tool["function"].(map[string]any); ok {
		tool = function
	}
	if name, _ = tool["name"].(string); name == "" {
		return "", nil, errors.New("it has no name")
	}
	for _, key := range [...]string{"parameters", "input_schema", "inputSchema"} {
		if parameters := tool[key]; parameters != nil {
			return name, parameters, nil
		}
	}
	return name, nil, nil
}

func unwrapSchema(doc any) any {
	wrapper, ok := doc.(map[string]any)
	if !ok {
		return doc
	}
	if inner, ok := wrapper["json_schema"].(map[string]any); ok && wrapper["type"] == "json_schema" {
		wrapper = inner
	}
	if _, named := wrapper["name"].(string); named && wrapper["schema"] != nil {
		return wrapper["schema"]
	}
	if wrapper["type"] == "json_schema" && wrapper["schema"] != nil {
		return wrapper["schema"]
	}
	return doc
}

// Name returns SchemaName.
func (c *SchemaCheck) Name() string { return SchemaName }

// Judge passes when every tool call names a declared tool and satisfies its
// schema, and the text, where there is one or no call was made, is JSON that
// satisfies the output schema. Each violation takes a tenth of the score; a call
// that did not parse, or a text that is not JSON, takes all of it.
func (c *SchemaCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	if s.Output.ToolCallsError != "" && c.tools != nil {
		return failed("a tool call did not parse: %s", quote(s.Output.ToolCallsError)), nil
	}
	var violations []schemaError
	if c.tools != nil {
		for i, call := range s.Output.ToolCalls {
			violations = append(violations, c.call(i, call)...)
		}
	}
	if c.answer != nil && (len(s.Output.ToolCalls) == 0 || strings.TrimSpace(s.Output.Text) != "") {
		doc, ok := s.json()
		if !ok {
			return failed("the text is not JSON, and the system declares an output schema"), nil
		}
		violations = append(violations, c.answer.validate(doc)...)
	}
	return schemaVerdict(violations), nil
}

// call returns what a tool call violates. The pointers start with the place of
// the call among the calls, from 0, and "arguments".
func (c *SchemaCheck) call(i int, call output.ToolCall) []schemaError {
	at := fmt.Sprintf("/tool_calls/%d", i)
	declared, ok := c.tools[call.Name]
	if !ok {
		return []schemaError{{at + "/name", fmt.Sprintf("the tool %s is not declared", quote(call.Name))}}
	}
	arguments, err := callArguments(call)
	if err != nil {
		return []schemaError{{at + "/arguments", fmt.Sprintf("the arguments of %s are not JSON", quote(call.Name))}}
	}
	if _, ok := arguments.(map[string]any); !ok {
		return []schemaError{{at + "/arguments", fmt.Sprintf("the arguments of %s are not an object", quote(call.Name))}}
	}
	if declared == nil {
		return nil
	}
	violations := declared.validate(arguments)
	for j := range violations {
		violations[j].pointer = at + "/arguments" + violations[j].pointer
		violations[j].message = call.Name + ": " + violations[j].message
	}
	return violations
}

// callArguments returns a call's arguments in the JSON model; an empty object
// for a call without any.
func callArguments(call output.ToolCall) (any, error) {
	if len(call.Arguments) == 0 || string(call.Arguments) == "null" {
		return map[string]any{}, nil
	}
	return canonical.Parse(call.Arguments)
}
