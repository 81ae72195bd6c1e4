package provider_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"docket/engine/output"
	"docket/engine/provider"
)

const schemaTool = `{"name":"add_field","description":"adds a field","parameters":{"type":"object","additionalProperties":false,
 "required":["name","definition","access"],"properties":{"name":{"type":"string"},"access":{"enum":["read","write"]},
 "definition":{"type":"object","additionalProperties":false,"required":["type"],"properties":{"type":{"enum":["text","jsonb","int"]}}}}}}`

// TestCannedAnswersAreHeldToTheRequest knows the tools from the request alone.
func TestCannedAnswersAreHeldToTheRequest(t *testing.T) {
	withTool := `{"model":"m","messages":[],"tools":[{"type":"function","function":` + schemaTool + `}]}`
	withFormat := `{"model":"m","messages":[],"response_format":{"type":"json_schema","json_schema":{"name":"o","schema":{"type":"object","required":["status"],"properties":{"status":{"enum":["paid"]}}}}}}`
	call := func(name, arguments string) output.Output {
		return output.Output{ToolCalls: []output.ToolCall{{Name: name, Arguments: json.RawMessage(arguments)}}}
	}
	for _, tt := range []struct {
		name, request string
		answer        output.Output
		want          []string // "" is right
	}{
		{"right", withTool, call("add_field", `{"name":"n","access":"read","definition":{"type":"jsonb"}}`), nil},
		{"access nested under definition", withTool, call("add_field", `{"name":"n","definition":{"type":"jsonb","access":"read"}}`), []string{"/tool_calls/0/arguments", "access"}},
		{"json where jsonb is the type", withTool, call("add_field", `{"name":"n","access":"read","definition":{"type":"json"}}`), []string{"/tool_calls/0/arguments/definition/type", "jsonb"}},
		{"unknown tool", withTool, call("drop_field", `{}`), []string{"/tool_calls/0/name", "drop_field"}},
		{"a tool and none declared", ask, call("add_field", `{}`), []string{"/tool_calls/0/name", "not declared"}},
		{"forbidden", `{"model":"m","tool_choice":"none","tools":[` + schemaTool + `]}`, call("add_field", `{"name":"n","access":"read","definition":{"type":"int"}}`), []string{"/tool_calls/0", "forbids"}},
		{"required", `{"model":"m","tool_choice":"required","tools":[` + schemaTool + `]}`, output.Output{Text: "x"}, []string{"/tool_calls", "asks for a tool call"}},
		{"format", withFormat, output.Output{Text: `{"status":"paid"}`}, nil},
		{"enum of the format", withFormat, output.Output{Text: `{"status":"payed"}`}, []string{"/status"}},
		{"prose for a format", withFormat, output.Output{Text: `It is paid.`}, []string{"not JSON"}},
		{"prose for an object", `{"model":"m","response_format":{"type":"json_object"}}`, output.Output{Text: "[]"}, []string{"not a JSON object"}},
	} {
		d := open(t, provider.Config{Models: provider.Mock, Canned: func(string) ([]output.Output, error) { return []output.Output{tt.answer}, nil }})
		l := begin(t, d, "a", 1)
		status, body := post(t, providerAt(t, l, "openai")+"/chat/completions", tt.request)
		_, err := l.End()
		if tt.want == nil {
			if err != nil || status != http.StatusOK {
				t.Errorf("%s: %d %v %s", tt.name, status, err, body)
			}
			continue
		}
		for _, want := range append(tt.want, "canned answer 1 breaks the contract") {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: says %v, want %q", tt.name, err, want)
			}
		}
		if status != http.StatusBadRequest {
			t.Errorf("%s: is answered with %d", tt.name, status)
		}
	}
}

// TestToolsAreHeldInEveryFormat declares one tool as each format does.
func TestToolsAreHeldInEveryFormat(t *testing.T) {
	parameters := schemaTool[strings.Index(schemaTool, `"parameters":`)+len(`"parameters":`) : len(schemaTool)-1]
	bad := output.Output{ToolCalls: []output.ToolCall{{Name: "add_field", Arguments: json.RawMessage(`{"name":"n","access":"read","definition":{"type":"json"}}`)}}}
	for _, tt := range []struct{ provider, path, body string }{
		{"anthropic", "/v1/messages", `{"model":"m","max_tokens":9,"messages":[],"tools":[{"name":"add_field","input_schema":` + parameters + `}]}`},
		{"openai", "/responses", `{"model":"m","input":"x","tools":[{"type":"function","name":"add_field","parameters":` + parameters + `}]}`},
	} {
		d := open(t, provider.Config{Models: provider.Mock, Canned: func(string) ([]output.Output, error) { return []output.Output{bad}, nil }})
		l := begin(t, d, "a", 1)
		_, body := post(t, providerAt(t, l, tt.provider)+tt.path, tt.body)
		if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "/tool_calls/0/arguments/definition/type") {
			t.Errorf("%s: %v, %s", tt.path, err, body)
		}
	}
}
