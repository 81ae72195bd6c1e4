package wire

import (
	"encoding/json"
	"maps"
)

// readResponsesStream takes the answer from the event that ends the stream,
// which holds all of it.
func readResponsesStream(stream []byte) (*Answer, error) {
	events := Events(stream)
	if len(events) == 0 {
		return nil, broken("the stream holds no event: %s", glimpse(stream))
	}
	var items []responseItem // that came to their end
	for _, e := range events {
		if string(e.Data) == done {
			continue
		}
		var body struct {
			Type     string            `json:"type"`
			Response *responseDocument `json:"response"`
			Item     *responseItem     `json:"item"`
			Code     loose             `json:"code"`
			Message  loose             `json:"message"`
		}
		if err := json.Unmarshal(e.Data, &body); err != nil {
			return nil, broken("an event of the stream is not JSON: %s", glimpse(e.Data))
		}
		switch body.Type {
		case "error":
			if f, ok := reportedInStream(e); ok {
				return nil, f
			}
			return nil, &Failure{Status: statusOf(string(body.Code)), Code: string(body.Code), Message: string(body.Message)}
		case "response.output_item.done":
			if body.Item != nil {
				items = append(items, *body.Item)
			}
		case "response.completed", "response.incomplete", "response.failed":
			if body.Response == nil {
				return nil, broken("the last event of the stream holds no response")
			}
			if len(body.Response.Output) == 0 {
				body.Response.Output = items // some servers say it only on the way
			}
			return body.Response.answer()
		default:
			if f, ok := reportedInStream(e); ok && body.Type == "" {
				return nil, f
			}
		}
	}
	return nil, broken("the stream ends in the middle of the answer")
}

func writeResponsesStream(a *Answer, r *Request, n int) [][]byte {
	var events [][]byte
	send := func(name string, more map[string]any) {
		more["type"], more["sequence_number"] = name, len(events)
		events = append(events, event(name, more))
	}
	send("response.created", map[string]any{"response": responseHead(r, n)})
	send("response.in_progress", map[string]any{"response": responseHead(r, n)})
	items := responseItems(a, n)
	for i, v := range items {
		item := v.(map[string]any)
		begun := maps.Clone(item)
		begun["status"] = "in_progress"
		text, isText := a.Text, item["type"] == "message"
		if isText {
			begun["content"] = []any{}
		} else {
			text, begun["arguments"] = item["arguments"].(string), ""
		}
		at := func(more map[string]any) map[string]any {
			more["item_id"], more["output_index"] = item["id"], i
			return more
		}
		send("response.output_item.added", map[string]any{"output_index": i, "item": begun})
		if isText {
			send("response.content_part.added", at(map[string]any{"content_index": 0, "part": textPart("")}))
			for _, piece := range pieces(text) {
				send("response.output_text.delta", at(map[string]any{"content_index": 0, "delta": piece, "logprobs": []any{}}))
			}
			send("response.output_text.done", at(map[string]any{"content_index": 0, "text": text, "logprobs": []any{}}))
			send("response.content_part.done", at(map[string]any{"content_index": 0, "part": textPart(text)}))
		} else {
			for _, piece := range pieces(text) {
				send("response.function_call_arguments.delta", at(map[string]any{"delta": piece}))
			}
			send("response.function_call_arguments.done", at(map[string]any{"arguments": text, "name": item["name"]}))
		}
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	whole := responseHead(r, n)
	whole["output"], whole["status"], whole["usage"] = items, "completed", noUsage()
	send("response.completed", map[string]any{"response": whole})
	return events
}
