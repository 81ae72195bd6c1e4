package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// A Stage says where in an answer an event of a stream stands, for whoever
// passes a stream on while it comes.
type Stage int

// The stages of an answer.
const (
	Opening Stage = iota // nothing of the answer is said yet
	Saying               // a piece of it
	Ending               // why it ends, that it has ended, or that it failed
)

// A Pieces cuts a stream into events while it comes.
type Pieces struct{ lines *bufio.Reader }

// ReadPieces returns the pieces of a stream.
func ReadPieces(stream io.Reader) *Pieces { return &Pieces{bufio.NewReader(stream)} }

// Next waits for the next event and returns its bytes up to the blank line that
// ends it, that line included; with an error, io.EOF at the end, what came
// before it. All pieces together are the stream, byte for byte. Of a stream that
// ends its lines with CR alone, which nobody sends, all is one piece.
func (p *Pieces) Next() ([]byte, error) {
	var piece []byte
	for {
		line, err := p.lines.ReadBytes('\n')
		piece = append(piece, line...)
		if err != nil || len(bytes.TrimRight(line, "\r\n")) == 0 {
			return piece, err
		}
	}
}

// StageOf returns the stage of a piece of a stream. A piece of which nothing can
// be told is one of the answer; one without an event, such as a comment that
// keeps a connection open, says nothing.
func (f Format) StageOf(piece []byte) Stage {
	stage := Opening
	for _, e := range Events(piece) {
		stage = max(stage, f.stage(e))
	}
	return stage
}

func chatStage(e Event) Stage {
	if string(e.Data) == done {
		return Ending
	}
	var d struct {
		Choices []struct {
			Index        int                        `json:"index"`
			Delta        map[string]json.RawMessage `json:"delta"`
			FinishReason loose                      `json:"finish_reason"`
		} `json:"choices"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return Saying
	}
	if !isNull(d.Error) {
		return Ending
	}
	stage := Opening
	for _, choice := range d.Choices {
		if choice.Index == 0 && choice.FinishReason != "" {
			return Ending
		}
		for key, value := range choice.Delta {
			if key != "role" && !saysNothing(value) {
				stage = Saying
			}
		}
	}
	return stage
}

// saysNothing reports whether a member of a delta is there and empty.
func saysNothing(value json.RawMessage) bool {
	switch string(value) {
	case "", "null", `""`, "[]", "{}":
		return true
	}
	return false
}

func messagesStage(e Event) Stage {
	switch typeOf(e) {
	case "message_start", "ping":
		return Opening
	case "message_delta", "message_stop", "error":
		return Ending
	}
	return Saying
}

func responsesStage(e Event) Stage {
	switch typeOf(e) {
	case "response.created", "response.queued", "response.in_progress":
		return Opening
	case "response.completed", "response.incomplete", "response.failed", "error":
		return Ending
	}
	if string(e.Data) == done {
		return Ending
	}
	return Saying
}

// typeOf is the type that an event gives in its data; "" for none.
func typeOf(e Event) string {
	var head struct {
		Type loose `json:"type"`
	}
	if json.Unmarshal(e.Data, &head) != nil {
		return ""
	}
	return string(head.Type)
}
