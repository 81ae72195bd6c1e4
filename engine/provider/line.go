package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/engine/phrase"
)

// A Line is an address of the door that nobody can guess. One sample of one
// case at a time is booked on it, from Begin to End; what comes at another time
// is refused.
//
// A system whose process outlives a sample keeps its line. A request that such
// a process begins after it has answered, and while the next sample is under
// way, cannot be told from that sample's own.
type Line struct {
	door  *Door
	token string

	mu        sync.Mutex
	providers []string // whose address was given out
	current   *booking
}

// Provider returns the address of a provider, as the vendor's own base-URL
// variable would hold it.
func (l *Line) Provider(name string) (string, error) {
	u, ok := l.door.upstreams["p/"+name]
	if !ok {
		return "", fmt.Errorf("no provider %q: there is %s", name, l.door.known("p"))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.providers, name) {
		l.providers = append(l.providers, name)
	}
	return l.address("p/"+name) + u.prefix, nil
}

// Service returns the address of a service.
func (l *Line) Service(name string) (string, error) {
	route := "s/" + url.PathEscape(name)
	if _, ok := l.door.upstreams[route]; !ok {
		return "", fmt.Errorf("no service %q: there is %s", name, l.door.known("s"))
	}
	return l.address(route), nil
}

// Remote returns the address of the system that is reached over HTTP.
func (l *Line) Remote() string { return l.address("x") }

func (l *Line) address(route string) string {
	return "http://" + l.door.host + "/" + l.token + "/" + route
}

// Begin books a sample of a case on the line.
func (l *Line) Begin(id string, sample int) {
	if tape := l.door.config.Tape; tape != nil {
		tape.Begin(id, sample)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = newBooking(id, sample)
}

// End ends the booking, and with it every call that is under way. It returns
// what passed, and an error where that makes the sample one that failed,
// whatever the system answered: a recording that is missing (ErrMissed), a
// canned answer that breaks the contract, a model that could not be reached.
func (l *Line) End() (Traffic, error) {
	l.mu.Lock()
	b := l.current
	l.current = nil
	providers := slices.Clone(l.providers)
	l.mu.Unlock()
	if b == nil {
		return Traffic{}, nil
	}
	b.end()
	if tape := l.door.config.Tape; tape != nil {
		tape.End(b.id, b.sample)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	slices.SortStableFunc(b.calls, func(x, y Call) int { return x.begun - y.begun })
	traffic := Traffic{Calls: b.calls, Services: b.services}
	if b.failure != nil {
		return traffic, b.failure
	}
	return traffic, l.door.owed(b, providers)
}

// owed looks for what a sample did not do and had to.
func (d *Door) owed(b *booking, providers []string) error {
	if d.Asks() || len(providers) == 0 {
		return nil
	}
	if b.sent == 0 {
		return fmt.Errorf("%w: the address of %s was given to it and nothing came; see that its client reads the base URL", ErrSilent, strings.Join(providers, " and "))
	}
	if left := b.canned - b.used; left > 0 {
		return fmt.Errorf("%w: the system made %s and the case has %s", ErrUnused, phrase.Count(b.used, "model call", "model calls"), phrase.Count(b.canned, "canned answer", "canned answers"))
	}
	return nil
}

// What a sample may owe, as far as a door can see. The system has then not
// failed by itself, and what it said of a failure of its own comes first.
var (
	ErrSilent = errors.New("the system made no model call")     // though it was given a provider
	ErrUnused = errors.New("canned answers were not asked for") // the last of the case
)

// Close gives the address up.
func (l *Line) Close() {
	l.End()
	l.door.mu.Lock()
	defer l.door.mu.Unlock()
	delete(l.door.lines, l.token)
}

// booked returns the booking of the line; nil for none.
func (l *Line) booked() *booking {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current
}

// A booking is one sample of one case while it is under way, with all that
// passed.
type booking struct {
	id     string
	sample int
	ctx    context.Context // done when the booking ends
	cancel context.CancelFunc

	mu       sync.Mutex
	ended    bool
	under    map[*http.ResponseController]bool // requests under way
	empty    chan struct{}                     // closed once it has ended and none is under way
	sent     int                               // requests to providers
	canned   int                               // canned answers that the case has
	used     int                               // canned answers that were asked for
	calls    []Call
	services []ServiceCall
	failure  error // the first
}

func newBooking(id string, sample int) *booking {
	b := &booking{id: id, sample: sample, under: map[*http.ResponseController]bool{}, empty: make(chan struct{})}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// enter notes a request, and reports false where the booking has ended.
func (b *booking) enter(rc *http.ResponseController) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return false
	}
	b.under[rc] = true
	return true
}

func (b *booking) leave(rc *http.ResponseController) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.under, rc)
	if b.ended && len(b.under) == 0 {
		close(b.empty)
	}
}

// end ends the booking. Requests under way have a moment to finish, since a
// client may have read its answer to the end before the door knows; one whose
// client neither reads nor writes is cut off.
func (b *booking) end() {
	b.mu.Lock()
	b.ended = true
	waiting := len(b.under) > 0
	b.mu.Unlock()
	b.cancel()
	if !waiting {
		return
	}
	if b.emptyWithin(50 * time.Millisecond) {
		return
	}
	b.mu.Lock()
	for rc := range b.under {
		rc.SetReadDeadline(time.Unix(1, 0))
		rc.SetWriteDeadline(time.Unix(1, 0))
	}
	b.mu.Unlock()
	b.emptyWithin(time.Second)
}

func (b *booking) emptyWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-b.empty:
		return true
	case <-timer.C:
		return false
	}
}

// fail keeps the first failure. What fails because the booking has ended is
// none.
func (b *booking) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failure == nil && !b.ended {
		b.failure = err
	}
}

// send counts a request to a provider, from 1.
func (b *booking) send() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent++
	return b.sent
}

// next takes the number of the canned answer that is next, from 0.
func (b *booking) next(have int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.canned = have
	b.used++
	return b.used - 1
}

func (b *booking) note(c Call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, c)
}

func (b *booking) noteService(c ServiceCall) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.services = append(b.services, c)
}
