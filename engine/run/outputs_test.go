package run_test

import (
	"testing"

	"docket/engine/output"
	"docket/engine/run"
)

func TestOutputsHash(t *testing.T) {
	number := func(f float64) *float64 { return &f }
	base := func() []run.Sample {
		return []run.Sample{
			{Number: 1, Output: output.Output{Text: "ab", ToolCalls: []output.ToolCall{{Name: "f", Arguments: []byte(`{"b":1,"a":"<"}`)}}}},
			{Number: 2, Output: output.Output{Text: "c"}},
		}
	}
	want := run.OutputsHash(base())
	for name, change := range map[string]func(s []run.Sample) []run.Sample{
		"latency":  func(s []run.Sample) []run.Sample { s[0].Output.LatencyMS = number(3); return s },
		"raw":      func(s []run.Sample) []run.Sample { s[0].Output.Raw = []byte("{}"); return s },
		"verdicts": func(s []run.Sample) []run.Sample { s[0].Score = number(1); return s },
		"spelling": func(s []run.Sample) []run.Sample {
			s[0].Output.ToolCalls[0].Arguments = []byte(`{"a": "\u003c", "b":1.0}`)
			return s
		},
		"a failed sample": func(s []run.Sample) []run.Sample { return append(s, run.Sample{Number: 3, Error: "down"}) },
	} {
		if got := run.OutputsHash(change(base())); got != want {
			t.Errorf("%s changes the hash", name)
		}
	}
	for name, change := range map[string]func(s []run.Sample){
		"text":            func(s []run.Sample) { s[1].Output.Text = "d" },
		"where text ends": func(s []run.Sample) { s[0].Output.Text, s[1].Output.Text = "a", "bc" },
		"number":          func(s []run.Sample) { s[1].Number = 3 },
		"no calls":        func(s []run.Sample) { s[1].Output.ToolCalls = []output.ToolCall{} },
		"a call's name":   func(s []run.Sample) { s[0].Output.ToolCalls[0].Name = "g" },
		"an argument":     func(s []run.Sample) { s[0].Output.ToolCalls[0].Arguments = []byte(`{"b":2,"a":"<"}`) },
		"unparsable":      func(s []run.Sample) { s[1].Output.ToolCallsError = "x" },
	} {
		s := base()
		change(s)
		if run.OutputsHash(s) == want {
			t.Errorf("%s does not change the hash", name)
		}
	}
}
