package interchange_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/interchange"
)

func TestRealOpenAIEvals(t *testing.T) {
	file := real(t, interchange.Options{}, "openai-evals", "weather.synthetic.jsonl")
	want := []string{
		`weather.dev.0#1 "It is raining, 9C." get_weather({"city":"Oslo"}) openai-evals:match=pass(1)`,
		`weather.dev.1#1 "Probably sunny?" openai-evals:score=?(0.5)`,
		`weather.dev.2#1 error "RateLimitError: 429"`,
	}
	if diff := cmp.Diff(want, spellAll(file)); diff != "" {
		t.Error(diff)
	}
	if out := file.Rows[0].Output; out.Model != "gpt-4o-2024-08-06" || *out.InputTokens != 24 || *out.OutputTokens != 7 {
		t.Errorf("output %+v", out)
	}
	byPrompt := real(t, interchange.Options{ID: "prompt"}, "openai-evals", "weather.synthetic.jsonl")
	if byPrompt.Rows[0].ID != byPrompt.Rows[1].ID || !strings.HasPrefix(byPrompt.Rows[0].ID, "prompt-") {
		t.Errorf("the same prompt has the ids %q and %q", byPrompt.Rows[0].ID, byPrompt.Rows[1].ID)
	}
}

const evalsSpec = `{"spec":{"completion_fns":["m"],"eval_name":"e"}}` + "\n" + `{"final_report":{}}` + "\n"

// evalsLines writes events, each "KIND DATA", of one sample.
func evalsLines(run, sample string, from int, events ...string) string {
	var b strings.Builder
	for i, e := range events {
		kind, data, _ := strings.Cut(e, " ")
		fmt.Fprintf(&b, `{"run_id":%q,"event_id":%d,"sample_id":%q,"type":%q,"data":%s}`+"\n", run, from+i, sample, kind, data)
	}
	return b.String()
}

func TestOpenAIEvals(t *testing.T) {
	for name, tt := range map[string]struct {
		events []string
		want   []string
	}{
		"two samples":          {[]string{`sampling {"sampled":"a"}`, `match {"correct":true}`, `sampling {"sampled":["b","c"]}`, `match {"correct":false,"expected":"x","picked":"b"}`}, []string{`s#1 "a" openai-evals:match=pass(1)`, `s#2 "b" openai-evals:match=fail(0)`}},
		"two verdicts of one":  {[]string{`sampling {"sampled":"a"}`, `match {"correct":true}`, `metrics {"accuracy":0,"f1_score":0.5,"n":true}`}, []string{`s#1 "a" openai-evals:match=pass(1) openai-evals:accuracy=fail(0) openai-evals:f1_score=?(0.5) openai-evals:n=pass(1)`}},
		"a grader samples too": {[]string{`sampling {"sampled":"answer"}`, `sampling {"sampled":"B, since"}`, `metrics {"choice":"B","score":0.5}`}, []string{`s#1 "answer" openai-evals:score=?(0.5)`}},
		"the last turn counts": {[]string{`sampling {"sampled":"let me see"}`, `sampling {"sampled":"answer"}`, `match {"correct":true}`}, []string{`s#1 "answer" openai-evals:match=pass(1)`}},
		"unscored":             {[]string{`sampling {"sampled":"a"}`}, []string{`s#1 "a"`}},
		"an error, then well":  {[]string{`error {"message":"429"}`, `sampling {"sampled":"a"}`, `match {"correct":true}`}, []string{`s#1 "a" openai-evals:match=pass(1)`}},
		"an error":             {[]string{`sampling {"sampled":"a"}`, `error {}`}, []string{`s#1 error "an error without a message"`}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spellAll(read(t, evalsSpec+evalsLines("r", "s", 0, tt.events...)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	runs := evalsSpec + evalsLines("r1", "s", 0, `sampling {"sampled":"a"}`) + evalsLines("r2", "s", 0, `sampling {"sampled":"b"}`)
	refuse(t, interchange.Options{}, runs, `it holds 2 variants of its cases: "r1", "r2"`)
}

func TestOpenAIEvalsCutSwappedDuplicated(t *testing.T) {
	a, b := evalsLines("r", "a", 0, `sampling {"sampled":"x"}`, `match {"correct":true}`), evalsLines("r", "b", 2, `sampling {"sampled":"y"}`, `match {"correct":false}`)
	lines := strings.SplitAfter(strings.TrimSuffix(a+b, "\n"), "\n")
	lines[3] += "\n"
	swapped := evalsSpec + lines[3] + lines[1] + lines[2] + lines[0]
	if diff := cmp.Diff(answers(t, evalsSpec+a+b), answers(t, swapped)); diff != "" {
		t.Error(diff)
	}
	refuse(t, interchange.Options{}, evalsSpec+a+lines[1], `f:5:1: event 1 of "a" is there twice, first on line 4`)
	whole := evalsSpec + a + b
	refuse(t, interchange.Options{}, whole[:len(whole)-9], "the file is cut short")
	if notes := read(t, strings.Replace(evalsSpec, `{"final_report":{}}`+"\n", "", 1)+a).Report.Notes; len(notes) != 1 || !strings.Contains(notes[0], "no final report") {
		t.Errorf("notes %q", notes)
	}
	refuse(t, interchange.Options{}, evalsSpec+`{"sample_id":7,"type":"match"}`, `f:3:1: expected an event`)
}

func FuzzOpenAIEvals(f *testing.F) {
	f.Add([]byte(evalsSpec + evalsLines("r", "a", 0, `sampling {"sampled":["x"],"usage":{"prompt_tokens":-1}}`, `match {"correct":true}`, `function_call {"name":"f","arguments":"{"}`, `metrics {"choice":"B","a":NaN,"accuracy":1}`, `error {}`)))
	f.Add([]byte(evalsLines("r", "a", -9223372036854775808, `raw_sample {"input":[]}`, `sampling {}`) + evalsLines("q", "a", 9223372036854775807, `match 7`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		holds(t, bytes.NewReader(data), interchange.Options{})
		holds(t, bytes.NewReader(data), interchange.Options{ID: "prompt", Variant: "r"})
	})
}
