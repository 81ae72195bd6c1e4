package wire_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/engine/output"
	"docket/engine/wire"
)

// told writes what was read of an answer in one line.
func told(a *wire.Answer) string {
	number := func(n *int64) string {
		if n == nil {
			return "?"
		}
		return fmt.Sprint(*n)
	}
	said := fmt.Sprintf("%s %q in %s out %s stop %s", a.Model, a.Text, number(a.Input), number(a.Output), a.StopReason)
	for _, c := range a.ToolCalls {
		said += fmt.Sprintf(" %s%s", c.Name, c.Arguments)
	}
	if a.Refused {
		said += " refused " + a.Refusal
	}
	if a.Truncated {
		said += " truncated"
	}
	if a.ToolCallsError != "" {
		said += " unparsable"
	}
	return said
}

func stream(events ...string) string { return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n" }

// TestAnswersOfServersInUse reads answers in the spellings that vendors and
// local servers give them.
func TestAnswersOfServersInUse(t *testing.T) {
	const messageEnd = `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`
	for _, tt := range []struct {
		name   string
		format wire.Format
		stream bool
		body   string
		want   string
	}{
		{"text", wire.Chat(), false, `{"model":"m","choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`, `m "hi" in 7 out 2 stop stop`},
		{"refusal field", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]}`, `m "" in ? out ? stop refusal refused no`},
		{"filtered", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":null},"finish_reason":"content_filter"}]}`, `m "" in ? out ? stop content_filter refused `},
		{"cut at a limit", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":"h"},"finish_reason":"length"}]}`, `m "h" in ? out ? stop length truncated`},
		{"call", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`, `m "" in ? out ? stop tool_calls f{"a":1}`},
		{"call that did not parse", wire.Chat(), false, `{"model":"m","choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":"}}]}}]}`, `m "" in ? out ? stop  f"{\"a\":" unparsable`},
		{"form of 2023", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":null,"function_call":{"name":"f","arguments":"{}"}},"finish_reason":"function_call"}]}`, `m "" in ? out ? stop function_call f{}`},
		{"vLLM: an empty list of calls, a null usage", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":"x","reasoning_content":"hm","tool_calls":[]},"finish_reason":"stop","stop_reason":null}],"usage":null}`, `m "x" in ? out ? stop stop`},
		{"vLLM: a named tool stops with stop", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":"","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}]}`, `m "" in ? out ? stop stop f{}`},
		{"vLLM: neither content nor reasoning", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":null,"reasoning":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":30}}`, `m "" in 4 out 30 stop stop`},
		{"Ollama: arguments as an object, no prompt tokens", wire.Chat(), false, `{"model":"m","system_fingerprint":"fp_ollama","choices":[{"message":{"content":"","reasoning":"r","tool_calls":[{"id":"c","index":0,"function":{"name":"f","arguments":{"a":"b"}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":0,"completion_tokens":5}}`, `m "" in ? out 5 stop tool_calls f{"a":"b"}`},
		{"llama.cpp: timings", wire.Chat(), false, `{"model":"alias","choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"x"}}],"timings":{"prompt_n":1},"usage":{"completion_tokens":1,"prompt_tokens":3.0}}`, `alias "x" in 3 out 1 stop stop`},
		{"LM Studio: stats, an odd model", wire.Chat(), false, `{"model":"what-is-loaded","choices":[{"message":{"content":"x"},"logprobs":null}],"stats":{},"usage":{"prompt_tokens":"many"}}`, `what-is-loaded "x" in ? out ? stop `},
		{"parts", wire.Chat(), false, `{"model":"m","choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"thinking","text":"z"},{"type":"text","text":"b"}]}}]}`, `m "ab" in ? out ? stop `},

		{"stream with usage", wire.Chat(), true, stream(`{"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`, `{"choices":[{"index":0,"delta":{"content":"h"}}],"usage":null}`, `{"choices":[{"index":1,"delta":{"content":"!"}}]}`, `{"choices":[{"index":0,"delta":{"content":"i"},"finish_reason":"stop"}]}`, `{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}`, `[DONE]`), `m "hi" in 3 out 2 stop stop`},
		{"stream without [DONE]", wire.Chat(), true, stream(`{"model":"m","choices":[{"delta":{"content":"h"},"finish_reason":"stop"}]}`), `m "h" in ? out ? stop stop`},
		{"stream without a reason to stop", wire.Chat(), true, stream(`{"model":"m","choices":[{"delta":{"content":"h"},"finish_reason":null}]}`, `[DONE]`), `m "h" in ? out ? stop `},
		{"calls in pieces", wire.Chat(), true, stream(`{"model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}]}`, `[DONE]`), `m "" in ? out ? stop tool_calls f{"a":1} g{}`},
		{"calls that share an index", wire.Chat(), true, stream(`{"model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\":2}"}}]}}]}`, `[DONE]`), `m "" in ? out ? stop  f{} f{"x":2}`},
		{"calls without an index", wire.Chat(), true, stream(`{"model":"m","choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"}"}}]}}]}`, `[DONE]`), `m "" in ? out ? stop  f{}`},

		{"message", wire.Messages(), false, `{"type":"message","model":"c","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"server_tool_use","name":"web","input":{}},{"type":"web_search_tool_result","content":[]},{"type":"text","text":"b"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"cache_creation_input_tokens":4,"cache_read_input_tokens":5,"output_tokens":6}}`, `c "ab" in 12 out 6 stop end_turn`},
		{"tool_use", wire.Messages(), false, `{"type":"message","model":"c","content":[{"type":"tool_use","id":"t","name":"f","input":{"b":1,"a":2}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":6}}`, `c "" in 3 out 6 stop tool_use f{"b":1,"a":2}`},
		{"refusal", wire.Messages(), false, `{"type":"message","model":"c","content":[],"stop_reason":"refusal","stop_details":{"category":"cyber","explanation":"cannot"}}`, `c "" in ? out ? stop refusal refused cannot`},
		{"max_tokens", wire.Messages(), false, `{"type":"message","model":"c","content":[{"type":"text","text":"a"}],"stop_reason":"max_tokens"}`, `c "a" in ? out ? stop max_tokens truncated`},
		{"message stream", wire.Messages(), true, "event: message_start\n" + stream(`{"type":"message_start","message":{"model":"c","content":[],"usage":{"input_tokens":3,"cache_read_input_tokens":2,"output_tokens":1}}}`, `{"type":"ping"}`, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`, `{"type":"content_block_stop","index":0}`, `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}}`, `{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`, `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\""}}`, `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":":1}"}}`, messageEnd, `{"type":"message_stop"}`), `c "a" in 5 out 9 stop tool_use f{"a":1}`},

		{"response", wire.Responses(), false, `{"model":"m","status":"completed","output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}"}],"usage":{"input_tokens":5,"output_tokens":6}}`, `m "ab" in 5 out 6 stop completed f{"a":1}`},
		{"incomplete response", wire.Responses(), false, `{"model":"m","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`, `m "" in ? out ? stop max_output_tokens truncated`},
		{"refusal part", wire.Responses(), false, `{"model":"m","status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}`, `m "" in ? out ? stop refusal refused no`},
		{"response stream", wire.Responses(), true, stream(`{"type":"response.created","response":{"model":"m","status":"in_progress"}}`, `{"type":"response.output_text.delta","delta":"h"}`, `{"type":"response.completed","response":{"model":"m","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}],"usage":{"input_tokens":1,"output_tokens":2}}}`), `m "hi" in 1 out 2 stop completed`},
	} {
		a, err := tt.format.Read([]byte(tt.body), tt.stream)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := told(a); got != tt.want {
			t.Errorf("%s\n is read %s\n want    %s", tt.name, got, tt.want)
		}
		if a.ToolCalls == nil {
			t.Errorf("%s: an answer without calls has unknown calls", tt.name)
		}
	}
}

