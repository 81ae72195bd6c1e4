package tui

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal runs the toy screen on a terminal of its own.
type terminal struct {
	t       *testing.T
	cmd     *exec.Cmd
	tty     *os.File
	journal string
	mu      sync.Mutex
	bytes   bytes.Buffer
	emu     *vt.Emulator
	ended   chan error
}

func startToy(t *testing.T, env ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, journal: filepath.Join(t.TempDir(), "journal"), ended: make(chan error, 1), emu: vt.NewEmulator(100, 30)}
	term.cmd = exec.Command(self)
	base := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CI=") || strings.HasPrefix(v, "NO_COLOR") || strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG")
	})
	term.cmd.Env = append(append(base, "TERM=xterm-256color", "LANG=en_GB.UTF-8", toyProgram+"=1", "DOCKET_TOY_JOURNAL="+term.journal, "TMPDIR="+t.TempDir()), env...)
	term.tty, err = pty.StartWithSize(term.cmd, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { term.cmd.Process.Kill(); term.tty.Close() })
	go func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := term.tty.Read(buf)
			term.mu.Lock()
			term.bytes.Write(buf[:n])
			term.emu.Write(buf[:n])
			term.mu.Unlock()
			if err != nil {
				term.ended <- term.cmd.Wait()
				return
			}
		}
	}()
	go func() { // nobody answers the terminal's own replies
		buf := make([]byte, 1024)
		for {
			if _, err := term.emu.Read(buf); err != nil {
				return
			}
		}
	}()
	return term
}

// await waits until a condition holds; the deadline ends a broken test.
func (term *terminal) await(what string, holds func() bool) {
	term.t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			term.t.Fatalf("%s did not happen; the screen is\n%s", what, term.screen())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// screen is what a person at the terminal sees.
func (term *terminal) screen() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.emu.String()
}

func (term *terminal) shows(text string) {
	term.t.Helper()
	term.await("showing "+text, func() bool { return strings.Contains(term.screen(), text) })
}

// press writes keys, each in a write of its own.
func (term *terminal) press(keys ...string) {
	for _, k := range keys {
		term.tty.WriteString(k)
		time.Sleep(30 * time.Millisecond)
	}
}

func (term *terminal) kept() string {
	data, _ := os.ReadFile(term.journal)
	return string(data)
}

// ends waits for the program and returns all it wrote.
func (term *terminal) ends() string {
	term.t.Helper()
	select {
	case <-term.ended:
	case <-time.After(15 * time.Second):
		term.t.Fatalf("the program goes on:\n%s", term.screen())
	}
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.bytes.String()
}

// restored fails the test unless the terminal is as it was.
func (term *terminal) restored(out string) {
	term.t.Helper()
	for _, mode := range []string{"\x1b[?1049", "\x1b[?1002", "\x1b[?2004", "\x1b[?25"} {
		on, off := "h", "l"
		if mode == "\x1b[?25" {
			on, off = "l", "h" // the cursor is hidden meanwhile
		}
		if strings.LastIndex(out, mode+off) < strings.LastIndex(out, mode+on) {
			term.t.Errorf("the mode %q is left on", mode[1:])
		}
	}
}

func TestTerminalFromStartToEnd(t *testing.T) {
	t.Parallel()
	term := startToy(t)
	term.shows("apple-0031")
	term.press("d")
	term.await("the decision", func() bool { return term.kept() == "later apple-0031 \n" })
	// A burst in one write decides nothing; its navigation is obeyed.
	term.tty.WriteString("jjdda")
	term.shows("decide nothing")
	term.press("\x1b[200~d\rd\r\x1b[201~")
	term.shows("a paste was ignored")
	pty.Setsize(term.tty, &pty.Winsize{Cols: 70, Rows: 20})
	term.press("n")
	pty.Setsize(term.tty, &pty.Winsize{Cols: 100, Rows: 30})
	term.press("q")
	out := term.ends()
	term.restored(out)
	if got := term.kept(); got != "later apple-0031 \n" {
		t.Errorf("kept %q", got)
	}
	if !strings.Contains(out, "1 of 12 fruits decided and kept, nothing written yet; `market review` goes on.") {
		t.Errorf("the parting sentence is missing: %q", out[max(0, len(out)-300):])
	}
}

func TestTerminalIsRestoredOnSignals(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		term := startToy(t)
		term.shows("apple-0031")
		term.press("d")
		term.await("the decision", func() bool { return term.kept() != "" })
		term.cmd.Process.Signal(s)
		out := term.ends()
		term.restored(out)
		if !strings.Contains(out, "ended by "+s.String()) {
			t.Errorf("%v did not end the program in order", s)
		}
	}
}

func TestTerminalIsRestoredAfterAPanic(t *testing.T) {
	t.Parallel()
	for key, value := range map[string]string{"b": "a stone", "i": "a pip"} {
		term := startToy(t)
		term.shows("apple-0031")
		term.press(key)
		out := term.ends()
		term.restored(out)
		after := out[strings.LastIndex(out, "\x1b[?1049l"):]
		if !strings.Contains(after, "docket stopped on an error of its own: "+value) || !strings.Contains(after, "the trace is in") || strings.Contains(out, "goroutine") {
			t.Errorf("after the panic it says %q", after)
		}
	}
}

// TestTerminalCtrlCInAnEditor: in an editor that leaves the terminal as it is,
// Ctrl-C is a signal to all who have the terminal. It is the editor's, whether
// that ends or goes on, and the review goes on behind it.
func TestTerminalCtrlCInAnEditor(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"it ends":    "echo the editor is open\nread line\n",
		"it goes on": "trap 'echo it goes on' INT\necho the editor is open\nuntil read line; do :; done\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			editor := filepath.Join(t.TempDir(), "editor")
			if err := os.WriteFile(editor, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
				t.Fatal(err)
			}
			term := startToy(t, "EDITOR="+editor, "VISUAL=")
			term.shows("apple-0031")
			term.press("e")
			term.shows("the editor is open")
			term.press("\x03")
			if name == "it goes on" {
				term.shows("it goes on")
				term.press("\r")
			}
			term.shows("apple-0044")
			time.Sleep(2 * signalDelay) // a late end would come now
			term.press("d")
			term.await("the decision", func() bool { return term.kept() != "" })
			term.press("q")
			out := term.ends()
			term.restored(out)
			if !strings.Contains(out, "ended by .") {
				t.Errorf("a signal ended it: %q", out[max(0, len(out)-200):])
			}
		})
	}
}

func TestTerminalMouseAfterTheEditor(t *testing.T) {
	t.Parallel()
	term := startToy(t, "EDITOR=true", "VISUAL=")
	term.shows("apple-0031")
	term.press("e")
	term.await("the mouse", func() bool {
		term.mu.Lock()
		defer term.mu.Unlock()
		out := term.bytes.String()
		off := strings.Index(out, "\x1b[?1002l")
		return off >= 0 && strings.LastIndex(out, "\x1b[?1002h") > off
	})
	term.shows("apple-0031")
	term.press("q")
	term.restored(term.ends())
}
