package engine

import (
	"encoding/json"
	"strings"
	"testing"

	"docket/engine/output"
	"docket/engine/run"
	"docket/engine/secret"
)

// TestScrubber says what a sample loses: what is measured loses what is known and
// nothing else, what nobody compares loses what looks like a key, and raw stays
// JSON.
func TestScrubber(t *testing.T) {
	c := scrubber{secret.New([]string{"known-0123456789"})}
	given := []run.Given{{Check: "tone", Message: "by sk-0123456789abcdef0123"}}
	s := run.Sample{
		Error: `{"api_key":"x"} of known-0123456789`, Given: given,
		Output: output.Output{
			Text:      `known-0123456789 and sk-0123456789abcdef0123, {"password":"x"}`,
			Raw:       json.RawMessage(`{"key":"-----BEGIN PRIVATE KEY-----\nMII","n":1.50,"said":"known-0123456789"}`),
			ToolCalls: []output.ToolCall{{Name: "send", Arguments: json.RawMessage(`{"password":"x","by":"known-0123456789"}`)}},
		},
	}
	calls := s.Output.ToolCalls
	c.Sample(&s)
	for got, want := range map[string]string{
		s.Error:                                 `{"api_key":"[redacted]"} of [redacted]`,
		s.Output.Text:                           `[redacted] and sk-0123456789abcdef0123, {"password":"x"}`,
		string(s.Output.ToolCalls[0].Arguments): `{"password":"x","by":"[redacted]"}`,
		s.Given[0].Message:                      "by [redacted]",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if !json.Valid(s.Output.Raw) || strings.Contains(string(s.Output.Raw), "known") || strings.Contains(string(s.Output.Raw), "MII") {
		t.Errorf("raw is %s", s.Output.Raw)
	}
	if string(calls[0].Arguments) != `{"password":"x","by":"known-0123456789"}` || given[0].Message != "by sk-0123456789abcdef0123" {
		t.Error("what others hold was changed")
	}
	s.Checks = []run.Verdict{{Check: "rubric", Message: "Bearer abc.def-123", Unscored: "401: known-0123456789"}}
	if c.Judged(&s); s.Checks[0].Message != "Bearer [redacted]" || s.Checks[0].Unscored != "401: [redacted]" {
		t.Errorf("the verdict says %+v", s.Checks[0])
	}
}