// TestAnswersThatAreNone reads what servers send in the place of an answer.
func TestAnswersThatAreNone(t *testing.T) {
	for _, tt := range []struct {
		format    wire.Format
		stream    bool
		body      string
		status    int
		temporary bool
		want      string
	}{
		{wire.Chat(), false, `<html>busy</html>`, 0, true, "not the JSON of a chat completion: <html>busy</html>"},
		{wire.Chat(), false, `{"choices":[`, 0, true, "not the JSON"},
		{wire.Chat(), false, `{"choices":[]}`, 0, true, "no choices"},
		{wire.Chat(), false, `{"error":{"message":"quota","type":"insufficient_quota"}}`, 500, false, "quota"},
		{wire.Chat(), true, stream(`{"choices":[{"delta":{"content":"h"}}]}`), 0, true, "ends in the middle"},
		{wire.Chat(), true, stream(`{"error":{"message":"boom","type":"server_error"}}`), 500, true, "boom"},
		{wire.Chat(), true, "hello", 0, true, "holds no event"},
		{wire.Messages(), false, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, 529, true, "Overloaded"},
		{wire.Messages(), false, `{}`, 0, true, "no content"},
		{wire.Messages(), true, stream(`{"type":"message_start","message":{}}`), 0, true, "ends in the middle"},
		{wire.Messages(), true, stream(`{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}`), 400, false, "bad"},
		{wire.Messages(), true, stream(`{"type":"content_block_delta","index":3,"delta":{}}`), 0, true, "block 3"},
		{wire.Responses(), false, `{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}`, 429, true, "slow"},
		{wire.Responses(), false, `{"status":"queued","output":[]}`, 0, true, "queued"},
		{wire.Responses(), true, stream(`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"x"}}}`), 500, true, "x"},
		{wire.Responses(), true, stream(`{"type":"response.created"}`), 0, true, "ends in the middle"},
	} {
		_, err := tt.format.Read([]byte(tt.body), tt.stream)
		var f *wire.Failure
		if !errors.As(err, &f) {
			t.Errorf("%s is read with %v", tt.body, err)
			continue
		}
		if f.Status != tt.status || f.Temporary() != tt.temporary || !strings.Contains(f.Error(), tt.want) {
			t.Errorf("%s\n fails with %d, temporary %v: %v", tt.body, f.Status, f.Temporary(), f)
		}
	}
}

