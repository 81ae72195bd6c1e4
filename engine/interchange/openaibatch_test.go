package interchange_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/interchange"
)

func TestRealBatch(t *testing.T) {
	file := real(t, interchange.Options{}, "openai", "batch_output.synthetic.jsonl")
	want := []string{
		`refund-window#2 "Returns accepted for 30 days."`,
		`book-tool#1 "" book_table({"party": 2, "time": "19:00"})`,
		`refund-window#1 "You can return any item within 30 days."`,
	}
	if diff := cmp.Diff(want, spellAll(file)); diff != "" {
		t.Error(diff)
	}
	if out := file.Rows[1].Output; out.Model != "gpt-4o-2024-08-06" || *out.InputTokens != 22 || *out.OutputTokens != 12 || out.StopReason != "tool_calls" || out.LatencyMS != nil || out.CostUSD != nil {
		t.Errorf("output %+v", out)
	}
	failed := real(t, interchange.Options{}, "openai", "batch_errors.synthetic.jsonl")
	want = []string{
		`order-json#1 error "rate_limit_exceeded: Rate limit reached"`,
		`late#1 error "batch_expired: This request could not be executed before the completion window expired."`,
	}
	if diff := cmp.Diff(want, spellAll(failed)); diff != "" || failed.Report.Errors != 2 {
		t.Error(diff)
	}
	// The two files behind one another are one run.
	both, err := interchange.Read(t.Context(), "f", io.MultiReader(openReal(t, "openai", "batch_output.synthetic.jsonl"), openReal(t, "openai", "batch_errors.synthetic.jsonl")))
	if err != nil || both.Report.Rows != 5 || both.Report.Cases != 4 || both.Report.Errors != 2 {
		t.Errorf("%+v, %v", both, err)
	}
	_, err = interchange.Read(t.Context(), "in.jsonl", openReal(t, "openai", "batch_input.synthetic.jsonl"))
	if err == nil || !strings.Contains(err.Error(), "the requests of a batch and no outputs") {
		t.Errorf("the requests give %v", err)
	}
}

func TestRealChatLogs(t *testing.T) {
	file := real(t, interchange.Options{}, "openai", "logged_pairs.synthetic.jsonl")
	want := []string{
		`refund-window#1 "You can return any item within 30 days."`,
		`book-tool#1 "" book_table({"party": 2, "time": "19:00"})`,
		`refund-window#2 "Returns accepted for 30 days."`,
	}
	if diff := cmp.Diff(want, spellAll(file)); diff != "" || *file.Rows[1].Output.LatencyMS != 411 {
		t.Error(diff)
	}
	_, err := interchange.Read(t.Context(), "f", openReal(t, "openai", "chat_completions.synthetic.jsonl"))
	if err == nil || !strings.Contains(err.Error(), "f:1:1: this chat completion does not say which case it answers") {
		t.Errorf("bare completions give %v", err)
	}
	byLine := real(t, interchange.Options{ID: "line"}, "openai", "chat_completions.synthetic.jsonl")
	if len(byLine.Rows) != 3 || byLine.Rows[2].ID != "line-3" || byLine.Report.Rule == "" {
		t.Errorf("rows %v", spellAll(byLine))
	}
}

func batchLine(id, message, rest string) string {
	return fmt.Sprintf(`{"custom_id":%q,"response":{"status_code":200,"body":{"model":"m","choices":[{"message":%s,"finish_reason":"stop"}]}}%s}`+"\n", id, message, rest)
}

