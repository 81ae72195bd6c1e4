package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"docket/engine/phrase"
	"docket/engine/wire"
)

// replayed answers from recordings, and from nothing else.
func (d *Door) replayed(ctx context.Context, _ *booking, p *pending) (*reply, error) {
	x, err := d.config.Tape.Find(ctx, p.key, p.request)
	if err != nil {
		return nil, err
	}
	r := &reply{Response: x.Response, latency: &x.Latency, recorded: &x.Recorded}
	if r.Status == 0 {
		return nil, fmt.Errorf("the recording of this call to %s has no status", p.to.name)
	}
	if p.format != nil && r.Status == http.StatusOK {
		if r.answer, err = p.format.Read(r.Body, isStream(r.Header)); err != nil {
			return nil, fmt.Errorf("the recording of this call to %s holds no answer: %w", p.to.name, err)
		}
	}
	return r, nil
}

// recorded answers as live does, and keeps what was answered before the system
// has it, so that nothing is answered that a replay would lack.
//
// A service is asked for one thing once in a session: a recording of it holds
// one answer, which a replay gives each time. A system that heard another one
// later would go on from that, with requests that the replay never makes.
func (d *Door) recorded(ctx context.Context, b *booking, p *pending) (*reply, error) {
	if r, ok := d.kept(ctx, p); ok {
		return r, nil
	}
	sent := time.Now().UTC()
	r, err := d.live(ctx, b, p)
	if err != nil {
		return nil, err
	}
	if r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden {
		return r, nil // says something of a key, and nothing of the request
	}
	x := Exchange{Request: p.request, Response: r.Response, Latency: *r.latency, Recorded: sent}
	if err := d.config.Tape.Save(ctx, p.key, x); err != nil {
		return nil, fmt.Errorf("what %s answered could not be recorded: %w", p.to.name, err)
	}
	if first, ok := d.kept(ctx, p); ok && !p.out.begun {
		return first, nil // another job was quicker
	}
	return r, nil
}

// kept answers with what a service said before in this session.
func (d *Door) kept(ctx context.Context, p *pending) (*reply, bool) {
	if p.key.Service == "" {
		return nil, false
	}
	x, ok := d.config.Tape.Kept(ctx, p.key, p.request)
	return &reply{Response: x.Response, latency: &x.Latency}, ok
}

// pinned answers from recordings where there are any.
func (d *Door) pinned(ctx context.Context, b *booking, p *pending) (*reply, error) {
	r, err := d.replayed(ctx, b, p)
	if errors.Is(err, ErrMissed) {
		return d.live(ctx, b, p)
	}
	return r, err
}

// canned answers with what the case wrote for its calls, one after another.
// The request is there, so that an answer is held to the very tools and the
// very format that a model would have been.
func (d *Door) canned(_ context.Context, b *booking, p *pending) (*reply, error) {
	if p.format == nil {
		return nil, fmt.Errorf("the system called %s %s of %s, and canned answers stand for answers of a model only", p.request.Method, p.request.Path, p.to.name)
	}
	answers, err := d.config.Canned(b.id)
	if err != nil {
		return nil, err
	}
	n := b.next(len(answers))
	if n >= len(answers) {
		return nil, fmt.Errorf("the system made model call %d and the case has %s: write what the model answers then under mock, or look for the call that is new", n+1, phrase.Count(len(answers), "canned answer", "canned answers"))
	}
	o := answers[n]
	if err := d.contracts.hold(p.asked, &o); err != nil {
		return nil, fmt.Errorf("canned answer %d breaks the contract that live answers are held to: %w", n+1, err)
	}
	a := &wire.Answer{Text: o.Text, ToolCalls: o.ToolCalls}
	r := &reply{answer: a, Response: Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}}}
	if !p.asked.Stream {
		r.Body = p.format.WriteAnswer(a, p.asked, n)
		return r, nil
	}
	r.Header.Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, event := range p.format.WriteStream(a, p.asked, n) {
		r.Body = append(r.Body, event...)
	}
	return r, nil
}
