package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"docket/engine/wire"
)

// Limits of the door.
const (
	headerTime  = 10 * time.Second // for the header of a request to come
	idleTime    = 2 * time.Minute  // between two requests on a connection
	maxHeader   = 64 << 10         // bytes
	maxRequest  = 32 << 20         // bytes of a body
	maxResponse = 64 << 20         // bytes of a body
)

// patience is how long the door waits for a client.
type patience struct {
	body  time.Duration // for the body of a request to come
	write time.Duration // for the client to take one piece of an answer
}

// An upstream is something that may be called.
type upstream struct {
	name   string
	base   *url.URL
	prefix string  // that a client's path begins with and base ends with
	vendor *vendor // nil for what is no provider
	exact  bool    // the address stands for one place and nothing below it
}

// A pending is one request to the door while it is answered.
type pending struct {
	key     Key
	to      *upstream
	request Request
	header  http.Header  // all that go on to an upstream
	format  *wire.Format // that is spoken; nil where a model is not asked for an answer
	asked   *wire.Request
	out     *outlet
}

// A reply is what the door answers.
type reply struct {
	Response
	answer   *wire.Answer // where it is one of a model and not yet read; else nil
	latency  *time.Duration
	attempts int
	recorded *time.Time
}

// An answerer answers a request. A *refusal says what the client is to be told;
// any other error as well, in the words of the error.
type answerer func(ctx context.Context, b *booking, p *pending) (*reply, error)

