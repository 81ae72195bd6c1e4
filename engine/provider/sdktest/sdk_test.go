package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"docket/engine/output"
	"docket/engine/provider"
)

const text = "Refunds are paid within 30 days. 返金は三十日以内です。 And a little more, so that it takes several events."

// door opens a door on canned answers: a text, or a call and then a text.
func door(t *testing.T, answers ...output.Output) (*provider.Line, *provider.Door) {
	t.Helper()
	d, err := provider.Open(provider.Config{
		Models: provider.Mock, Canned: func(string) ([]output.Output, error) { return answers, nil },
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	l := d.Line()
	l.Begin("case", 1)
	t.Cleanup(func() { d.Close() })
	return l, d
}

func ended(t *testing.T, l *provider.Line) provider.Traffic {
	t.Helper()
	traffic, err := l.End()
	if err != nil {
		t.Error(err)
	}
	return traffic
}

var call = output.Output{ToolCalls: []output.ToolCall{
	{Name: "search", Arguments: json.RawMessage(`{"q":"refunds"}`)},
	{Name: "search", Arguments: json.RawMessage(`{"q":"返金"}`)},
}}

// client makes OpenAI's client in the way that programs do: from its variables.
func client(t *testing.T, l *provider.Line, d *provider.Door) openai.Client {
	t.Helper()
	base, err := l.Provider("openai")
	if err != nil {
		t.Fatal(err)
	}
	environment(t, d, "OPENAI_BASE_URL", base)
	return openai.NewClient()
}

func environment(t *testing.T, d *provider.Door, name, base string) {
	t.Helper()
	t.Setenv(name, base)
	for _, variable := range d.Environment() {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	if os.Getenv("OPENAI_API_KEY") != provider.Placeholder {
		t.Fatal("the key is no placeholder")
	}
}

func chatParams() openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:         "gpt-4o",
		Messages:      []openai.ChatCompletionMessageParamUnion{openai.UserMessage("How long?")},
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
		Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name:       "search",
			Parameters: openai.FunctionParameters{"type": "object", "properties": map[string]any{"q": map[string]any{"type": "string"}}},
		})},
	}
}

func TestOpenAIChat(t *testing.T) {
	l, d := door(t, call, output.Output{Text: text})
	c := client(t, l, d)
	params := chatParams()
	params.StreamOptions = openai.ChatCompletionStreamOptionsParam{}
	r, err := c.Chat.Completions.New(context.Background(), params)
	if err != nil {
		t.Fatal(err)
	}
	message := r.Choices[0].Message
	if len(message.ToolCalls) != 2 || message.ToolCalls[1].Function.Arguments != `{"q":"返金"}` || r.Choices[0].FinishReason != "tool_calls" {
		t.Errorf("the message is %s", message.RawJSON())
	}
	params.Messages = append(params.Messages, message.ToParam(), openai.ToolMessage("30 days", message.ToolCalls[0].ID), openai.ToolMessage("30日", message.ToolCalls[1].ID))
	if r, err = c.Chat.Completions.New(context.Background(), params); err != nil || r.Choices[0].Message.Content != text {
		t.Errorf("%v, %v", r, err)
	}
	if traffic := ended(t, l); len(traffic.Calls) != 2 || traffic.Calls[0].Asked != "gpt-4o" {
		t.Errorf("the traffic is %+v", traffic)
	}
}

func TestOpenAIStream(t *testing.T) {
	l, d := door(t, call, output.Output{Text: text})
	c := client(t, l, d)
	var all openai.ChatCompletionAccumulator
	stream := c.Chat.Completions.NewStreaming(context.Background(), chatParams())
	for stream.Next() {
		if !all.AddChunk(stream.Current()) {
			t.Fatalf("a chunk does not fit: %s", stream.Current().RawJSON())
		}
	}
	if err := stream.Err(); err != nil || len(all.Choices) == 0 || len(all.Choices[0].Message.ToolCalls) != 2 || all.Choices[0].Message.ToolCalls[1].Function.Arguments != `{"q":"返金"}` {
		t.Fatalf("%v: %+v", err, all.Choices)
	}
	all = openai.ChatCompletionAccumulator{}
	stream = c.Chat.Completions.NewStreaming(context.Background(), chatParams())
	for stream.Next() {
		all.AddChunk(stream.Current())
	}
	if err := stream.Err(); err != nil || all.Choices[0].Message.Content != text || all.Choices[0].FinishReason != "stop" {
		t.Errorf("%v: %+v", err, all.Choices)
	}
	ended(t, l)
}

