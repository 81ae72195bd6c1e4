package system

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"docket/engine/output"
	"docket/engine/provider"
	"docket/engine/source"
	"docket/engine/wire"
)

// asking is a system that is one call of a model: a prompt made from the case,
// and what the model answers to it. It is a client of the door like any other,
// and cannot tell who is behind it.
type asking struct {
	format  wire.Format
	prompt  *prompt
	system  *prompt // nil for none
	request wire.Prompt

	door   *provider.Door
	client *http.Client
}

func askingKeys() []string { return []string{"system_prompt", "url", "price", "timeout"} }

// compileAsking reads a system of the kind that speaks a format.
func compileAsking(format wire.Format) func(d *Declared, v source.Value, _ Env) (opener, source.Problems) {
	return func(d *Declared, v source.Value, _ Env) (opener, source.Problems) {
		a := &asking{format: format}
		var problems source.Problems
		var more source.Problems
		if v.Get("model").IsZero() {
			problems = append(problems, v.Problemf("a system of kind %s needs a model, such as model: %s", d.Kind, exampleModel(d.Kind)))
		}
		if v.Get("prompt").IsZero() {
			problems = append(problems, v.Problemf("a system of kind %s needs a prompt, a file such as prompt: prompts/summarise.md with {{.body}} for what a case has under input", d.Kind))
		}
		for _, t := range []struct {
			from text
			into **prompt
		}{{d.promptText, &a.prompt}, {d.systemText, &a.system}} {
			if !t.from.at.IsZero() {
				*t.into, more = compilePrompt(t.from)
				problems = append(problems, more...)
			}
		}
		for _, e := range v.Get("params").Entries() {
			if own := map[string]string{
				"model": "model", "messages": "prompt", "input": "prompt", "system": "system_prompt",
				"instructions": "system_prompt", "tools": "tools", "response_format": "output_schema",
			}[e.Key]; own != "" {
				problems = append(problems, e.KeyAt.Problemf("%s is not a parameter here: write it under %s of the system", e.Key, own))
			}
		}
		params, _ := d.params.(map[string]any)
		a.request = wire.Prompt{Model: d.Model, Params: params, Tools: d.tools, Schema: d.outputSchema}
		if _, err := format.WriteRequest(&a.request); err != nil && len(problems) == 0 {
			problems = append(problems, v.Problemf("system %q: %v", d.Name, err))
		}
		d.Needs.Providers = []string{format.Provider}
		if url := v.Get("url"); !url.IsZero() {
			d.Needs.BaseURL, more = compileURL(url, "url, where "+format.Provider+" is,")
			problems = append(problems, more...)
		}
		d.Needs.Timeout, more = compileTimeout(v.Get("timeout"))
		problems = append(problems, more...)
		d.Needs.Prices, more = compilePrices(v.Get("price"))
		return a, append(problems, more...)
	}
}

func exampleModel(kind string) string {
	if kind == "anthropic" {
		return "claude-sonnet-4-5-20250929"
	}
	return "gpt-4o-2024-08-06"
}

func (a *asking) open(_ context.Context, name string, s Surroundings) (System, error) {
	if s.Door == nil {
		return nil, fmt.Errorf("system %q: %w", name, errNoDoor)
	}
	opened := *a
	opened.door, opened.client = s.Door, newClient()
	return &opened, nil
}

// idleConnections is how many connections a client of the door keeps, so that a
// job finds one whatever the number of jobs.
const idleConnections = 1024

// newClient returns a client of the door. It knows no proxy, since the door is
// on loopback, and no time limit, since the door has them.
func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: idleConnections},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Close lets go of the connections.
func (a *asking) Close() error {
	a.client.CloseIdleConnections()
	return nil
}

// Answer implements System.
func (a *asking) Answer(ctx context.Context, r Request) (output.Output, error) {
	body, err := a.write(r.Input)
	if err != nil {
		return output.Output{}, err
	}
	begun := time.Now()
	line := a.door.Line()
	defer line.Close()
	line.Begin(r.ID, r.Sample)
	out, err := a.ask(ctx, line, body)
	return settle(ctx, line, out, err, begun)
}

// write makes the request for a case.
func (a *asking) write(input map[string]any) ([]byte, error) {
	request := a.request
	var err error
	if request.User, err = a.prompt.render(input); err != nil {
		return nil, err
	}
	if a.system != nil {
		if request.System, err = a.system.render(input); err != nil {
			return nil, err
		}
	}
	return a.format.WriteRequest(&request)
}

// ask sends a request and reads the answer. What the traffic knows better than
// the answer, the model and the tokens, is left to it.
func (a *asking) ask(ctx context.Context, line *provider.Line, body []byte) (output.Output, error) {
	base, err := line.Provider(a.format.Provider)
	if err != nil {
		return output.Output{}, err
	}
	if !strings.HasSuffix(base, "/v1") {
		base += "/v1"
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if a.format.Provider == "anthropic" {
		header.Set("Anthropic-Version", "2023-06-01")
	}
	status, header, answered, err := post(ctx, a.client, base+a.format.Path, header, body)
	switch {
	case err != nil:
		return output.Output{}, err
	case status != http.StatusOK:
		err := fmt.Errorf("%s answered with an error: %w", a.format.Provider, wire.ReadFailure(status, answered))
		if key := provider.KeyVariable(a.format.Provider); status == http.StatusUnauthorized && os.Getenv(key) == "" {
			err = fmt.Errorf("%w; set %s", err, key)
		}
		return output.Output{}, err
	}
	answer, err := a.format.Read(answered, strings.HasPrefix(header.Get("Content-Type"), "text/event-stream"))
	if err != nil {
		return output.Output{}, fmt.Errorf("the answer of %s is not whole: %w", a.format.Provider, err)
	}
	var out output.Output
	answer.Fill(&out)
	out.Model, out.InputTokens, out.OutputTokens = "", nil, nil
	if json.Valid(answered) {
		out.Raw = slices.Clip(answered)
	}
	return out, nil
}

// post sends a body to the door and takes in the answer.
func post(ctx context.Context, client *http.Client, address string, header http.Header, body []byte) (int, http.Header, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, errDoor
	}
	request.Header = header
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, nil, cmpError(ctx.Err(), errDoor)
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, nil, cmpError(ctx.Err(), errDoor)
	}
	return response.StatusCode, response.Header, answered, nil
}

// errDoor stands for what went wrong between the door and its client, whose
// address nobody needs to see.
var errDoor = errors.New("the call broke off within docket")

func cmpError(first, second error) error {
	if first != nil {
		return first
	}
	return second
}
