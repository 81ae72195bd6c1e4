package wire

import (
	"encoding/json"
	"fmt"

	"docket/engine/canonical"
	"docket/engine/output"
)

// Chat is the format of OpenAI's chat completions, which llama.cpp, Ollama,
// vLLM, LM Studio and many others speak as well.
func Chat() Format {
	return Format{
		Name: "chat", Provider: "openai", Path: "/chat/completions",
		ReadRequest: readChatRequest, WriteRequest: writeChatRequest,
		ReadAnswer: readChatAnswer, ReadStream: readChatStream,
		WriteAnswer: writeChatAnswer, WriteStream: writeChatStream,
		stage:      chatStage,
		WriteError: writeOpenAIError,
	}
}

func readChatRequest(body []byte) (*Request, error) {
	b, r, err := readHead(body)
	if err != nil {
		return nil, err
	}
	if options, ok := b["stream_options"].(map[string]any); ok {
		r.StreamUsage, _ = options["include_usage"].(bool)
	}
	if legacy, ok := b["functions"].([]any); ok && b["tools"] == nil {
		r.Tools = functions(legacy)
	}
	r.Choice = readOpenAIChoice(b["tool_choice"])
	if format, ok := b["response_format"].(map[string]any); ok {
		switch format["type"] {
		case "json_object":
			r.JSONObject = true
		case "json_schema":
			_, r.Schema, _ = plainSchema(format)
		}
	}
	return r, nil
}

// readOpenAIChoice reads tool_choice of both of OpenAI's formats.
func readOpenAIChoice(v any) Choice {
	switch v := v.(type) {
	case string:
		return Choice{None: v == "none", Required: v == "required"}
	case map[string]any:
		if function, ok := v["function"].(map[string]any); ok {
			v = function
		}
		if name, ok := v["name"].(string); ok {
			return Choice{Required: true, Name: name}
		}
	}
	return Choice{}
}

func writeChatRequest(p *Prompt) ([]byte, error) {
	own := func(t map[string]any) bool { return t["function"] != nil }
	b, err := p.head(own, func(t tool) any {
		return map[string]any{"type": "function", "function": flatTool(t)}
	})
	if err != nil {
		return nil, err
	}
	var messages []any
	if p.System != "" {
		messages = append(messages, map[string]any{"role": "system", "content": p.System})
	}
	b["messages"] = append(messages, map[string]any{"role": "user", "content": p.User})
	if p.Schema != nil {
		b["response_format"] = map[string]any{"type": "json_schema", "json_schema": namedSchema(p.Schema)}
	}
	return canonical.Marshal(b), nil
}

// flatTool writes a function as OpenAI has it.
func flatTool(t tool) map[string]any {
	f := map[string]any{"name": t.name}
	if t.description != "" {
		f["description"] = t.description
	}
	if t.parameters != nil {
		f["parameters"] = t.parameters
	}
	if t.strict != nil {
		f["strict"] = t.strict
	}
	return f
}

// namedSchema writes a schema in OpenAI's wrapping. Without a word to the
// contrary it is strict, since an output schema that need not hold is none.
func namedSchema(schema any) map[string]any {
	name, plain, strict := plainSchema(schema)
	if strict == nil {
		strict = true
	}
	return map[string]any{"name": name, "schema": plain, "strict": strict}
}

// A chatMessage is the message of a choice, or the delta of one in a stream.
type chatMessage struct {
	Content  content    `json:"content"`
	Refusal  loose      `json:"refusal"`
	Calls    []chatCall `json:"tool_calls"`
	Function *chatCall  `json:"function_call"` // the form of 2023: name and arguments
}

type chatCall struct {
	Index     *int            `json:"index"`
	ID        loose           `json:"id"`
	Name      loose           `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Function  *struct {
		Name      loose           `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	Custom *struct {
		Name  loose `json:"name"`
		Input loose `json:"input"`
	} `json:"custom"`
}

// parts returns a call's name and arguments, wherever the server put them.
func (c chatCall) parts() (name string, arguments json.RawMessage) {
	switch {
	case c.Function != nil:
		return string(c.Function.Name), c.Function.Arguments
	case c.Custom != nil: // free text in the place of JSON
		return string(c.Custom.Name), canonical.Marshal(map[string]any{"input": string(c.Custom.Input)})
	}
	return string(c.Name), c.Arguments
}

