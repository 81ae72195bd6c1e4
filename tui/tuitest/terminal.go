package tuitest

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long a Terminal waits for what should come at once; it ends a
// broken test on a busy machine, and measures nothing.
const patience = time.Minute

// Program is what a Terminal runs. The zero Program is the test's own binary,
// whose TestMain finds in the environment what to be.
type Program struct {
	Path          string   // the test's own binary where it is empty
	Args          []string // behind the path
	Dir           string   // where it starts
	Env           []string // beside the environment, which is cleared of CI, colours and languages; the editor is one that ends at once
	Width, Height int      // of the window; 100 by 30 where they are 0
}

// Terminal is a pseudo-terminal with a program on it.
type Terminal struct {
	t     testing.TB
	cmd   *exec.Cmd
	tty   *os.File
	ended chan struct{}

	mu     sync.Mutex
	output bytes.Buffer
	screen *vt.Emulator
	drawn  int       // how often the program wrote
	last   time.Time // when it wrote last
}

// Start runs a program on a terminal of its own, which ends with the test.
func Start(t testing.TB, p Program) *Terminal {
	t.Helper()
	if p.Path == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		p.Path = self
	}
	if p.Width == 0 {
		p.Width, p.Height = 100, 30
	}
	term := &Terminal{t: t, cmd: exec.Command(p.Path, p.Args...), ended: make(chan struct{}), screen: vt.NewEmulator(p.Width, p.Height)}
	term.cmd.Dir = p.Dir
	term.cmd.Env = append(append(neutral(os.Environ()), "TERM=xterm-256color", "LANG=en_GB.UTF-8", "EDITOR=true", "DOCKET_HINTS=off", "DOCKET_THEME=", "XDG_CONFIG_HOME="+t.TempDir()), p.Env...)
	var err error
	term.tty, err = pty.StartWithSize(term.cmd, &pty.Winsize{Cols: uint16(p.Width), Rows: uint16(p.Height)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = term.cmd.Process.Kill()
		_ = term.tty.Close()
	})
	go term.read()
	go func() { // nobody answers the terminal's own replies
		buf := make([]byte, 1024)
		for {
			if _, err := term.screen.Read(buf); err != nil {
				return
			}
		}
	}()
	return term
}

// neutral is an environment without what changes how a program draws.
func neutral(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		for _, prefix := range []string{"CI=", "NO_COLOR", "LC_", "LANG", "ACCESSIBLE", "TMUX", "TERM", "VISUAL=", "EDITOR="} {
			if strings.HasPrefix(v, prefix) {
				return true
			}
		}
		return false
	})
}

func (term *Terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := term.tty.Read(buf)
		term.mu.Lock()
		term.output.Write(buf[:n])
		_, _ = term.screen.Write(buf[:n])
		if n > 0 {
			term.drawn++
			term.last = time.Now()
		}
		term.mu.Unlock()
		if err != nil {
			_ = term.cmd.Wait()
			close(term.ended)
			return
		}
	}
}

// Screen is what a person at the terminal sees.
func (term *Terminal) Screen() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.screen.String()
}

// Output is all that the program wrote so far.
func (term *Terminal) Output() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.output.String()
}

// Process is the program.
func (term *Terminal) Process() *os.Process { return term.cmd.Process }

// Await waits until a condition holds.
func (term *Terminal) Await(what string, holds func() bool) {
	term.t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			term.t.Fatalf("%s did not happen; the screen is\n%s", what, term.Screen())
		}
	}
}

// Shows waits until the terminal shows a text.
func (term *Terminal) Shows(text string) {
	term.t.Helper()
	term.Await("showing "+text, func() bool { return strings.Contains(term.Screen(), text) })
}

// Press writes keys as a terminal sends them ("\r", "\x13"), each in a write of
// its own, as slowly as a fast hand.
func (term *Terminal) Press(keys ...string) {
	for _, k := range keys {
		term.Write(k)
		time.Sleep(30 * time.Millisecond)
	}
}

// Write writes in one go.
func (term *Terminal) Write(s string) {
	if _, err := term.tty.WriteString(s); err != nil {
		term.t.Helper()
		term.t.Fatal(err)
	}
}

// Time writes a key and returns how long it took until the first of the bytes
// that answer it could be read. The program must be at rest.
func (term *Terminal) Time(k string) time.Duration {
	term.t.Helper()
	term.mu.Lock()
	before := term.drawn
	term.mu.Unlock()
	start := time.Now()
	term.Write(k)
	for {
		term.mu.Lock()
		drawn, last := term.drawn, term.last
		term.mu.Unlock()
		switch {
		case drawn > before:
			return last.Sub(start)
		case time.Since(start) > patience:
			term.t.Fatalf("%q is not answered; the screen is\n%s", k, term.Screen())
		}
		time.Sleep(50 * time.Microsecond)
	}
}

// Until presses a key until a text is shown. On a busy machine keys that were
// pressed apart may arrive together; they decide nothing then, the screen says
// so, and a person presses again.
func (term *Terminal) Until(k, text string) {
	term.t.Helper()
	deadline := time.Now().Add(patience)
	for term.Press(k); !strings.Contains(term.Screen(), text); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(term.Screen(), "keys that come in one burst") {
			time.Sleep(100 * time.Millisecond)
			term.Press(k)
			time.Sleep(100 * time.Millisecond)
		}
		if time.Now().After(deadline) {
			term.t.Fatalf("%q does not lead to %q; the screen is\n%s", k, text, term.Screen())
		}
	}
}

// Decide presses the key of a verdict, gives the reason, and waits for what
// that leads to.
func (term *Terminal) Decide(k, reason, then string) {
	term.t.Helper()
	term.Until(k, "enter go on")
	term.Press(strings.Split(reason, "")...)
	term.Shows(reason)
	term.Until("\r", then)
}

// Resize changes the size of the window.
func (term *Terminal) Resize(width, height int) {
	term.t.Helper()
	term.mu.Lock()
	term.screen.Resize(width, height)
	term.mu.Unlock()
	if err := pty.Setsize(term.tty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		term.t.Fatal(err)
	}
}

// Signal sends the program a signal.
func (term *Terminal) Signal(s os.Signal) {
	term.t.Helper()
	if err := term.cmd.Process.Signal(s); err != nil {
		term.t.Fatal(err)
	}
}

// Kill ends the program without asking it, and waits for that.
func (term *Terminal) Kill() {
	term.t.Helper()
	term.Signal(os.Kill)
	term.Ends()
}

// Ends waits for the program to end and returns all it wrote.
func (term *Terminal) Ends() string {
	term.t.Helper()
	select {
	case <-term.ended:
	case <-time.After(patience):
		term.t.Fatalf("the program goes on:\n%s", term.Screen())
	}
	return term.Output()
}

// Restored fails the test unless each mode that the program switched on is off
// again: the other screen, the mouse, bracketed paste, the hidden cursor.
func (term *Terminal) Restored() {
	term.t.Helper()
	out := term.Output()
	for _, mode := range []string{"\x1b[?1049", "\x1b[?1002", "\x1b[?2004", "\x1b[?25"} {
		on, off := "h", "l"
		if mode == "\x1b[?25" {
			on, off = off, on
		}
		if strings.LastIndex(out, mode+off) < strings.LastIndex(out, mode+on) {
			term.t.Errorf("the mode %q is left on", mode[1:])
		}
	}
}
