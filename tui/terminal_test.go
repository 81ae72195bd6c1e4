package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/tui"
	"docket/tui/tuitest"
)

// stall is the toy screen on a terminal of its own, and the file that its
// decisions go to.
type stall struct {
	*tuitest.Terminal
	journal string
	temp    string // the folder for temporary files
}

func startToy(t *testing.T, env ...string) stall {
	t.Helper()
	return startStall(t, tuitest.Program{Env: env})
}

func startStall(t *testing.T, p tuitest.Program) stall {
	t.Helper()
	journal, temp := filepath.Join(t.TempDir(), "journal"), t.TempDir()
	p.Env = append(p.Env, toyProgram+"=1", "DOCKET_TOY_JOURNAL="+journal, "TMPDIR="+temp)
	return stall{tuitest.Start(t, p), journal, temp}
}

// kept is what was decided, as the disk has it.
func (s stall) kept() string {
	data, _ := os.ReadFile(s.journal)
	return string(data)
}

func TestTerminalFromStartToEnd(t *testing.T) {
	t.Parallel()
	term := startToy(t)
	term.Shows("apple-0031")
	term.Press("d")
	term.Await("the decision", func() bool { return term.kept() == "later apple-0031 \n" })
	// A burst in one write decides nothing; its navigation is obeyed.
	term.Write("jjdda")
	term.Shows("decide nothing")
	term.Press("\x1b[200~d\rd\r\x1b[201~")
	term.Shows("a paste was ignored")
	term.Resize(70, 20)
	term.Press("n")
	term.Resize(100, 30)
	term.Press("q")
	out := term.Ends()
	term.Restored()
	if got := term.kept(); got != "later apple-0031 \n" {
		t.Errorf("kept %q", got)
	}
	if !strings.Contains(out, "1 of 12 fruits decided and kept, nothing written yet; `market review` goes on.") {
		t.Errorf("the parting sentence is missing: %q", out[max(0, len(out)-300):])
	}
}

// TestTerminalBursts sends keys in one write, on the list and behind every kind
// of dialog: none decides, not even the first of them.
func TestTerminalBursts(t *testing.T) {
	t.Parallel()
	term := startToy(t)
	term.Shows("apple-0031")
	for _, burst := range tuitest.Bursts() {
		term.Write(burst)
		time.Sleep(25 * time.Millisecond)
		term.Press("\x1b", "\x1b")
	}
	for name, dialog := range map[string]struct {
		keys  []string
		shows string
	}{
		"the reason":  {[]string{"a"}, "enter go on"},
		"one alone":   {[]string{"1", "x", "j", "j", "k", "x"}, " alone ─"},
		"the group":   {[]string{"A", "r", "i", "p", "e", "\r"}, "never opened"},
		"the closing": {[]string{"\x13"}, "nothing is decided yet"},
		"the help":    {[]string{"?"}, "esc closes"},
	} {
		for _, burst := range []string{"d\r", "y\r", "\ty", "\t\r", "\ry\r", "x\ra\r", "a\rx\r"} {
			for i, k := range dialog.keys {
				if i < len(dialog.keys)-1 {
					term.Press(k)
				} else {
					term.Until(k, dialog.shows)
				}
			}
			time.Sleep(25 * time.Millisecond)
			term.Write(burst)
			time.Sleep(25 * time.Millisecond)
			if kept := term.kept(); kept != "" {
				t.Fatalf("%q behind %s decided %q", burst, name, kept)
			}
			for range 3 {
				term.Press("\x1b")
				time.Sleep(20 * time.Millisecond)
			}
			term.Shows("q quit")
		}
	}
	term.Press("q")
	term.Ends()
	term.Restored()
}

func TestTerminalIsRestoredOnSignals(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		term := startToy(t)
		term.Shows("apple-0031")
		term.Press("d")
		term.Await("the decision", func() bool { return term.kept() != "" })
		term.Signal(s)
		out := term.Ends()
		term.Restored()
		if !strings.Contains(out, "ended by "+s.String()) {
			t.Errorf("%v did not end the program in order", s)
		}
	}
}

func TestTerminalIsRestoredAfterAPanic(t *testing.T) {
	t.Parallel()
	for key, value := range map[string]string{"b": "a stone", "i": "a pip"} {
		term := startToy(t)
		term.Shows("apple-0031")
		term.Press(key)
		out := term.Ends()
		term.Restored()
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
			term.Shows("apple-0031")
			term.Press("e")
			term.Shows("the editor is open")
			term.Press("\x03")
			if name == "it goes on" {
				term.Shows("it goes on")
				term.Press("\r")
			}
			term.Shows("apple-0044")
			time.Sleep(2 * tui.SignalDelay) // a late end would come now
			term.Press("d")
			term.Await("the decision", func() bool { return term.kept() != "" })
			term.Press("q")
			out := term.Ends()
			term.Restored()
			if !strings.Contains(out, "ended by .") {
				t.Errorf("a signal ended it: %q", out[max(0, len(out)-200):])
			}
		})
	}
}

