package wire

import (
	"encoding/json"
	"fmt"
	"strings"
)

// done is what ends a stream of chat completions.
const done = "[DONE]"

// readChatStream puts the deltas of a stream together. Usage may come in a last
// event without choices, or in every one. The stream is whole where a reason
// to stop came, or [DONE]: some servers send the one, some the other.
func readChatStream(stream []byte) (*Answer, error) {
	a := newAnswer()
	var text, refusal strings.Builder
	var calls callsUnderWay
	finish, whole := "", false
	events := Events(stream)
	if len(events) == 0 {
		return nil, broken("the stream holds no event: %s", glimpse(stream))
	}
	for _, e := range events {
		if string(e.Data) == done {
			whole = true
			break
		}
		if f, ok := reportedInStream(e); ok {
			return nil, f
		}
		var d chatDocument
		if err := json.Unmarshal(e.Data, &d); err != nil {
			return nil, broken("an event of the stream is not JSON: %s", glimpse(e.Data))
		}
		if d.Model != "" {
			a.Model = string(d.Model)
		}
		if d.Usage != nil {
			d.Usage.fill(a)
		}
		for _, choice := range d.Choices {
			if choice.Index != 0 {
				continue
			}
			delta := choice.Delta
			if delta == nil {
				delta = choice.Message
			}
			if delta != nil {
				text.WriteString(string(delta.Content))
				refusal.WriteString(string(delta.Refusal))
				for _, c := range delta.Calls {
					calls.add(c)
				}
				if delta.Function != nil {
					calls.add(*delta.Function)
				}
			}
			if choice.FinishReason != "" {
				finish, whole = string(choice.FinishReason), true
			}
		}
	}
	if !whole {
		return nil, broken("the stream ends in the middle of the answer")
	}
	a.Text, a.Refusal = text.String(), refusal.String()
	for _, c := range calls.all {
		if c.object != nil {
			a.addRaw(c.name, c.object)
			continue
		}
		a.addCallText(c.name, c.text.String())
	}
	a.finishChat(finish)
	return a, nil
}

// reportedInStream reads an event that reports an error.
func reportedInStream(e Event) (*Failure, bool) {
	var head struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(e.Data, &head) != nil || isNull(head.Error) {
		return nil, false
	}
	f, ok := reported(e.Data)
	if ok {
		f.Status = statusOf(f.Type)
	}
	return f, ok
}

// callsUnderWay are the tool calls of a stream as far as they have come.
type callsUnderWay struct {
	all []*callUnderWay
	at  map[int]*callUnderWay // by the index that the server gives
}

type callUnderWay struct {
	id, name string
	text     strings.Builder // of the arguments
	object   json.RawMessage // the arguments, where they came as an object
}

// add takes one delta. A call is known by its index. Where servers give none,
// or the same to several calls, an id that is new begins a call.
func (u *callsUnderWay) add(d chatCall) {
	call := u.find(d)
	name, arguments := d.parts()
	if d.ID != "" {
		call.id = string(d.ID)
	}
	if call.name != name { // some servers repeat it in each event
		call.name += name
	}
	if isNull(arguments) {
		return
	}
	if piece := ""; json.Unmarshal(arguments, &piece) == nil {
		call.text.WriteString(piece)
		return
	}
	call.object = arguments
}

func (u *callsUnderWay) find(d chatCall) *callUnderWay {
	var call *callUnderWay
	if d.Index != nil {
		call = u.at[*d.Index]
	} else if len(u.all) > 0 {
		call = u.all[len(u.all)-1]
	}
	if call != nil && (d.ID == "" || call.id == "" || call.id == string(d.ID)) {
		return call
	}
	call = &callUnderWay{}
	u.all = append(u.all, call)
	if d.Index != nil {
		if u.at == nil {
			u.at = map[int]*callUnderWay{}
		}
		u.at[*d.Index] = call
	}
	return call
}

func writeChatStream(a *Answer, r *Request, n int) [][]byte {
	var events [][]byte
	chunk := func(choices []any, more map[string]any) {
		d := map[string]any{
			"id": fmt.Sprintf("chatcmpl-%d", n), "object": "chat.completion.chunk", "created": created,
			"model": r.Model, "choices": choices,
		}
		if r.StreamUsage {
			d["usage"] = nil
		}
		for k, v := range more {
			d[k] = v
		}
		events = append(events, event("", d))
	}
	delta := func(delta map[string]any, finish any) {
		chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": nil}}, nil)
	}
	first := map[string]any{"role": "assistant", "content": "", "refusal": nil}
	if a.Text == "" && len(a.ToolCalls) > 0 {
		first["content"] = nil
	}
	delta(first, nil)
	for _, piece := range pieces(a.Text) {
		delta(map[string]any{"content": piece}, nil)
	}
	for i, c := range a.ToolCalls {
		delta(map[string]any{"tool_calls": []any{map[string]any{
			"index": i, "id": callID("call_", n, i), "type": "function",
			"function": map[string]any{"name": c.Name, "arguments": ""},
		}}}, nil)
		for _, piece := range pieces(argumentText(c)) {
			delta(map[string]any{"tool_calls": []any{map[string]any{
				"index": i, "function": map[string]any{"arguments": piece},
			}}}, nil)
		}
	}
	delta(map[string]any{}, chatFinish(a))
	if r.StreamUsage {
		chunk([]any{}, map[string]any{"usage": map[string]any{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}})
	}
	return append(events, []byte("data: "+done+"\n\n"))
}
