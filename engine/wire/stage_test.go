package wire_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"docket/engine/wire"
)

// TestStages follows what the formats themselves write: the first event opens,
// the last one ends, and a text is said between.
func TestStages(t *testing.T) {
	for _, f := range wire.Formats() {
		answer := &wire.Answer{Text: "some words that make more than one piece of a stream"}
		var stages []wire.Stage
		for _, event := range f.WriteStream(answer, &wire.Request{Model: "m"}, 0) {
			stages = append(stages, f.StageOf(event))
		}
		if stages[0] != wire.Opening || stages[len(stages)-1] != wire.Ending || stages[len(stages)/2] != wire.Saying {
			t.Errorf("%s: %v", f.Name, stages)
		}
	}
}

// TestStagesOfServersInUse tells what opens an answer from what says and ends
// it, in the spellings that are seen.
func TestStagesOfServersInUse(t *testing.T) {
	for _, tt := range []struct {
		format wire.Format
		piece  string
		want   wire.Stage
	}{
		{wire.Chat(), ": processing\n\n", wire.Opening},
		{wire.Chat(), "data: {\"choices\":[],\"usage\":null}\n\n", wire.Opening},
		{wire.Chat(), "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[]},\"finish_reason\":null}]}\n\n", wire.Opening},
		{wire.Chat(), "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n", wire.Saying},
		{wire.Chat(), "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0}]}}]}\n\n", wire.Saying},
		{wire.Chat(), "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n", wire.Ending},
		{wire.Chat(), "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n", wire.Saying},
		{wire.Chat(), "data: {\"error\":{\"message\":\"x\"}}\n\n", wire.Ending},
		{wire.Chat(), "data: what is this\n\n", wire.Saying},
		{wire.Messages(), "event: ping\ndata: {\"type\":\"ping\"}\n\n", wire.Opening},
		{wire.Messages(), "data: {\"type\":\"content_block_start\"}\n\n", wire.Saying},
		{wire.Messages(), "data: {\"type\":\"error\"}\n\n", wire.Ending},
		{wire.Responses(), "data: {\"type\":\"response.queued\"}\n\n", wire.Opening},
		{wire.Responses(), "data: {\"type\":\"response.reasoning_summary_text.delta\"}\n\n", wire.Saying},
		{wire.Responses(), "data: {\"type\":\"response.failed\"}\n\n", wire.Ending},
	} {
		if got := tt.format.StageOf([]byte(tt.piece)); got != tt.want {
			t.Errorf("%s: %q is at stage %d, want %d", tt.format.Name, tt.piece, got, tt.want)
		}
	}
}

// FuzzPieces: the pieces of a stream are the stream, and hold the same events.
func FuzzPieces(f *testing.F) {
	for _, seed := range []string{"", "data: 1\n\ndata: 2\r\n\r\n: c\n\n", "\n\n\n", "data: x", "event: a\r\rdata: b\r\r"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		pieces := wire.ReadPieces(bytes.NewReader(stream))
		var all []byte
		events := 0
		for {
			piece, err := pieces.Next()
			all = append(all, piece...)
			events += len(wire.Events(piece))
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(all, stream) {
			t.Errorf("%q is cut into %q", stream, all)
		}
		if want := len(wire.Events(stream)); events != want {
			t.Errorf("%q has %d events in pieces, %d in one", stream, events, want)
		}
	})
}
