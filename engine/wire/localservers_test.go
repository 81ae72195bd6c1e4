package wire_test

import (
	"testing"

	"docket/engine/wire"
)

// A serverAnswer is an answer in the form of one server.
type serverAnswer struct {
	of     string // what is peculiar to it
	stream bool
	body   string
	want   string // as told
}

// TestLocalServers reads what the servers that people run models with at home
// answer, by the shapes that they document and the quirks that are known of them:
// a text, a call, a stream, and what each does its own way.
func TestLocalServers(t *testing.T) {
	for _, server := range []struct {
		name    string
		answers []serverAnswer
	}{
		{"llama.cpp", []serverAnswer{
			{"text, with its build and timings", false, `{"choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"Paid."}}],"created":1767225600,"model":"alias","system_fingerprint":"b7021-6c2e","object":"chat.completion","usage":{"completion_tokens":3,"prompt_tokens":21,"total_tokens":24},"id":"chatcmpl-x","timings":{"prompt_n":21,"prompt_ms":12.5,"predicted_n":3}}`, `alias "Paid." in 21 out 3 stop stop`},
			{"call", false, `{"choices":[{"finish_reason":"tool_calls","index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"search","arguments":"{\"q\":\"terms\"}"},"id":"Zk1"}]}}],"model":"alias","usage":{"completion_tokens":9,"prompt_tokens":80}}`, `alias "" in 80 out 9 stop tool_calls search{"q":"terms"}`},
			{"tools that the template knows nothing of, dropped without a word", false, `{"choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"I would search for the terms."}}],"model":"alias","usage":{"completion_tokens":8,"prompt_tokens":21}}`, `alias "I would search for the terms." in 21 out 8 stop stop`},
			{"stream, with timings where usage is not asked for", true, stream(`{"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"model":"alias","object":"chat.completion.chunk"}`, `{"choices":[{"finish_reason":null,"index":0,"delta":{"content":"Pa"}}],"model":"alias"}`, `{"choices":[{"finish_reason":null,"index":0,"delta":{"content":"id."}}],"model":"alias"}`, `{"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"model":"alias","timings":{"prompt_n":21}}`, `[DONE]`), `alias "Paid." in ? out ? stop stop`},
			{"reasoning apart", false, `{"choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","reasoning_content":"Overdue? No.","content":"Paid."}}],"model":"alias"}`, `alias "Paid." in ? out ? stop stop`},
		}},
		{"Ollama", []serverAnswer{
			{"text, with a fingerprint that tells nothing", false, `{"id":"chatcmpl-7","object":"chat.completion","created":1767225600,"model":"qwen3:0.6b","system_fingerprint":"fp_ollama","choices":[{"index":0,"message":{"role":"assistant","content":"Paid.","reasoning":"hm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":15,"completion_tokens":4,"total_tokens":19}}`, `qwen3:0.6b "Paid." in 15 out 4 stop stop`},
			{"prompt tokens that were not counted", false, `{"model":"qwen3:0.6b","choices":[{"index":0,"message":{"role":"assistant","content":"Paid."},"finish_reason":"stop"}],"usage":{"prompt_tokens":0,"completion_tokens":4,"total_tokens":4}}`, `qwen3:0.6b "Paid." in ? out 4 stop stop`},
			{"a prompt cut at its window, told by nothing but the count", false, `{"model":"qwen3:0.6b","choices":[{"index":0,"message":{"role":"assistant","content":"Paid."},"finish_reason":"stop"}],"usage":{"prompt_tokens":4090,"completion_tokens":6,"total_tokens":4096}}`, `qwen3:0.6b "Paid." in 4090 out 6 stop stop`},
			{"two calls that a stream gives whole, under one index", true, stream(`{"model":"qwen3:0.6b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_a","index":0,"type":"function","function":{"name":"search","arguments":"{\"q\":\"terms\"}"}}]},"finish_reason":null}]}`, `{"model":"qwen3:0.6b","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_b","index":0,"type":"function","function":{"name":"search","arguments":"{\"q\":\"more\"}"}}]},"finish_reason":null}]}`, `{"model":"qwen3:0.6b","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"tool_calls"}]}`, `[DONE]`), `qwen3:0.6b "" in ? out ? stop tool_calls search{"q":"terms"} search{"q":"more"}`},
		}},
		{"vLLM", []serverAnswer{
			{"text, with an empty list of calls and everything else null", false, `{"id":"chatcmpl-1","object":"chat.completion","model":"org/model","choices":[{"index":0,"message":{"role":"assistant","content":"Paid.","refusal":null,"annotations":null,"audio":null,"function_call":null,"tool_calls":[],"reasoning_content":null},"logprobs":null,"finish_reason":"stop","stop_reason":null,"token_ids":null}],"service_tier":null,"system_fingerprint":null,"usage":{"prompt_tokens":34,"total_tokens":37,"completion_tokens":3,"prompt_tokens_details":null},"prompt_logprobs":null,"kv_transfer_params":null}`, `org/model "Paid." in 34 out 3 stop stop`},
			{"a required call that stops with stop", false, `{"model":"org/model","choices":[{"index":0,"message":{"role":"assistant","content":"","tool_calls":[{"id":"chatcmpl-tool-1","type":"function","function":{"name":"search","arguments":"{\"q\": \"terms\"}"}}]},"finish_reason":"stop"}]}`, `org/model "" in ? out ? stop stop search{"q": "terms"}`},
			{"tokens, and neither content nor reasoning", false, `{"model":"org/model","choices":[{"index":0,"message":{"role":"assistant","content":null,"reasoning_content":null,"tool_calls":[]},"finish_reason":"length"}],"usage":{"prompt_tokens":34,"completion_tokens":256}}`, `org/model "" in 34 out 256 stop length truncated`},
			{"a call in pieces, usage behind it, the reason null", true, stream(`{"model":"org/model","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}`, `{"model":"org/model","choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-1","type":"function","index":0,"function":{"name":"search"}}]},"finish_reason":null}]}`, `{"model":"org/model","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\": \"te"}}]},"finish_reason":null}]}`, `{"model":"org/model","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"rms\"}"}}]},"finish_reason":null}]}`, `{"model":"org/model","choices":[],"usage":{"prompt_tokens":34,"total_tokens":43,"completion_tokens":9}}`, `[DONE]`), `org/model "" in 34 out 9 stop  search{"q": "terms"}`},
		}},
		{"LM Studio", []serverAnswer{
			{"what is loaded, whatever was asked for", false, `{"id":"chatcmpl-b","object":"chat.completion","model":"what-is-loaded","choices":[{"index":0,"logprobs":null,"finish_reason":"stop","message":{"role":"assistant","content":"Paid."}}],"usage":{"prompt_tokens":24,"completion_tokens":5,"total_tokens":29},"stats":{},"system_fingerprint":"what-is-loaded"}`, `what-is-loaded "Paid." in 24 out 5 stop stop`},
			{"call", false, `{"model":"what-is-loaded","choices":[{"index":0,"logprobs":null,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[{"id":"365174485","type":"function","function":{"name":"search","arguments":"{\"q\":\"terms\"}"}}]}}],"usage":{"prompt_tokens":263,"completion_tokens":34}}`, `what-is-loaded "" in 263 out 34 stop tool_calls search{"q":"terms"}`},
			{"stream", true, stream(`{"model":"what-is-loaded","system_fingerprint":"what-is-loaded","choices":[{"index":0,"delta":{"role":"assistant","content":"Pa"},"logprobs":null,"finish_reason":null}]}`, `{"model":"what-is-loaded","choices":[{"index":0,"delta":{"content":"id."},"logprobs":null,"finish_reason":null}]}`, `{"model":"what-is-loaded","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}`, `[DONE]`), `what-is-loaded "Paid." in ? out ? stop stop`},
		}},
	} {
		t.Run(server.name, func(t *testing.T) {
			for _, answer := range server.answers {
				a, err := wire.Chat().Read([]byte(answer.body), answer.stream)
				if err != nil {
					t.Errorf("%s: %v", answer.of, err)
					continue
				}
				if got := told(a); got != answer.want {
					t.Errorf("%s\n is read %s\n want    %s", answer.of, got, answer.want)
				}
			}
		})
	}
}