func TestTerminalMouseAfterTheEditor(t *testing.T) {
	t.Parallel()
	term := startToy(t, "EDITOR=true", "VISUAL=")
	term.Shows("apple-0031")
	term.Press("e")
	term.Await("the mouse", func() bool {
		out := term.Output()
		off := strings.Index(out, "\x1b[?1002l")
		return off >= 0 && strings.LastIndex(out, "\x1b[?1002h") > off
	})
	term.Shows("apple-0031")
	term.Press("q")
	term.Ends()
	term.Restored()
}

// TestTerminalReasonInTheEditor writes a reason of two lines in an editor and
// decides with it.
func TestTerminalReasonInTheEditor(t *testing.T) {
	t.Parallel()
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\ncat \"$1\" > \"$1.was\"\nprintf 'picked on Monday\\n\\nsee the label\\n' > \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	term := startToy(t, "EDITOR="+editor, "VISUAL=")
	term.Shows("apple-0031")
	term.Press("a")
	term.Shows("enter go on")
	term.Press("r", "i", "p", "e")
	term.Press("\x05") // ctrl+e
	term.Shows("see the label")
	term.Press("z") // what has several lines is no input
	term.Shows("ctrl+e edits them")
	term.Until("\r", "1 decided")
	if got := term.kept(); got != "keep apple-0031 picked on Monday\n\nsee the label\n" {
		t.Errorf("kept %q", got)
	}
	drafts, _ := filepath.Glob(filepath.Join(term.temp, "docket-reason-*.txt"))
	if len(drafts) > 0 {
		t.Errorf("the draft is left behind: %v", drafts)
	}
	if was, _ := filepath.Glob(filepath.Join(term.temp, "docket-reason-*.was")); len(was) != 1 {
		t.Errorf("the editor was started %d times", len(was))
	} else if text, _ := os.ReadFile(was[0]); string(text) != "ripe" {
		t.Errorf("the editor was given %q", text)
	}
	term.Press("q")
	term.Ends()
	term.Restored()
}

// TestTerminalSuspends stops the program with ctrl+z under a shell with job
// control, as in a terminal window, and takes it up again: meanwhile the
// terminal is the shell's, as it was, and afterwards the screen and the mouse
// are back and decisions go on.
func TestTerminalSuspends(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const script = `set -m; "$0"; echo "the shell has it back: $?"; read line; fg >/dev/null; echo "over: $?"`
	term := startStall(t, tuitest.Program{Path: "/bin/sh", Args: []string{"-c", script, self}})
	term.Shows("apple-0031")
	term.Press("d")
	term.Await("the decision", func() bool { return term.kept() == "later apple-0031 \n" })
	term.Press("\x1a")
	term.Shows("the shell has it back: 148") // 128 and the signal of a stop
	term.Restored()
	before := len(term.Output())
	term.Press("d\r") // to the shell's read
	term.Await("the mouse", func() bool { return strings.Contains(term.Output()[before:], "\x1b[?1002h") })
	term.Shows("apple-0044")
	if got := term.kept(); got != "later apple-0031 \n" {
		t.Errorf("what was typed into the shell decided: %q", got)
	}
	term.Press("d")
	term.Await("the next decision", func() bool { return term.kept() == "later apple-0031 \nlater apple-0044 \n" })
	term.Press("q")
	term.Shows("over: 0")
	term.Ends()
	term.Restored()
}

// TestTerminalResizeStorm changes the size of the window faster than anybody
// drags it, below what is too small and back, with keys in between: the last
// size is what is drawn, and nothing is decided.
func TestTerminalResizeStorm(t *testing.T) {
	t.Parallel()
	term := startToy(t)
	term.Shows("apple-0031")
	for i := range 60 {
		term.Resize(20+(i*37)%180, 5+(i*13)%50)
		if i%10 == 9 {
			term.Press("j")
		}
	}
	term.Resize(90, 28)
	term.Await("a frame of the last size", func() bool {
		rows := strings.Split(term.Screen(), "\n")
		return len(rows) == 28 && strings.Contains(rows[0], "docket") && strings.Contains(rows[27], "q quit") &&
			strings.HasPrefix(rows[26], "╰") && strings.HasSuffix(strings.TrimRight(rows[26], " "), "╯")
	})
	if got := term.kept(); got != "" {
		t.Errorf("decided %q", got)
	}
	term.Signal(syscall.SIGHUP)
	term.Ends()
	term.Restored()
}