func TestBatchLines(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		want []string
	}{
		"error null":          {batchLine("a", `{"content":"x"}`, `,"error":null`), []string{`a#1 "x"`}},
		"a refusal":           {batchLine("a#3", `{"content":null,"refusal":"I can't."}`, ""), []string{`a#3 "I can't."`}},
		"no number":           {batchLine("a#x", `{"content":"x"}`, ""), []string{`a#x#1 "x"`}},
		"an old call":         {batchLine("a", `{"content":null,"function_call":{"name":"f","arguments":"{}"}}`, ""), []string{`a#1 "" f({})`}},
		"parts":               {batchLine("a", `{"content":[{"type":"text","text":"x"},{"type":"image_url"}]}`, ""), []string{`a#1 "x"`}},
		"a status":            {`{"custom_id":"a","response":{"status_code":500,"body":null},"error":null}`, []string{`a#1 error "HTTP 500"`}},
		"an error as text":    {`{"custom_id":"a","error":"gone"}`, []string{`a#1 error "gone"`}},
		"choices are samples": {`{"custom_id":"a#1","response":{"status_code":200,"body":{"choices":[{"message":{"content":"x"}},{"message":{"content":"y"}}],"usage":{"prompt_tokens":1}}}}`, []string{`a#1 "x"`, `a#2 "y"`}},
		"a response":          {`{"custom_id":"a","response":{"status_code":200,"body":{"object":"response","output":[{"type":"reasoning"},{"type":"message","content":[{"type":"output_text","text":"x"}]},{"type":"function_call","name":"f","arguments":"{\"k\":1}"}]}}}`, []string{`a#1 "x" f({"k":1})`}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spellAll(read(t, tt.line))); diff != "" {
				t.Error(diff)
			}
		})
	}
	a, b, c := batchLine("a#1", `{"content":"x"}`, ""), batchLine("b", `{"content":"y"}`, ""), batchLine("a#2", `{"content":"z"}`, "")
	if diff := cmp.Diff(answers(t, a+b+c), answers(t, c+b+a)); diff != "" {
		t.Error(diff)
	}
	refuse(t, interchange.Options{}, a+b+a, "f:3:1: this result is there twice, first at line 1")
	refuse(t, interchange.Options{}, a+b[:30], "the file is cut short")
	refuse(t, interchange.Options{}, a+`{"custom_id":7,"response":{}}`, `expected a "custom_id"`)
	refuse(t, interchange.Options{}, `{"custom_id":"a","response":{"status_code":200,"body":{}}}`, `expected an answer with "choices" or "output"`)
	refuse(t, interchange.Options{}, `{"custom_id":"a","response":{"body":{"choices":[{}]}}}`, "choices[0] has no message")
}

func TestHostedEval(t *testing.T) {
	line := func(q string, rest string) string {
		return fmt.Sprintf(`{"run_id":"r","data_source_idx":0,"item":{"q":%q},"sample":{"model":"m","outputs":[{"role":"assistant","content":"x"}],"finish_reason":"stop","token_usage":{"prompt_tokens":3},"error":null},%s}`+"\n", q, rest)
	}
	file, err := interchange.ReadWith(t.Context(), "f", strings.NewReader(line("one", `"grades":{"g":0.5,"h":1},"passes":{"g":false}`)+line("two", `"grades":{}`)), interchange.Options{ID: "q"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`one#1 "x" openai:g=fail(0.5) openai:h=?(1)`, `two#1 "x"`}
	if diff := cmp.Diff(want, spellAll(file)); diff != "" {
		t.Error(diff)
	}
	if id := read(t, line("one", `"passes":{}`)).Rows[0].ID; !strings.HasPrefix(id, "item-") {
		t.Errorf("the id is %q", id)
	}
	failed := strings.Replace(line("one", `"passes":{}`), `"error":null`, `"error":{"message":"down"}`, 1)
	if row := read(t, failed).Rows[0]; row.Error != "down" {
		t.Errorf("row %+v", row)
	}
}

func FuzzBatchAndChatLogs(f *testing.F) {
	f.Add([]byte(batchLine("a#2", `{"content":"x","tool_calls":[{"function":{"name":"f","arguments":"{"}},{}]}`, "")+`{"custom_id":"b","response":null,"error":{"code":"c","message":"m"}}`), "model")
	f.Add([]byte(`{"case_id":"a","sample":2,"request":{"messages":[]},"response":{"object":"x","choices":[{"text":"x"},{"message":{}}]}}`), "line")
	f.Add([]byte(`{"id":"x","object":"chat.completion","choices":[{"message":{}}]}`), "id")
	f.Add([]byte(`{"item":{"q":1},"sample":{"outputs":[{"content":"x"}]},"passes":{"a":true},"grades":{"a":1,"b":NaN},"run_id":"r"}`), "q")
	f.Fuzz(func(t *testing.T, data []byte, id string) {
		holds(t, bytes.NewReader(data), interchange.Options{})
		holds(t, bytes.NewReader(data), interchange.Options{ID: id})
	})
}
