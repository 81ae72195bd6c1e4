package sdktest

import (
	"context"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3"

	"docket/engine/output"
	"docket/engine/provider"
)

// inFront opens a live door whose vendors are another door.
func inFront(t *testing.T, behind *provider.Line) *provider.Line {
	t.Helper()
	urls := map[string]string{}
	for _, name := range provider.Providers() {
		base, err := behind.Provider(name)
		if err != nil {
			t.Fatal(err)
		}
		urls[name] = base
	}
	d, err := provider.Open(provider.Config{Models: provider.Live, BaseURLs: urls, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	l := d.Line()
	l.Begin("case", 1)
	for variable, name := range map[string]string{"OPENAI_BASE_URL": "openai", "ANTHROPIC_BASE_URL": "anthropic"} {
		base, err := l.Provider(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(variable, base)
	}
	t.Setenv("OPENAI_API_KEY", "sk-any")
	t.Setenv("ANTHROPIC_API_KEY", "sk-any")
	return l
}

// TestStreamsThroughALiveDoor reads streams that are passed on while they come,
// to their end.
func TestStreamsThroughALiveDoor(t *testing.T) {
	mock, _ := door(t, call, output.Output{Text: text}, output.Output{Text: text})
	live := inFront(t, mock)
	c := openai.NewClient()
	for _, calls := range []int{2, 0} {
		var all openai.ChatCompletionAccumulator
		stream := c.Chat.Completions.NewStreaming(context.Background(), chatParams())
		for stream.Next() {
			if !all.AddChunk(stream.Current()) {
				t.Fatalf("a chunk does not fit: %s", stream.Current().RawJSON())
			}
		}
		if err := stream.Err(); err != nil || len(all.Choices) == 0 || len(all.Choices[0].Message.ToolCalls) != calls {
			t.Fatalf("%v: %+v", err, all.Choices)
		}
	}
	a := anthropic.NewClient()
	var message anthropic.Message
	stream := a.Messages.NewStreaming(context.Background(), anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 100,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("How long?"))},
	})
	for stream.Next() {
		if err := message.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.Err(); err != nil || len(message.Content) != 1 || message.Content[0].Text != text || message.StopReason != "end_turn" {
		t.Errorf("%v: %+v", err, message)
	}
	if traffic := ended(t, live); len(traffic.Calls) != 3 || traffic.Calls[2].Stop != "end_turn" {
		t.Errorf("the traffic is %+v", traffic)
	}
}
