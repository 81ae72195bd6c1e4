package system

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/provider"
	"docket/engine/source"
	"docket/engine/wire"
)

// remote is a system that runs somewhere else and is reached over HTTP: it is
// sent what a program would get on stdin, and answers with what one would
// print. Which models it calls is its own affair.
type remote struct {
	door   *provider.Door
	client *http.Client
}

func compileRemote(d *Declared, v source.Value, _ Env) (opener, source.Problems) {
	d.Mode = "live"
	var problems, more source.Problems
	if url := v.Get("url"); url.IsZero() {
		problems = append(problems, v.Problemf("a system of kind http needs a url, such as url: https://app.staging.example/answer"))
	} else {
		d.Needs.Remote, more = compileURL(url, "url")
		problems = append(problems, more...)
	}
	d.Needs.Timeout, more = compileTimeout(v.Get("timeout"))
	return &remote{}, append(problems, more...)
}

func (*remote) open(_ context.Context, name string, s Surroundings) (System, error) {
	if s.Door == nil {
		return nil, fmt.Errorf("system %q: %w", name, errNoDoor)
	}
	return &remote{door: s.Door, client: newClient()}, nil
}

// Close lets go of the connections.
func (x *remote) Close() error {
	x.client.CloseIdleConnections()
	return nil
}

// Answer implements System.
func (x *remote) Answer(ctx context.Context, r Request) (output.Output, error) {
	begun := time.Now()
	line := x.door.Line()
	defer line.Close()
	line.Begin(r.ID, r.Sample)
	out, err := x.ask(ctx, line, r)
	return settle(ctx, line, out, err, begun)
}

func (x *remote) ask(ctx context.Context, line *provider.Line, r Request) (output.Output, error) {
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	status, _, answered, err := post(ctx, x.client, line.Remote(), header, requestLine(r))
	switch {
	case err != nil:
		return output.Output{}, err
	case status != http.StatusOK:
		return output.Output{}, fmt.Errorf("the system answered with an error: %w", wire.ReadFailure(status, answered))
	case len(answered) > maxAnswer:
		return output.Output{}, fmt.Errorf("the system answered with more than %d MB", maxAnswer>>20)
	}
	row, err := interchange.ReadAnswer(answered)
	if err == nil {
		err = belongs(row, r)
	}
	if err != nil {
		return output.Output{}, fmt.Errorf("the system gave no answer: %w", err)
	}
	if row.Error != "" {
		return output.Output{}, errors.New(row.Error)
	}
	return row.Output, nil
}

// belongs holds an answer that says what it is for to the request.
func belongs(row interchange.Row, r Request) error {
	switch {
	case row.ID != "" && row.ID != r.ID:
		return fmt.Errorf("it is for case %q and not for this one", row.ID)
	case row.Sample != 0 && row.Sample != r.Sample:
		return fmt.Errorf("it is for sample %d and not for sample %d", row.Sample, r.Sample)
	}
	return nil
}
