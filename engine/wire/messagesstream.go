package wire

import (
	"encoding/json"
	"slices"
	"strings"
)

// A messagesEvent is one event of a Messages stream.
type messagesEvent struct {
	Type    string           `json:"type"`
	Index   int              `json:"index"`
	Message *messageDocument `json:"message"`
	Block   *block           `json:"content_block"`
	Delta   struct {
		Type       string       `json:"type"`
		Text       loose        `json:"text"`
		Partial    loose        `json:"partial_json"`
		StopReason loose        `json:"stop_reason"`
		Details    *stopDetails `json:"stop_details"`
	} `json:"delta"`
	Usage *messagesUsage `json:"usage"`
	Error *struct {
		Type    loose `json:"type"`
		Message loose `json:"message"`
	} `json:"error"`
}

// A blockUnderWay is a part of an answer's content as far as it has come.
type blockUnderWay struct {
	block
	text, input strings.Builder
}

// readMessagesStream puts the events of a stream together. It is whole where
// message_stop came.
func readMessagesStream(stream []byte) (*Answer, error) {
	a := newAnswer()
	var usage messagesUsage
	var details *stopDetails
	blocks := map[int]*blockUnderWay{}
	var order []int
	stop, whole := "", false
	events := Events(stream)
	if len(events) == 0 {
		return nil, broken("the stream holds no event: %s", glimpse(stream))
	}
	for _, event := range events {
		var e messagesEvent
		if err := json.Unmarshal(event.Data, &e); err != nil {
			return nil, broken("an event of the stream is not JSON: %s", glimpse(event.Data))
		}
		switch e.Type {
		case "error":
			f := &Failure{Status: 500}
			if e.Error != nil {
				f.Type, f.Message = string(e.Error.Type), string(e.Error.Message)
				f.Status = statusOf(f.Type)
			}
			return nil, f
		case "message_start":
			if e.Message != nil {
				a.Model = string(e.Message.Model)
				usage.merge(e.Message.Usage)
			}
		case "content_block_start":
			if e.Block == nil {
				continue
			}
			b := &blockUnderWay{block: *e.Block}
			b.text.WriteString(string(e.Block.Text))
			if blocks[e.Index] == nil {
				order = append(order, e.Index)
			}
			blocks[e.Index] = b
		case "content_block_delta":
			b := blocks[e.Index]
			if b == nil {
				return nil, broken("the stream goes on with block %d of the answer, which did not begin", e.Index)
			}
			b.text.WriteString(string(e.Delta.Text))
			b.input.WriteString(string(e.Delta.Partial))
		case "message_delta":
			if e.Delta.StopReason != "" {
				stop, details = string(e.Delta.StopReason), e.Delta.Details
			}
			usage.merge(e.Usage)
		case "message_stop":
			whole = true
		}
	}
	if !whole {
		return nil, broken("the stream ends in the middle of the answer")
	}
	slices.Sort(order)
	for _, i := range order {
		b := blocks[i]
		b.Text = loose(b.text.String())
		a.addBlock(b.block, b.arguments())
	}
	a.finishMessages(stop, details)
	usage.fill(a)
	return a, nil
}

// arguments returns the JSON of a call's input: the pieces put together, or
// what the block began with where there were none.
func (b *blockUnderWay) arguments() json.RawMessage {
	if b.input.Len() > 0 {
		return json.RawMessage(b.input.String())
	}
	return b.Input
}

func writeMessagesStream(a *Answer, r *Request, n int) [][]byte {
	var events [][]byte
	send := func(name string, more map[string]any) {
		more["type"] = name
		events = append(events, event(name, more))
	}
	send("message_start", map[string]any{"message": messageHead(r, n)})
	index := 0
	block := func(head map[string]any, kind, key string, text string) {
		send("content_block_start", map[string]any{"index": index, "content_block": head})
		for _, piece := range pieces(text) {
			send("content_block_delta", map[string]any{"index": index, "delta": map[string]any{"type": kind, key: piece}})
		}
		send("content_block_stop", map[string]any{"index": index})
		index++
	}
	if a.Text != "" || len(a.ToolCalls) == 0 {
		block(map[string]any{"type": "text", "text": ""}, "text_delta", "text", a.Text)
	}
	for i, c := range a.ToolCalls {
		head := map[string]any{"type": "tool_use", "id": callID("toolu_", n, i), "name": c.Name, "input": map[string]any{}}
		block(head, "input_json_delta", "partial_json", argumentText(c))
	}
	send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": messagesStop(a), "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": 0},
	})
	send("message_stop", map[string]any{})
	return events
}
