package tuitest

import (
	"os"
	"strings"
	"testing"
)

// Suspends stops a program with ctrl+z under a shell with job control and takes it
// up again: meanwhile the terminal is the shell's, as it was, what is typed there
// decides nothing, and afterwards the screen and the mouse are back. Ready is a
// text of its first frame.
func Suspends(t *testing.T, p Program, ready string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const script = `set -m; "$0"; echo "the shell has it back: $?"; read line; fg >/dev/null; echo "over: $?"`
	p.Path, p.Args = "/bin/sh", []string{"-c", script, self}
	term := Start(t, p)
	term.Shows(ready)
	term.Press("\x1a")
	term.Shows("the shell has it back: 148") // 128 and the signal of a stop
	term.Restored()
	before := len(term.Output())
	term.Press("1d2a\r") // to the shell's read
	term.Await("the mouse", func() bool { return strings.Contains(term.Output()[before:], "\x1b[?1002h") })
	term.Shows(ready)
	term.Press("q")
	term.Shows("over: 0")
	if out := term.Ends(); !strings.Contains(out, "Nothing is decided yet") {
		t.Errorf("what was typed into the shell decided: %q", out[max(len(out)-300, 0):])
	}
	term.Restored()
}