// A chatDocument is an answer, or one event of a stream.
type chatDocument struct {
	Model   loose `json:"model"`
	Choices []struct {
		Index        int          `json:"index"`
		Message      *chatMessage `json:"message"`
		Delta        *chatMessage `json:"delta"`
		FinishReason loose        `json:"finish_reason"`
	} `json:"choices"`
	Usage *chatUsage `json:"usage"`
}

type chatUsage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Details    *struct {
		Cached count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (u *chatUsage) fill(a *Answer) {
	if u == nil {
		return
	}
	a.Input, a.Output = u.Prompt.positive(), u.Completion.n
	if u.Details != nil && a.Input != nil {
		a.CacheRead = u.Details.Cached.n
	}
}

func readChatAnswer(body []byte) (*Answer, error) {
	var d chatDocument
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, broken("the answer is not the JSON of a chat completion: %s", glimpse(body))
	}
	if len(d.Choices) == 0 {
		if f, ok := reported(body); ok {
			f.Status = statusOf(f.Type)
			return nil, f
		}
		return nil, broken("the answer has no choices: %s", glimpse(body))
	}
	message := d.Choices[0].Message
	if message == nil {
		return nil, broken("the answer's first choice has no message: %s", glimpse(body))
	}
	a := newAnswer()
	a.Model, a.Text, a.Refusal = string(d.Model), string(message.Content), string(message.Refusal)
	for _, call := range message.Calls {
		name, arguments := call.parts()
		a.addRaw(name, arguments)
	}
	if message.Function != nil && len(message.Calls) == 0 {
		name, arguments := message.Function.parts()
		a.addRaw(name, arguments)
	}
	a.finishChat(string(d.Choices[0].FinishReason))
	d.Usage.fill(a)
	return a, nil
}

// finishChat notes why the model stopped. Whether it called tools is told by
// the calls alone: servers differ in the word they give then.
func (a *Answer) finishChat(reason string) {
	a.StopReason = reason
	a.Truncated = reason == "length"
	a.Refused = a.Refusal != "" || reason == "content_filter"
	if a.Refusal != "" && reason != "content_filter" {
		a.StopReason = "refusal"
	}
}

// addRaw adds a call whose arguments are JSON of some kind.
func (a *Answer) addRaw(name string, arguments json.RawMessage) {
	var value any
	if !isNull(arguments) {
		parsed, err := canonical.Parse(arguments)
		if err != nil {
			a.addCallText(name, string(arguments))
			return
		}
		value = parsed
	}
	a.addCall(name, value, arguments)
}

func newAnswer() *Answer {
	return &Answer{ToolCalls: []output.ToolCall{}}
}

func writeChatAnswer(a *Answer, r *Request, n int) []byte {
	return canonical.Marshal(map[string]any{
		"id": fmt.Sprintf("chatcmpl-%d", n), "object": "chat.completion", "created": created, "model": r.Model,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": chatFinish(a), "logprobs": nil,
			"message": chatMessageOf(a, n),
		}},
		"usage": map[string]any{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
	})
}

// created is the time that canned answers give, in seconds since 1970: always
// the same, so that equal runs give equal bytes.
const created = 1767225600

func chatFinish(a *Answer) string {
	if len(a.ToolCalls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func chatMessageOf(a *Answer, n int) map[string]any {
	m := map[string]any{"role": "assistant", "content": a.Text, "refusal": nil}
	if len(a.ToolCalls) == 0 {
		return m
	}
	if a.Text == "" {
		m["content"] = nil
	}
	calls := make([]any, len(a.ToolCalls))
	for i, c := range a.ToolCalls {
		calls[i] = map[string]any{
			"id": callID("call_", n, i), "type": "function",
			"function": map[string]any{"name": c.Name, "arguments": argumentText(c)},
		}
	}
	m["tool_calls"] = calls
	return m
}

// callID is the id of call i of answer n.
func callID(prefix string, n, i int) string { return fmt.Sprintf("%s%d_%d", prefix, n, i) }

func writeOpenAIError(status int, message string) []byte {
	kind := "invalid_request_error"
	switch {
	case status == 429:
		kind = "rate_limit_exceeded"
	case status >= 500:
		kind = "server_error"
	}
	return canonical.Marshal(map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": nil}})
}
