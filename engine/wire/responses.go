package wire

import (
	"encoding/json"
	"fmt"
	"maps"

	"docket/engine/canonical"
)

// Responses is the format of OpenAI's Responses.
func Responses() Format {
	return Format{
		Name: "responses", Provider: "openai", Path: "/responses",
		ReadRequest: readResponsesRequest, WriteRequest: writeResponsesRequest,
		ReadAnswer: readResponsesAnswer, ReadStream: readResponsesStream,
		WriteAnswer: writeResponsesAnswer, WriteStream: writeResponsesStream,
		stage:      responsesStage,
		WriteError: writeOpenAIError,
	}
}

func readResponsesRequest(body []byte) (*Request, error) {
	b, r, err := readHead(body)
	if err != nil {
		return nil, err
	}
	r.Choice = readOpenAIChoice(b["tool_choice"])
	if format, ok := member(b["text"], "format").(map[string]any); ok {
		switch format["type"] {
		case "json_object":
			r.JSONObject = true
		case "json_schema":
			r.Schema = format["schema"]
		}
	}
	return r, nil
}

func writeResponsesRequest(p *Prompt) ([]byte, error) {
	own := func(t map[string]any) bool {
		return t["type"] != nil && t["function"] == nil && t["input_schema"] == nil
	}
	b, err := p.head(own, func(t tool) any {
		item := flatTool(t)
		item["type"] = "function"
		return item
	})
	if err != nil {
		return nil, err
	}
	if p.System != "" {
		b["instructions"] = p.System
	}
	b["input"] = []any{map[string]any{"role": "user", "content": p.User}}
	if p.Schema != nil {
		format := namedSchema(p.Schema)
		format["type"] = "json_schema"
		text, _ := b["text"].(map[string]any)
		if text = maps.Clone(text); text == nil {
			text = map[string]any{}
		}
		text["format"] = format
		b["text"] = text
	}
	return canonical.Marshal(b), nil
}

// A responseItem is one item of a response's output.
type responseItem struct {
	Type    string `json:"type"`
	Content []struct {
		Type    string `json:"type"`
		Text    loose  `json:"text"`
		Refusal loose  `json:"refusal"`
	} `json:"content"`
	Name      loose           `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     loose           `json:"input"` // of a custom tool: free text
}

type responseDocument struct {
	Model      loose          `json:"model"`
	Status     loose          `json:"status"`
	Output     []responseItem `json:"output"`
	Incomplete *struct {
		Reason loose `json:"reason"`
	} `json:"incomplete_details"`
	Error *struct {
		Code    loose `json:"code"`
		Message loose `json:"message"`
	} `json:"error"`
	Usage *struct {
		Input   count `json:"input_tokens"`
		Output  count `json:"output_tokens"`
		Details *struct {
			Cached count `json:"cached_tokens"`
		} `json:"input_tokens_details"`
	} `json:"usage"`
}

func readResponsesAnswer(body []byte) (*Answer, error) {
	var d responseDocument
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, broken("the answer is not the JSON of a response: %s", glimpse(body))
	}
	if d.Output == nil && d.Error == nil {
		if f, ok := reported(body); ok {
			f.Status = statusOf(f.Type)
			return nil, f
		}
		return nil, broken("the answer has no output: %s", glimpse(body))
	}
	return d.answer()
}

// answer makes of a response's document what it answers.
func (d *responseDocument) answer() (*Answer, error) {
	switch {
	case d.Error != nil:
		code := string(d.Error.Code)
		return nil, &Failure{Status: statusOf(code), Code: code, Type: code, Message: string(d.Error.Message)}
	case d.Status == "failed":
		return nil, &Failure{Status: 500, Message: "the response failed and does not say why"}
	case d.Status == "in_progress" || d.Status == "queued":
		return nil, broken("the response is %s, and no answer yet; ask for it without background", string(d.Status))
	}
	a := newAnswer()
	a.Model, a.StopReason = string(d.Model), string(d.Status)
	for _, item := range d.Output {
		switch item.Type {
		case "message":
			for _, part := range item.Content {
				switch part.Type {
				case "output_text":
					a.Text += string(part.Text)
				case "refusal":
					a.Refused = true
					a.Refusal += string(part.Refusal)
				}
			}
		case "function_call":
			a.addRaw(string(item.Name), item.Arguments)
		case "custom_tool_call":
			a.addRaw(string(item.Name), canonical.Marshal(map[string]any{"input": string(item.Input)}))
		}
	}
	if d.Incomplete != nil && d.Incomplete.Reason != "" {
		a.StopReason = string(d.Incomplete.Reason)
		a.Truncated = a.StopReason == "max_output_tokens"
		a.Refused = a.Refused || a.StopReason == "content_filter"
	}
	if a.Refusal != "" && a.StopReason == "completed" {
		a.StopReason = "refusal"
	}
	if u := d.Usage; u != nil {
		a.Input, a.Output = u.Input.positive(), u.Output.n
		if u.Details != nil && a.Input != nil {
			a.CacheRead = u.Details.Cached.n
		}
	}
	return a, nil
}

func writeResponsesAnswer(a *Answer, r *Request, n int) []byte {
	d := responseHead(r, n)
	d["output"], d["status"], d["usage"] = responseItems(a, n), "completed", noUsage()
	return canonical.Marshal(d)
}

func noUsage() map[string]any {
	return map[string]any{
		"input_tokens": 0, "output_tokens": 0, "total_tokens": 0,
		"input_tokens_details":  map[string]any{"cached_tokens": 0},
		"output_tokens_details": map[string]any{"reasoning_tokens": 0},
	}
}

// responseHead is a response before it says anything.
func responseHead(r *Request, n int) map[string]any {
	tools := r.Tools
	if tools == nil {
		tools = []any{}
	}
	return map[string]any{
		"id": fmt.Sprintf("resp_%d", n), "object": "response", "created_at": created, "model": r.Model,
		"status": "in_progress", "output": []any{}, "error": nil, "incomplete_details": nil, "instructions": nil,
		"metadata": map[string]any{}, "parallel_tool_calls": true, "temperature": 1, "top_p": 1,
		"tool_choice": "auto", "tools": tools, "usage": nil,
	}
}

func responseItems(a *Answer, n int) []any {
	var items []any
	if a.Text != "" || len(a.ToolCalls) == 0 {
		items = append(items, map[string]any{
			"type": "message", "id": callID("msg_", n, 0), "role": "assistant", "status": "completed",
			"content": []any{textPart(a.Text)},
		})
	}
	for i, c := range a.ToolCalls {
		items = append(items, map[string]any{
			"type": "function_call", "id": callID("fc_", n, i), "call_id": callID("call_", n, i),
			"name": c.Name, "arguments": argumentText(c), "status": "completed",
		})
	}
	return items
}

func textPart(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}
