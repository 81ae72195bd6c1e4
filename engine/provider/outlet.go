package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"docket/engine/wire"
)

// An outlet is where the answer to one request goes. An answer goes out whole,
// or, where it is a stream of something live, event by event while it comes.
type outlet struct {
	rc    *http.ResponseController
	w     http.ResponseWriter
	write time.Duration // for the client to take one piece

	begun  bool   // the status and a part of the answer are with the client
	ending bool   // the answer has come to its end
	held   []byte // of a stream: what came and is not passed on yet
}

// open sends a status and headers. Length and encoding are those of what is
// sent, and a cookie is nobody's here.
func (o *outlet) open(r Response) {
	h := o.w.Header()
	for name, values := range endToEnd(r.Header) {
		h[name] = values
	}
	for _, name := range []string{"Content-Length", "Content-Encoding", "Set-Cookie"} {
		h.Del(name)
	}
	if !isStream(r.Header) {
		h.Set("Content-Length", strconv.Itoa(len(r.Body)))
	}
	o.rc.SetWriteDeadline(time.Now().Add(o.write))
	o.w.WriteHeader(r.Status)
}

// forget drops what an attempt left that nobody has seen.
func (o *outlet) forget() { o.ending, o.held = false, nil }

// send sends a response, or what is left of one that is partly out: a stream
// event by event, as it once came.
func (o *outlet) send(r Response) {
	switch {
	case o.begun:
		o.push(o.held)
	case !isStream(r.Header):
		o.open(r)
		o.w.Write(r.Body)
	default:
		o.open(r)
		for _, event := range wire.SplitEvents(r.Body) {
			if o.push(event) != nil {
				return
			}
		}
	}
}

// push sends a piece of a stream at once.
func (o *outlet) push(piece []byte) error {
	o.rc.SetWriteDeadline(time.Now().Add(o.write))
	if _, err := o.w.Write(piece); err != nil {
		return err
	}
	return o.rc.Flush()
}

// pass takes the next piece of a stream that comes with the head of r, and
// passes on what may be.
//
// What comes before the answer itself is held back, since an answer of which
// the client has nothing can still be asked for again. So is what ends it: with
// the end a client takes the answer for whole, and it is that once it was read,
// and recorded where it is to be. The error is errGone.
func (o *outlet) pass(r Response, piece []byte, stage wire.Stage) error {
	o.held = append(o.held, piece...)
	o.ending = o.ending || stage == wire.Ending
	if o.ending || stage == wire.Opening && !o.begun {
		return nil
	}
	if !o.begun {
		o.begun = true
		o.open(r)
	}
	held := o.held
	o.held = nil
	if o.push(held) != nil {
		return errGone
	}
	return nil
}

// end ends a stream that is partly out and failed. An error that the upstream
// itself reported in it is passed on; anything else is cut off, so that a client
// cannot take for whole what is not.
func (o *outlet) end(err error) {
	var failure *wire.Failure
	if errors.As(err, &failure) && failure.Status != 0 {
		o.push(o.held)
		return
	}
	panic(http.ErrAbortHandler) // the server's word for closing the connection
}

// errGone says that the client took no more of its answer: it gave up, which is
// no failure of what it asked.
var errGone = fmt.Errorf("the system took no more of the answer: %w", context.Canceled)