// TestOpenAIErrors are read as the vendor's, and not asked again.
func TestOpenAIErrors(t *testing.T) {
	l, d := door(t)
	c := client(t, l, d)
	_, err := c.Chat.Completions.New(context.Background(), chatParams())
	var refused *openai.Error
	if !errors.As(err, &refused) || refused.StatusCode != 400 || !strings.Contains(refused.Message, "the case has 0 canned answers") {
		t.Errorf("the error is %v", err)
	}
	if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "model call 1") {
		t.Errorf("the case ends with %v: the client asked again", err)
	}
}

func TestOpenAIResponses(t *testing.T) {
	l, d := door(t, call, output.Output{Text: text}, output.Output{Text: text})
	c := client(t, l, d)
	params := responses.ResponseNewParams{
		Model: "gpt-4o", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("How long?")},
		Tools: []responses.ToolUnionParam{responses.ToolParamOfFunction("search", map[string]any{"type": "object"}, false)},
	}
	r, err := c.Responses.New(context.Background(), params)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Output) != 2 || r.Output[1].Type != "function_call" || r.Output[1].AsFunctionCall().Arguments != `{"q":"返金"}` || r.Status != "completed" {
		t.Errorf("the output is %s", r.RawJSON())
	}
	if r, err = c.Responses.New(context.Background(), params); err != nil || r.OutputText() != text {
		t.Errorf("%v, %v", r, err)
	}
	var streamed strings.Builder
	var last string
	stream := c.Responses.NewStreaming(context.Background(), params)
	for stream.Next() {
		event := stream.Current()
		streamed.WriteString(map[bool]string{true: event.Delta}[event.Type == "response.output_text.delta"])
		if event.Type == "response.completed" {
			last = event.AsResponseCompleted().Response.OutputText()
		}
	}
	if err := stream.Err(); err != nil || streamed.String() != text || last != text {
		t.Errorf("%v: %q, %q", err, streamed.String(), last)
	}
	ended(t, l)
}

func messages(t *testing.T, l *provider.Line, d *provider.Door) (anthropic.Client, anthropic.MessageNewParams) {
	t.Helper()
	base, err := l.Provider("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	environment(t, d, "ANTHROPIC_BASE_URL", base)
	schema := anthropic.ToolInputSchemaParam{Properties: map[string]any{"q": map[string]any{"type": "string"}}}
	return anthropic.NewClient(), anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 100,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("How long?"))},
		Tools:    []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(schema, "search")},
	}
}

func TestAnthropicMessages(t *testing.T) {
	l, d := door(t, call, output.Output{Text: text})
	c, params := messages(t, l, d)
	r, err := c.Messages.New(context.Background(), params)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 2 || string(r.Content[1].AsToolUse().Input) != `{"q":"返金"}` || r.StopReason != "tool_use" {
		t.Errorf("the message is %s", r.RawJSON())
	}
	params.Messages = append(params.Messages, r.ToParam(), anthropic.NewUserMessage(anthropic.NewToolResultBlock(r.Content[0].ID, "30 days", false)))
	if r, err = c.Messages.New(context.Background(), params); err != nil || r.Content[0].Text != text || r.StopReason != "end_turn" {
		t.Errorf("%v, %v", r, err)
	}
	ended(t, l)
}

func TestAnthropicStream(t *testing.T) {
	l, d := door(t, call, output.Output{Text: text})
	c, params := messages(t, l, d)
	for turn, check := range []func(m anthropic.Message) bool{
		func(m anthropic.Message) bool {
			return len(m.Content) == 2 && string(m.Content[1].Input) == `{"q":"返金"}` && m.StopReason == "tool_use"
		},
		func(m anthropic.Message) bool {
			return len(m.Content) == 1 && m.Content[0].Text == text && m.StopReason == "end_turn"
		},
	} {
		var m anthropic.Message
		stream := c.Messages.NewStreaming(context.Background(), params)
		for stream.Next() {
			if err := m.Accumulate(stream.Current()); err != nil {
				t.Fatal(err)
			}
		}
		if err := stream.Err(); err != nil || !check(m) {
			t.Errorf("turn %d: %v, %s", turn, err, m.RawJSON())
		}
	}
	ended(t, l)
}

func TestAnthropicErrors(t *testing.T) {
	l, d := door(t)
	c, params := messages(t, l, d)
	_, err := c.Messages.New(context.Background(), params)
	var refused *anthropic.Error
	if !errors.As(err, &refused) || refused.StatusCode != 400 || !strings.Contains(refused.RawJSON(), "invalid_request_error") {
		t.Errorf("the error is %v", err)
	}
	if _, err := l.End(); err == nil || !strings.Contains(err.Error(), "model call 1") {
		t.Errorf("the case ends with %v", err)
	}
}
