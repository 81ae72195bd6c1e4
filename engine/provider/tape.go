package provider

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// ErrMissed is wrapped by the error of a [Tape] that has no recording of a
// request, and so by the error of the case that made it.
var ErrMissed = errors.New("no recording")

// A Tape keeps requests with their responses. It is called from several
// goroutines.
type Tape interface {
	// Find returns the exchange that was recorded for a request. Where there
	// is none, the error wraps [ErrMissed] and says which recording comes
	// nearest. Every other error is one of the recordings themselves.
	Find(ctx context.Context, key Key, request Request) (Exchange, error)
	// Save keeps an exchange, without whatever is secret in it, and of the headers
	// of a response those that a replay needs.
	Save(ctx context.Context, key Key, x Exchange) error
	// Kept returns what a service answered to an equal request earlier in this
	// session, where that was kept as it was answered; there is false for none.
	Kept(ctx context.Context, key Key, request Request) (Exchange, bool)
	// Begin says that a sample of a case is begun, End that it has ended.
	Begin(caseID string, sample int)
	End(caseID string, sample int)
}

// A Key is the place of an exchange among the recordings: whom it was with,
// and for which sample of which case.
type Key struct {
	Provider string // "openai" or "anthropic"; "" for a service
	Service  string // as .docket.yaml names it; "" for a provider
	CaseID   string // free text
	Sample   int    // 1..k
}

// An Exchange is a request and its response.
type Exchange struct {
	Request  Request
	Response Response
	Latency  time.Duration // what the response took when it was recorded
	Recorded time.Time     // when that was
}

// A Request is what a system asked for, with nothing in it of the address that
// docket gave it.
type Request struct {
	Method string
	Path   string      // escaped, below the base URL's host: /v1/chat/completions
	Query  string      // raw, without the question mark
	Header http.Header // those that shape an answer, by an allow-list; never a key
	Body   []byte
}

// A Response is what came back.
type Response struct {
	Status int
	Header http.Header // by an allow-list where it is, or was, recorded
	Body   []byte      // not compressed; of a stream, all of it
}
