package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"docket/engine/canonical"
)

// defaultMaxTokens is what a Messages request says where the parameters do not:
// the format requires a number.
const defaultMaxTokens = 4096

// Messages is the format of Anthropic's Messages.
func Messages() Format {
	return Format{
		Name: "messages", Provider: "anthropic", Path: "/messages",
		ReadRequest: readMessagesRequest, WriteRequest: writeMessagesRequest,
		ReadAnswer: readMessagesAnswer, ReadStream: readMessagesStream,
		WriteAnswer: writeMessagesAnswer, WriteStream: writeMessagesStream,
		stage:      messagesStage,
		WriteError: writeAnthropicError,
	}
}

func readMessagesRequest(body []byte) (*Request, error) {
	b, r, err := readHead(body)
	if err != nil {
		return nil, err
	}
	if choice, ok := b["tool_choice"].(map[string]any); ok {
		switch choice["type"] {
		case "none":
			r.Choice.None = true
		case "any":
			r.Choice.Required = true
		case "tool":
			r.Choice.Required = true
			r.Choice.Name, _ = choice["name"].(string)
		}
	}
	// The place of the schema moved when structured output left its beta.
	for _, place := range []any{b["output_format"], member(b["output_config"], "format")} {
		if format, ok := place.(map[string]any); ok && format["type"] == "json_schema" {
			r.Schema = format["schema"]
		}
	}
	return r, nil
}

func writeMessagesRequest(p *Prompt) ([]byte, error) {
	own := func(t map[string]any) bool {
		kind, _ := t["type"].(string)
		return t["input_schema"] != nil || kind != "" && kind != "function" && t["function"] == nil
	}
	b, err := p.head(own, func(t tool) any {
		item := map[string]any{"name": t.name, "input_schema": map[string]any{"type": "object"}}
		if t.parameters != nil {
			item["input_schema"] = t.parameters
		}
		if t.description != "" {
			item["description"] = t.description
		}
		if t.strict != nil {
			item["strict"] = t.strict
		}
		return item
	})
	if err != nil {
		return nil, err
	}
	if b["max_tokens"] == nil {
		b["max_tokens"] = defaultMaxTokens
	}
	if p.System != "" {
		b["system"] = p.System
	}
	b["messages"] = []any{map[string]any{"role": "user", "content": p.User}}
	if p.Schema != nil {
		_, plain, _ := plainSchema(p.Schema)
		config := map[string]any{}
		switch given := b["output_config"].(type) {
		case nil:
		case map[string]any:
			config = maps.Clone(given)
		default:
			return nil, errors.New("the parameter output_config must be an object")
		}
		config["format"] = map[string]any{"type": "json_schema", "schema": plain}
		b["output_config"] = config
	}
	return canonical.Marshal(b), nil
}

// A block is a part of an answer's content.
type block struct {
	Type  string          `json:"type"`
	Text  loose           `json:"text"`
	Name  loose           `json:"name"`
	Input json.RawMessage `json:"input"`
}

type messageDocument struct {
	Type       loose          `json:"type"`
	Model      loose          `json:"model"`
	Content    []block        `json:"content"`
	StopReason loose          `json:"stop_reason"`
	Details    *stopDetails   `json:"stop_details"`
	Usage      *messagesUsage `json:"usage"`
}

// stopDetails say why the model refused. Only the category is stable.
type stopDetails struct {
	Category    loose `json:"category"`
	Explanation loose `json:"explanation"`
}

type messagesUsage struct {
	Input      count `json:"input_tokens"`
	Output     count `json:"output_tokens"`
	CacheWrite count `json:"cache_creation_input_tokens"`
	CacheRead  count `json:"cache_read_input_tokens"`
}

// merge takes over what a later event of a stream knows: its counts are those
// of the whole answer so far.
func (u *messagesUsage) merge(later *messagesUsage) {
	if later == nil {
		return
	}
	for _, pair := range [][2]*count{
		{&u.Input, &later.Input},
		{&u.Output, &later.Output},
		{&u.CacheWrite, &later.CacheWrite},
		{&u.CacheRead, &later.CacheRead},
	} {
		if pair[1].n != nil {
			pair[0].n = pair[1].n
		}
	}
}

func (u *messagesUsage) fill(a *Answer) {
	if u == nil {
		return
	}
	a.Input = sum(u.Input.n, u.CacheWrite.n, u.CacheRead.n)
	a.Output, a.CacheWrite, a.CacheRead = u.Output.n, u.CacheWrite.n, u.CacheRead.n
	if a.Input != nil && *a.Input == 0 {
		a.Input = nil // no request has no tokens
	}
}

func readMessagesAnswer(body []byte) (*Answer, error) {
	var d messageDocument
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, broken("the answer is not the JSON of a message: %s", glimpse(body))
	}
	if d.Type == "error" || d.Content == nil {
		if f, ok := reported(body); ok {
			f.Status = statusOf(f.Type)
			return nil, f
		}
		return nil, broken("the answer has no content: %s", glimpse(body))
	}
	a := newAnswer()
	a.Model = string(d.Model)
	for _, b := range d.Content {
		a.addBlock(b, b.Input)
	}
	a.finishMessages(string(d.StopReason), d.Details)
	d.Usage.fill(a)
	return a, nil
}

// addBlock adds a text or a call of a tool. Thinking, and tools that the
// provider ran itself, are no part of the answer.
func (a *Answer) addBlock(b block, input json.RawMessage) {
	switch b.Type {
	case "text":
		a.Text += string(b.Text)
	case "tool_use":
		a.addRaw(string(b.Name), input)
	}
}

func (a *Answer) finishMessages(reason string, details *stopDetails) {
	a.StopReason = reason
	switch reason {
	case "max_tokens", "model_context_window_exceeded", "pause_turn":
		a.Truncated = true
	case "refusal":
		a.Refused = true
		if details != nil {
			a.Refusal = strings.TrimSpace(string(details.Explanation))
		}
	}
}

func writeMessagesAnswer(a *Answer, r *Request, n int) []byte {
	m := messageHead(r, n)
	var content []any
	if a.Text != "" || len(a.ToolCalls) == 0 {
		content = append(content, map[string]any{"type": "text", "text": a.Text})
	}
	for i, c := range a.ToolCalls {
		var input any = map[string]any{}
		if v, err := canonical.Parse([]byte(argumentText(c))); err == nil {
			input = v
		}
		content = append(content, map[string]any{"type": "tool_use", "id": callID("toolu_", n, i), "name": c.Name, "input": input})
	}
	m["content"], m["stop_reason"] = content, messagesStop(a)
	return canonical.Marshal(m)
}

// messageHead is a message before it says anything.
func messageHead(r *Request, n int) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": r.Model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
	}
}

func messagesStop(a *Answer) string {
	if len(a.ToolCalls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func writeAnthropicError(status int, message string) []byte {
	kind := "api_error"
	switch status {
	case 529:
		kind = "overloaded_error"
	case 429:
		kind = "rate_limit_error"
	case 401:
		kind = "authentication_error"
	case 403:
		kind = "permission_error"
	case 404:
		kind = "not_found_error"
	default:
		if status < 500 {
			kind = "invalid_request_error"
		}
	}
	return canonical.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}})
}
