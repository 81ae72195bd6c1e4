package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"time"

	"docket/engine/wire"
)

// newTransport returns what live calls go through. It negotiates compression
// itself, so that bodies come plain.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          1024, // as many as there may be jobs
		MaxIdleConnsPerHost:   1024,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   15 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// live answers with what the upstream answers. A document is taken in whole
// before the system gets any of it; a stream is passed on event by event, but
// for its end, which waits until the answer was found to be one. An attempt of
// which the system has nothing yet can be made again; one that broke off later
// is its case's error.
func (d *Door) live(ctx context.Context, _ *booking, p *pending) (*reply, error) {
	for attempt := 1; ; attempt++ {
		r, err := d.attempt(ctx, p)
		if err == nil {
			r.attempts = attempt
			d.visit(p.key.Service)
			return r, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err() // nobody waits for an answer any more
		}
		pause, again := d.pause(p, err, attempt)
		if !again {
			if attempt > 1 {
				err.err = fmt.Errorf("%w (after %d attempts)", err.err, attempt)
			}
			return nil, &err.refusal
		}
		if err := d.config.Wait(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// visit notes that a service answered for real; "" is none.
func (d *Door) visit(service string) {
	if service == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.visited[service] = true
}

// Visited returns the services that answered for real so far, sorted.
func (d *Door) Visited() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.visited))
}

// A failed is an attempt that gave no answer.
type failed struct {
	refusal
	temporary bool
}

// attempt makes one call. What a service answers is its answer, whatever the
// status. So is the answer of a model, or of a system, and its refusal to take
// the request as it is; a limit, a fault, half an answer are none.
func (d *Door) attempt(ctx context.Context, p *pending) (*reply, *failed) {
	limited, cancel := context.WithTimeout(ctx, d.config.Timeout)
	defer cancel()
	begun := time.Now()
	p.out.forget()
	response, err := d.fetch(limited, p)
	if err != nil {
		status := http.StatusBadGateway
		if limited.Err() != nil {
			status, err = http.StatusGatewayTimeout, fmt.Errorf("no answer within %v", d.config.Timeout)
		}
		return nil, &failed{refusal{status: status, err: fmt.Errorf("%s could not be reached: %w", p.to.name, err)}, !errors.Is(err, errTooLarge)}
	}
	took := time.Since(begun)
	r := &reply{Response: response, latency: &took}
	if p.to.vendor == nil && !p.to.exact {
		return r, nil
	}
	var failure *wire.Failure
	switch {
	case response.Status >= 400:
		failure = wire.ReadFailure(response.Status, response.Body)
		if !failure.Temporary() {
			if failure.Status == http.StatusTooManyRequests || failure.Status >= 500 {
				break // no answer, and no use asking again
			}
			return r, nil
		}
	case p.format != nil && response.Status == http.StatusOK:
		if r.answer, err = p.format.Read(response.Body, isStream(response.Header)); err == nil {
			return r, nil
		}
		if !errors.As(err, &failure) {
			failure = &wire.Failure{Message: err.Error()}
		}
		if !failure.Temporary() && failure.Status != 500 {
			return r, nil
		}
	default:
		return r, nil
	}
	why := &failed{refusal{response: response, err: fmt.Errorf("%s answered with an error: %w", p.to.name, failure)}, failure.Temporary()}
	if failure.Status == 0 {
		why.err = fmt.Errorf("the answer of %s is not whole: %w", p.to.name, failure)
	}
	if response.Status < 400 {
		// What the client would make of it is anybody's guess.
		why.response, why.status = Response{Header: response.Header}, http.StatusBadGateway
	}
	return nil, why
}

var errTooLarge = fmt.Errorf("the answer has more than %d MB", maxResponse>>20)

// fetch sends a request to its upstream and takes in the response. Redirects
// are not followed: a key must not go where somebody else points.
func (d *Door) fetch(ctx context.Context, p *pending) (Response, error) {
	if d.config.Transport == nil {
		return Response{}, errors.New("nothing that could connect was made, since nobody is live")
	}
	request, err := http.NewRequestWithContext(ctx, p.request.Method, p.to.address(p.request), bytes.NewReader(p.request.Body))
	if err != nil {
		return Response{}, errors.New("its address cannot be called")
	}
	request.Header = p.header.Clone()
	request.Header.Del("Accept-Encoding")
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", "docket")
	}
	d.authorize(request.Header, p.to)
	response, err := d.config.Transport.RoundTrip(request)
	if err != nil {
		return Response{}, plainError(err)
	}
	defer response.Body.Close()
	r := Response{Status: response.StatusCode, Header: response.Header}
	body := io.LimitReader(response.Body, maxResponse+1)
	if r.Status == http.StatusOK && isStream(r.Header) {
		r.Body, err = p.relay(r, body)
	} else {
		r.Body, err = io.ReadAll(body)
	}
	switch {
	case len(r.Body) > maxResponse:
		return Response{}, errTooLarge
	case errors.Is(err, errGone), err != nil && (p.format == nil || r.Status != http.StatusOK):
		return Response{}, fmt.Errorf("its answer broke off: %w", plainError(err))
	}
	// A model's answer that broke off is one that is not whole, and found so
	// when it is read.
	return r, nil
}

// relay passes a stream on while it comes, and returns all of it.
func (p *pending) relay(head Response, stream io.Reader) ([]byte, error) {
	var all []byte
	pieces := wire.ReadPieces(stream)
	for {
		piece, err := pieces.Next()
		all = append(all, piece...)
		if len(piece) > 0 && len(all) <= maxResponse {
			stage := wire.Saying
			if p.format != nil {
				stage = p.format.StageOf(piece)
			}
			if gone := p.out.pass(head, piece, stage); gone != nil {
				return all, gone
			}
		}
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil || len(all) > maxResponse {
			return all, err
		}
	}
}

// address returns where a request goes.
func (u *upstream) address(r Request) string {
	at := *u.base
	base := at.EscapedPath()
	path := r.Path
	if u.prefix != "" {
		if below, ok := cutPrefix(path, u.prefix); ok {
			path = below
		}
	}
	at.Path, at.RawPath = "", ""
	text := at.Scheme + "://" + at.Host + trimSlash(base) + path
	if u.exact {
		text = at.Scheme + "://" + at.Host + base
	}
	switch {
	case at.RawQuery != "" && r.Query != "":
		text += "?" + at.RawQuery + "&" + r.Query
	case at.RawQuery+r.Query != "":
		text += "?" + at.RawQuery + r.Query
	}
	return text
}
