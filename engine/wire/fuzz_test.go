package wire_test

import (
	"bytes"
	"testing"

	"docket/engine/output"
	"docket/engine/wire"
)

// FuzzAnswers reads bytes as every kind of answer. Whatever they are, there is
// an answer or an error, and an answer can be written and read again.
func FuzzAnswers(f *testing.F) {
	a := &wire.Answer{Text: "Hé", ToolCalls: []output.ToolCall{{Name: "f", Arguments: []byte(`{"a":[1,"x"]}`)}}}
	for _, format := range wire.Formats() {
		r := &wire.Request{Model: "m", StreamUsage: true}
		f.Add(format.WriteAnswer(a, r, 0))
		f.Add(bytes.Join(format.WriteStream(a, r, 1), nil))
		f.Add(format.WriteError(529, "busy"))
	}
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,\"function\":{\"arguments\":{}}}]}}]}\n\ndata: [DONE]"))
	f.Add([]byte(`{"content":[{"type":"tool_use","input":"{"}],"usage":{"input_tokens":1e400}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range wire.Formats() {
			for _, stream := range []bool{false, true} {
				got, err := format.Read(body, stream)
				if (got == nil) != (err != nil) {
					t.Fatalf("%s: an answer %v with the error %v", format.Name, got, err)
				}
				if err != nil || got.ToolCallsError != "" {
					continue
				}
				again, err := format.ReadAnswer(format.WriteAnswer(got, &wire.Request{}, 0))
				if err != nil || again.Text != got.Text || len(again.ToolCalls) != len(got.ToolCalls) {
					t.Fatalf("%s: %+v is written and read as %+v, %v", format.Name, got, again, err)
				}
			}
		}
		wire.ReadFailure(500, body)
		if !bytes.Equal(bytes.Join(wire.SplitEvents(body), nil), body) {
			t.Fatal("a split stream lost bytes")
		}
	})
}

// FuzzRequests reads bytes as requests.
func FuzzRequests(f *testing.F) {
	for _, format := range wire.Formats() {
		body, _ := format.WriteRequest(&wire.Prompt{Model: "m", System: "s", User: "u", Tools: []any{map[string]any{"name": "f"}}, Schema: map[string]any{}})
		f.Add(body)
	}
	f.Add([]byte(`{"tools":[1,{"function":3}],"tool_choice":[],"text":{"format":[]},"response_format":"x","stream_options":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range wire.Formats() {
			if r, err := format.ReadRequest(body); (r == nil) != (err != nil) {
				t.Fatalf("%s: a request %v with the error %v", format.Name, r, err)
			}
		}
	})
}