// A refusal is an error with the response that the client gets for it.
type refusal struct {
	response Response // of what came back at last; Status 0 where nothing did
	status   int      // otherwise
	err      error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// ServeHTTP answers one request of a system.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	line, route, rest := d.route(r)
	if line == nil {
		// Whoever has no address learns nothing.
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	rc := http.NewResponseController(w)
	b := line.booked()
	if b == nil || !b.enter(rc) {
		http.Error(w, "the case that this address belongs to has ended", http.StatusGone)
		return
	}
	defer b.leave(rc)
	to := d.upstreams[route]
	if to == nil {
		b.fail(fmt.Errorf("the system called %q, which is neither a provider nor a service", route))
		http.Error(w, "no such provider or service", http.StatusNotFound)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(b.ctx, cancel)()

	begun := 0
	if to.vendor != nil {
		begun = b.send()
	}
	p, err := d.read(rc, w, r, to, rest, b)
	if err == nil {
		var answered *reply
		if answered, err = d.answerer(to)(ctx, b, p); err == nil {
			d.book(b, p, answered, begun)
			p.out.send(answered.Response)
			return
		}
	}
	// A client that gave up, as clients with a time-out of their own do, is no
	// failure: what the system makes of it is.
	if !errors.Is(err, context.Canceled) {
		b.fail(err)
	}
	if p.out.begun {
		p.out.end(err)
		return
	}
	p.out.send(p.refused(err))
}

func (d *Door) answerer(to *upstream) answerer {
	switch {
	case to.vendor != nil:
		return d.models
	case to.exact:
		return d.remote
	}
	return d.services
}

// route finds the line that a request came in on, and what it calls. The line
// is nil for a request that has no right to be here.
func (d *Door) route(r *http.Request) (line *Line, route, rest string) {
	// A name that resolves to loopback must not lead a browser here.
	if r.Host != d.host || r.URL.Host != "" || r.Method == http.MethodConnect {
		return nil, "", ""
	}
	parts := strings.SplitN(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/", 4)
	if line = d.line(parts[0]); line == nil || len(parts) < 2 {
		return nil, "", ""
	}
	switch kind := parts[1]; {
	case kind == "x":
		return line, "x", strings.Join(parts[2:], "/")
	case len(parts) == 2:
		return line, kind, ""
	case len(parts) == 3:
		return line, kind + "/" + parts[2], ""
	default:
		return line, kind + "/" + parts[2], "/" + parts[3]
	}
}

// read takes in a request. The pending is never nil, for what an error is told
// in.
func (d *Door) read(rc *http.ResponseController, w http.ResponseWriter, r *http.Request, to *upstream, rest string, b *booking) (*pending, error) {
	p := &pending{to: to, key: Key{CaseID: b.id, Sample: b.sample}, header: endToEnd(r.Header)}
	p.out = &outlet{rc: rc, w: w, write: d.patience.write}
	if to.vendor != nil {
		p.key.Provider = to.name
		if f, ok := wire.ForPath(to.name, rest); ok && r.Method == http.MethodPost {
			p.format = &f
		}
	} else {
		p.key.Service = to.name
	}
	switch {
	case !plainPath(rest) || to.exact && rest != "":
		return p, &refusal{status: http.StatusBadRequest, err: fmt.Errorf("the system called the path %q of %s, which does not stay below its address", rest, to.name)}
	case r.Header.Get("Upgrade") != "":
		return p, &refusal{status: http.StatusNotImplemented, err: fmt.Errorf("the system asked %s for the protocol %q; only plain requests and server-sent events pass", to.name, r.Header.Get("Upgrade"))}
	}
	tooLarge := &refusal{status: http.StatusRequestEntityTooLarge, err: fmt.Errorf("the system sent %s a body of more than %d MB", to.name, maxRequest>>20)}
	if r.ContentLength > maxRequest {
		w.Header().Set("Connection", "close")
		return p, tooLarge
	}
	rc.SetReadDeadline(time.Now().Add(d.patience.body))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			return p, tooLarge
		}
		return p, &refusal{status: http.StatusBadRequest, err: fmt.Errorf("the body that the system sent %s did not come to its end", to.name)}
	}
	rc.SetReadDeadline(time.Time{})
	p.request = Request{Method: r.Method, Path: rest, Query: r.URL.RawQuery, Header: keptOfRequest(r.Header), Body: body}
	if p.format != nil {
		if p.asked, err = p.format.ReadRequest(body); err != nil {
			return p, &refusal{status: http.StatusBadRequest, err: fmt.Errorf("the system sent %s what it cannot understand: %w", to.name, err)}
		}
	}
	return p, nil
}

// plainPath reports whether a path, as it came, leads nowhere but down.
func plainPath(escaped string) bool {
	path, err := url.PathUnescape(escaped)
	if err != nil || strings.ContainsAny(path, "\\\x00") {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "." || part == ".." {
			return false
		}
	}
	return true
}

// book notes a call with all that is known of it.
func (d *Door) book(b *booking, p *pending, r *reply, begun int) {
	if p.to.vendor == nil {
		if !p.to.exact {
			b.noteService(ServiceCall{Service: p.to.name, Recorded: r.recorded})
		}
		return
	}
	if p.format == nil || r.Status != http.StatusOK {
		return
	}
	c := Call{Provider: p.to.name, Asked: p.asked.Model, Attempts: r.attempts, Recorded: r.recorded, begun: begun}
	if r.latency != nil {
		ms := float64(r.latency.Microseconds()) / 1000
		c.Latency = &ms
	}
	if r.answer != nil {
		c.fill(r.answer)
		c.Cost = d.config.Prices.Cost(r.answer, p.asked.Model)
	}
	b.note(c)
	if d.Asks() {
		d.spend(c.Cost)
	}
}

// refused is what the client is told of an error, in the words of the vendor
// where it speaks to one. Vendors' own clients heed x-should-retry, and would
// otherwise ask again what was settled.
func (p *pending) refused(err error) Response {
	response := Response{Status: http.StatusBadRequest}
	var r *refusal
	switch {
	case errors.As(err, &r) && r.response.Status != 0:
		response = r.response
	case r != nil:
		response.Status = r.status
	case errors.Is(err, ErrMissed):
		response.Status = http.StatusFailedDependency
	}
	response.Header = response.Header.Clone()
	if response.Body == nil {
		response.Header = http.Header{"Content-Type": {"application/json"}}
		write := wire.Chat().WriteError
		if p.format != nil {
			write = p.format.WriteError
		} else if p.to.name == "anthropic" && p.to.vendor != nil {
			write = wire.Messages().WriteError
		}
		response.Body = write(response.Status, "docket: "+err.Error())
	}
	if response.Header == nil {
		response.Header = http.Header{}
	}
	response.Header.Set("X-Should-Retry", "false")
	return response
}