func TestErrorsOfServersInUse(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`{"error":{"message":"no","type":"invalid_request_error","code":null}}`, "400 invalid_request_error: no"},
		{`{"error":"model \"x\" not found"}`, `400: model "x" not found`},
		{`{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, "400 not_found_error: model: x"},
		{`{"detail":[{"loc":["body"],"msg":"bad"}]}`, `400: [{"loc":["body"],"msg":"bad"}]`},
		{`{"object":"error","message":"too long","code":40303}`, "400: too long"},
		{"<html>\n<b>Bad</b>", "400: <html> <b>Bad</b>"},
		{"", "400: no reason given"},
	} {
		if got := wire.ReadFailure(400, []byte(tt.body)).Error(); got != tt.want {
			t.Errorf("%s is told as %q, want %q", tt.body, got, tt.want)
		}
	}
	for _, f := range wire.Formats() {
		for _, status := range []int{400, 401, 404, 424, 429, 500, 529} {
			if got := wire.ReadFailure(status, f.WriteError(status, "why")); got.Message != "why" || got.Type == "" {
				t.Errorf("%s: the error that is written reads %+v", f.Name, got)
			}
		}
	}
}

// TestARefusalIsAText keeps what a model said where it said it in a field of its
// own.
func TestARefusalIsAText(t *testing.T) {
	var o output.Output
	(&wire.Answer{Refused: true, Refusal: "I cannot.", StopReason: "refusal"}).Fill(&o)
	if o.Text != "I cannot." || o.StopReason != "refusal" {
		t.Errorf("the output is %+v", o)
	}
}
