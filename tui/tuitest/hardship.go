package tuitest

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// Bursts are keys that a terminal sends in one write, as a paste into a window
// without bracketed paste does, or a script: letters in a row, and each key of a
// verdict, an undo, the closing step and a confirmation with another behind it.
func Bursts() []string {
	return []string{"aadd11\r\r", "a\r", "d\r", "d\x1b[B", "1\r2\r", "2\r2\r", "3\x1b[B3", "A\r", "D\ry\r", "x\r", "u\r", "U\r", "\x13y\r", "\x13\ty", "\t\r", "y\r"}
}

// Hardships puts a screen on a terminal through what happens to terminals, each
// time from a new start: signals, a storm of sizes, keys while the window is too
// small, a paste of ten thousand lines, and Bursts. Each time the terminal is
// restored and nothing is decided. Ready is a text of the first frame; start
// opens the screen with nothing decided yet.
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
	term.Resize(59, 15)
	term.Shows("is too small for docket")
	for _, k := range strings.Split("]]aardlmspix123ACDRuU\r\x13\ry", "") {
		term.Write(k)
		time.Sleep(10 * time.Millisecond)
	}
	term.Resize(100, 30)
	term.Shows(ready)
	term.Press("\x1b[200~" + strings.Repeat("a\r1\rd\r2\r3\ry\r", 1700) + "\x1b[201~")
	term.Shows("a paste was ignored")
	for _, burst := range Bursts() {
		term.Write(burst)
		time.Sleep(50 * time.Millisecond) // longer than between two keys of a hand
		term.Press("\x1b", "\x1b")
	}
	term.Until("?", "esc closes")
	term.Until("\x1b", "q quit")
	term.Press("q")
	left(term, "a storm of sizes, a paste and a burst")
}
