package check_test

import (
	"encoding/json"
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/output"
)

func model(t testing.TB, text string) any {
	t.Helper()
	if text == "" {
		return nil
	}
	v, err := canonical.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const parameters = `{"type":"object","required":["invoice_id"],"properties":{"invoice_id":{"type":"string"}},"additionalProperties":false}`

func TestDeclaredTools(t *testing.T) {
	forms := map[string]string{
		"OpenAI":    `[{"type":"function","function":{"name":"lookup","parameters":` + parameters + `}},{"type":"web_search","name":"search"}]`,
		"responses": `[{"type":"function","name":"lookup","parameters":` + parameters + `},{"name":"search"}]`,
		"Anthropic": `[{"name":"lookup","input_schema":` + parameters + `},{"name":"search"}]`,
		"MCP":       `{"tools":[{"name":"lookup","inputSchema":` + parameters + `},{"name":"search"}]}`,
	}
	for form, tools := range forms {
		schema, err := check.Schema(model(t, tools), nil)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		for _, tt := range []struct {
			name, arguments string
			score           float64
			message         string
		}{
			{"lookup", `{"invoice_id":"4417"}`, 1, ""},
			{"search", `{"whatever":1}`, 1, ""},
			{"search", ``, 1, ""},
			{"lookup", ``, 0.9, "invoice_id"},
			{"lookup", `{"invoice_id":4417}`, 0.9, `at "/tool_calls/0/arguments/invoice_id": lookup: got number, want string`},
			{"lookup", `{"invoice_id":"1","x":2}`, 0.9, "additional properties"},
			{"lookup", `["4417"]`, 0.9, "not an object"},
			{"lookup", `{"invoice_id":`, 0.9, "not JSON"},
			{"lookup", `{"invoice_id":1e999999999}`, 0.9, "range"},
			{"look\x1bup", `{}`, 0.9, "is not declared"},
		} {
			s := subject(t, "")
			s.Output.ToolCalls = []output.ToolCall{{Name: tt.name, Arguments: json.RawMessage(tt.arguments)}}
			v := judge(t, schema, s)
			if v.Score != tt.score || v.Pass != (tt.score == 1) || !strings.Contains(v.Message, tt.message) || strings.Contains(v.Message, "\x1b") {
				t.Errorf("%s, %s(%s): %+v", form, tt.name, tt.arguments, v)
			}
		}
		s := subject(t, "I did nothing.")
		if v := judge(t, schema, s); !v.Pass {
			t.Errorf("%s: no call: %+v", form, v)
		}
		s.Output.ToolCallsError = "bad"
		if v := judge(t, schema, s); v.Pass || v.Score != 0 {
			t.Errorf("%s: a call that did not parse: %+v", form, v)
		}
	}
}

func TestOutputSchema(t *testing.T) {
	for _, form := range []string{
		parameters,
		`{"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":` + parameters + `}}`,
		`{"name":"x","schema":` + parameters + `}`,
		`{"type":"json_schema","schema":` + parameters + `}`,
	} {
		schema, err := check.Schema(nil, model(t, form))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Name() != check.SchemaName {
			t.Error(schema.Name())
		}
		for text, pass := range map[string]bool{`{"invoice_id":"1"}`: true, `{"invoice_id":1}`: false, "prose": false, "": false} {
			if v := judge(t, schema, subject(t, text)); v.Pass != pass {
				t.Errorf("%q: %+v", text, v)
			}
		}
		s := subject(t, "")
		s.Output.ToolCalls = []output.ToolCall{{Name: "any"}}
		if v := judge(t, schema, s); !v.Pass {
			t.Errorf("a turn that only calls tools: %+v", v)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	for _, tt := range []struct{ tools, schema, want string }{
		{`"x"`, "", "expected a list of tools"},
		{`[3]`, "", "tool 1: expected an object"},
		{`[{"type":"function"}]`, "", "tool 1: it has no name"},
		{`[{"name":"a"},{"name":"a"}]`, "", "declared twice"},
		{`[{"name":"a","parameters":{"type":"objekt"}}]`, "", `tool 1, "a": the schema is not valid: at "/type"`},
		{`[{"name":"a","parameters":{"$ref":"file:///etc/passwd"}}]`, "", "nothing is loaded"},
		{``, `[]`, "a JSON Schema is an object"},
		{``, `{"$ref":"https://a.example/x"}`, "nothing is loaded"},
	} {
		if _, err := check.Schema(model(t, tt.tools), model(t, tt.schema)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: %v, want %q", tt.tools, tt.schema, err, tt.want)
		}
	}
}
