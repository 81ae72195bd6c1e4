package wire_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/output"
	"docket/engine/wire"
)

// TestAnswersSurviveTheWire writes answers in each format, as a document and as
// a stream, and reads them back.
func TestAnswersSurviveTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &wire.Answer{Text: rapid.String().Draw(t, "text"), ToolCalls: []output.ToolCall{}}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			arguments, _ := json.Marshal(rapid.MapOf(rapid.StringN(0, 4, 16), rapid.StringN(0, 40, 160)).Draw(t, "arguments"))
			want.ToolCalls = append(want.ToolCalls, output.ToolCall{
				Name: rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "name"), Arguments: arguments,
			})
		}
		for _, f := range wire.Formats() {
			for _, stream := range []bool{false, true} {
				r := &wire.Request{Model: "m-1", Stream: stream, StreamUsage: stream}
				body := f.WriteAnswer(want, r, 2)
				if stream {
					body = bytes.Join(f.WriteStream(want, r, 2), nil)
					if pieces := wire.SplitEvents(body); !bytes.Equal(bytes.Join(pieces, nil), body) || len(pieces) != len(wire.Events(body)) {
						t.Fatalf("%s: a stream of %d events splits into %d", f.Name, len(wire.Events(body)), len(pieces))
					}
				}
				got, err := f.Read(body, stream)
				if err != nil {
					t.Fatalf("%s, stream %v: %v\n%s", f.Name, stream, err, body)
				}
				if got.Text != want.Text || got.Model != "m-1" || got.Refused || got.Truncated || got.ToolCallsError != "" {
					t.Fatalf("%s, stream %v: %+v", f.Name, stream, got)
				}
				if diff := cmp.Diff(spelled(want.ToolCalls), spelled(got.ToolCalls)); diff != "" {
					t.Fatalf("%s, stream %v: %s", f.Name, stream, diff)
				}
			}
		}
	})
}

// spelled decodes arguments, so that the order of keys does not matter.
func spelled(calls []output.ToolCall) []any {
	all := []any{}
	for _, c := range calls {
		var v any
		json.Unmarshal(c.Arguments, &v)
		all = append(all, []any{c.Name, v})
	}
	return all
}

// TestRequestsAreUnderstood writes a prompt in each format and reads what an
// answer depends on.
func TestRequestsAreUnderstood(t *testing.T) {
	parameters := map[string]any{"type": "object", "properties": map[string]any{"q": map[string]any{"type": "string"}}}
	schema := map[string]any{"type": "object"}
	for _, tools := range []any{
		[]any{map[string]any{"type": "function", "function": map[string]any{"name": "search", "parameters": parameters}}},
		[]any{map[string]any{"name": "search", "description": "d", "input_schema": parameters}},
		map[string]any{"tools": []any{map[string]any{"name": "search", "inputSchema": parameters}}},
	} {
		for _, f := range wire.Formats() {
			body, err := f.WriteRequest(&wire.Prompt{
				Model: "m-1", System: "s", User: "u", Tools: tools, Schema: schema,
				Params: map[string]any{"temperature": json.Number("0.8")},
			})
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			r, err := f.ReadRequest(body)
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			if r.Model != "m-1" || r.Stream || len(r.Tools) != 1 || r.Schema == nil || r.JSONObject || r.Choice != (wire.Choice{}) {
				t.Errorf("%s: %s\nis read as %+v", f.Name, body, r)
			}
			if diff := cmp.Diff(any(schema), r.Schema); diff != "" {
				t.Errorf("%s: %s", f.Name, diff)
			}
			if !bytes.Contains(body, []byte(`"temperature":0.8`)) {
				t.Errorf("%s: parameters are missing in %s", f.Name, body)
			}
		}
	}
}

func TestChoices(t *testing.T) {
	for _, tt := range []struct {
		format wire.Format
		choice string
		want   wire.Choice
	}{
		{wire.Chat(), `"none"`, wire.Choice{None: true}},
		{wire.Chat(), `"auto"`, wire.Choice{}},
		{wire.Chat(), `"required"`, wire.Choice{Required: true}},
		{wire.Chat(), `{"type":"function","function":{"name":"f"}}`, wire.Choice{Required: true, Name: "f"}},
		{wire.Responses(), `{"type":"function","name":"f"}`, wire.Choice{Required: true, Name: "f"}},
		{wire.Messages(), `{"type":"any"}`, wire.Choice{Required: true}},
		{wire.Messages(), `{"type":"none"}`, wire.Choice{None: true}},
		{wire.Messages(), `{"type":"tool","name":"f"}`, wire.Choice{Required: true, Name: "f"}},
	} {
		r, err := tt.format.ReadRequest([]byte(`{"model":"m","tool_choice":` + tt.choice + `}`))
		if err != nil || r.Choice != tt.want {
			t.Errorf("%s %s is read as %+v, %v", tt.format.Name, tt.choice, r.Choice, err)
		}
	}
	for _, body := range []string{"", "{", "[]", `{"a":1,"a":2}`, "{} x"} {
		if _, err := wire.Chat().ReadRequest([]byte(body)); err == nil {
			t.Errorf("%q is read as a request", body)
		}
	}
}

func TestToolsOfTheProviderAreNotTheSystems(t *testing.T) {
	r, err := wire.Messages().ReadRequest([]byte(`{"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f","input_schema":{}}]}`))
	if err != nil || len(r.Tools) != 1 {
		t.Errorf("tools are %v, %v", r.Tools, err)
	}
	r, err = wire.Responses().ReadRequest([]byte(`{"tools":[{"type":"file_search"},{"type":"function","name":"f","parameters":{}}]}`))
	if err != nil || len(r.Tools) != 1 {
		t.Errorf("tools are %v, %v", r.Tools, err)
	}
}

func TestFormatByPath(t *testing.T) {
	for _, tt := range []struct{ provider, path, want string }{
		{"openai", "/v1/chat/completions", "chat"},
		{"openai", "/v1/responses", "responses"},
		{"anthropic", "/v1/messages", "messages"},
		{"anthropic", "/v1/messages/count_tokens", ""},
		{"openai", "/v1/messages", ""},
		{"openai", "/v1/embeddings", ""},
	} {
		f, ok := wire.ForPath(tt.provider, tt.path)
		if f.Name != tt.want || ok != (tt.want != "") {
			t.Errorf("%s %s is spoken %q", tt.provider, tt.path, f.Name)
		}
	}
}

func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		stream string
		want   []string
	}{
		{"data: a\n\ndata: b\n\n", []string{"a", "b"}},
		{"data:a\r\n\r\n: comment\r\n\r\ndata: b\r\rdata: c", []string{"a", "b", "c"}},
		{"\xef\xbb\xbfdata: a\ndata: b\ndata: c\n\n\n\n", []string{"a\nb\nc"}},
		{"event: x\nid: 3\nretry: 5\n\n", nil},
		{"", nil},
	} {
		var got []string
		for _, e := range wire.Events([]byte(tt.stream)) {
			got = append(got, string(e.Data))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q holds %q, want %q", tt.stream, got, tt.want)
		}
	}
}
