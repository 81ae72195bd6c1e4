package provider

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Bounds of the pauses between attempts.
const (
	firstPause = 500 * time.Millisecond
	maxPause   = 20 * time.Second
	// maxAsked is the longest pause that a server may ask for. One that asks
	// for more is not waited for: the case is told how long it would have been.
	maxAsked = time.Minute
)

// pause says whether to try again, and after how long. Models and systems are
// asked again, since being asked is all that happens to them; a service only
// for what can be asked twice without doing it twice.
func (d *Door) pause(p *pending, why *failed, attempt int) (time.Duration, bool) {
	if !why.temporary || attempt >= d.config.Attempts || p.out.begun {
		return 0, false
	}
	if p.to.vendor == nil && !p.to.exact && p.request.Method != http.MethodGet && p.request.Method != http.MethodHead {
		return 0, false
	}
	if asked, ok := retryAfter(why.response.Header, time.Now()); ok {
		return asked, asked <= maxAsked
	}
	// Doubled each time, and spread by half, so that jobs that failed together
	// do not come back together.
	pause := min(firstPause<<(attempt-1), maxPause)
	return pause/2 + rand.N(pause/2+1), true
}

// retryAfter reads how long a server asks to be left alone: retry-after-ms, or
// Retry-After as seconds or as a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second)), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// plainError takes an error of the network out of the wrapping that repeats
// the address, which may hold what is secret.
func plainError(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// cutPrefix cuts a prefix off a path where it ends at a slash or with the path.
func cutPrefix(path, prefix string) (string, bool) {
	rest, ok := strings.CutPrefix(path, prefix)
	return rest, ok && (rest == "" || rest[0] == '/')
}

func trimSlash(path string) string { return strings.TrimSuffix(path, "/") }
