package tuitest

import (
	"strings"
	"syscall"
	"testing"
)

// Hardships puts a screen on a terminal through what happens to terminals, each
// time from a new start: signals, a storm of sizes, and a paste. Each time the
// terminal is restored and nothing is decided. Ready is a text of the first
// frame; start opens the screen with nothing decided yet.
func Hardships(t *testing.T, start func() *Terminal, ready string) {
	t.Helper()
	left := func(term *Terminal, by string) {
		t.Helper()
		out := term.Ends()
		term.Restored()
		if strings.Contains(out, "goroutine") {
			t.Errorf("%s: it ended with a trace", by)
		}
		after := out[max(strings.LastIndex(out, "\x1b[?1049l"), 0):]
		if !strings.Contains(after, "Nothing is decided yet") {
			t.Errorf("%s: behind the screen it says %q", by, after)
		}
	}
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		term := start()
		term.Shows(ready)
		term.Signal(s)
		left(term, s.String())
	}
	term := start()
	term.Shows(ready)
	for i := range 40 {
		term.Resize(20+(i*37)%180, 5+(i*13)%50)
	}
	term.Resize(100, 30)
	term.Shows(ready)
	term.Press("\x1b[200~a\r1\rd\r\x1b[201~")
	term.Shows("a paste was ignored")
	term.Write("aadd11\r\r") // a burst
	term.Press("?")
	term.Shows("esc closes")
	term.Press("\x1b")
	term.Shows(ready)
	term.Press("q")
	left(term, "a storm of sizes, a paste and a burst")
}
