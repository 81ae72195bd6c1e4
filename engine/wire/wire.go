// Package wire speaks the formats in which models are asked and answer: OpenAI
// chat completions, Anthropic Messages and OpenAI Responses. It reads requests
// and writes answers, as a model's side does, and writes requests and reads
// answers, as a client does; answers as one JSON document or as a stream of
// server-sent events.
//
// What it reads was written by somebody else's server or program, local ones
// with quirks of their own included, so it takes every spelling of a thing
// that is seen in practice and refuses only what says nothing. What it writes
// is what the vendors document.
//
// The package opens no connection and knows no address, no key and no case.
package wire

import (
	"slices"
	"strings"

	"docket/engine/output"
)

// A Request is what a system asked of a model, as far as an answer depends on
// it.
type Request struct {
	Model       string
	Stream      bool
	StreamUsage bool // the stream is to end with a count of tokens (chat completions)

	// Tools are the functions that the model may call, in the JSON model and
	// in the form in which they were declared; nil for none. Tools that the
	// provider runs itself are not among them.
	Tools  []any
	Choice Choice

	// Schema is the JSON Schema that the answer's text is held to, nil for
	// none. JSONObject says that it must be some JSON object.
	Schema     any
	JSONObject bool
}

// A Choice says whether the model must call a tool.
type Choice struct {
	None     bool   // it must not
	Required bool   // it must call one
	Name     string // it must call this one; "" for any
}

// An Answer is what a model answered.
type Answer struct {
	Text string
	// ToolCalls are the calls in their order; empty for none, never nil.
	ToolCalls []output.ToolCall
	// ToolCallsError says why the arguments of a call could not be parsed; ""
	// where they all could.
	ToolCallsError string

	Model      string // the model that answered; "" where the answer does not say
	StopReason string // in the provider's word

	// Refused says that the provider marked the answer as a refusal, or
	// withheld it; Refusal is what it said to that, "" where nothing.
	Refused bool
	Refusal string
	// Truncated says that the answer ends where a limit was reached.
	Truncated bool

	// Tokens billed. Input includes those that were read from and written to a
	// cache, which CacheRead and CacheWrite count apart. nil is unknown.
	Input, Output         *int64
	CacheRead, CacheWrite *int64
}

// Fill writes what the answer says into an output: text, tool calls, the model,
// why it stopped, tokens. Where the model refused in a field of its own and
// said nothing else, that is the text.
func (a *Answer) Fill(o *output.Output) {
	o.Text = a.Text
	if strings.TrimSpace(o.Text) == "" && a.Refusal != "" {
		o.Text = a.Refusal
	}
	o.ToolCalls, o.ToolCallsError = a.ToolCalls, a.ToolCallsError
	o.Model, o.StopReason = a.Model, a.StopReason
	o.InputTokens, o.OutputTokens = a.Input, a.Output
}

// A Prompt is a request that is yet to be written.
type Prompt struct {
	Model  string
	System string // "" for none
	User   string
	Params map[string]any // such as temperature; JSON model
	// Tools are declared in any vendor's form, as a list or as an object that
	// holds it under "tools"; nil for none.
	Tools any
	// Schema is the JSON Schema of the answer, plain or in OpenAI's wrapping;
	// nil for none.
	Schema any
}

// A Format is one of the formats.
type Format struct {
	Name     string // "chat", "messages", "responses"
	Provider string // whose it is: "openai", "anthropic"
	Path     string // below the base URL of a client: /chat/completions

	// ReadRequest reads a request. The error says in one sentence what is
	// wrong with it.
	ReadRequest func(body []byte) (*Request, error)
	// WriteRequest writes a request. The error says what of the prompt the
	// format cannot say.
	WriteRequest func(p *Prompt) ([]byte, error)

	// ReadAnswer reads an answer that is one JSON document, ReadStream one that
	// is a stream, from its first byte to its last. The error is a *Failure
	// where the provider reported one or the answer is not whole.
	ReadAnswer func(body []byte) (*Answer, error)
	ReadStream func(body []byte) (*Answer, error)

	// WriteAnswer writes an answer as one JSON document, WriteStream as the
	// events of a stream, each with the blank line that ends it. n, from 0,
	// tells the answers to one system apart, and with them the ids of their
	// tool calls; equal arguments give equal bytes.
	WriteAnswer func(a *Answer, r *Request, n int) []byte
	WriteStream func(a *Answer, r *Request, n int) [][]byte

	stage func(Event) Stage // see StageOf

	// WriteError writes what a client takes for an error of the provider.
	WriteError func(status int, message string) []byte
}

// Formats is the table of formats.
func Formats() []Format { return []Format{Chat(), Messages(), Responses()} }

// ForPath returns the format that is spoken at a path of a provider's API, such
// as /v1/chat/completions.
func ForPath(provider, path string) (Format, bool) {
	formats := Formats()
	i := slices.IndexFunc(formats, func(f Format) bool {
		return f.Provider == provider && strings.HasSuffix(path, f.Path)
	})
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Read reads an answer in the form in which it came.
func (f Format) Read(body []byte, stream bool) (*Answer, error) {
	if stream {
		return f.ReadStream(body)
	}
	return f.ReadAnswer(body)
}
