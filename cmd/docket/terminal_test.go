//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// sgr is a sequence that sets colours or attributes, and nothing else.
var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// onTerminal runs a command on a terminal that never answers and returns what
// reached it, and the exit code. The time ends the test where a command waits
// for an answer; it measures nothing.
func onTerminal(t *testing.T, cmd *exec.Cmd) (string, int) {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var out bytes.Buffer
	read := make(chan struct{})
	go func() {
		out.ReadFrom(tty) // ends with an error once the command has ended
		close(read)
	}()
	select {
	case <-read:
	case <-time.After(20 * time.Second):
		cmd.Process.Kill()
		<-read
		t.Fatalf("docket %v waits for something; so far it printed %q", cmd.Args[1:], out.String())
	}
	cmd.Wait()
	return out.String(), cmd.ProcessState.ExitCode()
}

// TestTerminalThatNeverAnswers holds every command without a screen to sending
// no question, no cursor movement and no other sequence but colours, and those
// only where they are wanted.
func TestTerminalThatNeverAnswers(t *testing.T) {
	commands := []struct {
		args     string
		code     int
		coloured bool
	}{
		{"", codeOK, false},
		{"--version", codeOK, false},
		{"--help", codeOK, false},
		{"diff --help", codeOK, false},
		{"completion bash", codeOK, false},
		{"init", codeOK, false},
		{"run", codeOK, false},
		{"calibrate --system old", codeOK, false},
		{"lint", codeOK, false},
		{"diff", codeChange, true},
		{"diff --format markdown", codeChange, false},
		{"diff --format json", codeChange, false},
		{"diff outputs/old.jsonl outputs/new.jsonl", codeOK, true},
		{"run --report-only", codeOK, true},
		{"accept inv-1 --reason ok", codeOK, false},
		{"reject inv-3 --reason no", codeOK, false},
		{"write --dry-run", codeOK, false},
		{"write", codeOK, false},
		{"diff nonesuch", codeWrong, false},
		{"frobnicate", codeWrong, false},
	}
	for _, terminal := range []struct {
		name   string
		env    []string
		flags  []string
		colour bool
	}{
		{"colours", []string{"TERM=xterm-256color", "COLORTERM=truecolor"}, nil, true},
		{"NO_COLOR", []string{"TERM=xterm-256color", "NO_COLOR=1"}, nil, false},
		{"no-color", []string{"TERM=xterm-256color"}, []string{"--no-color"}, false},
		{"dumb", []string{"TERM=dumb"}, nil, false},
	} {
		t.Run(terminal.name, func(t *testing.T) {
			dir := copySuite(t)
			for _, c := range commands {
				args := append(strings.Fields(c.args), terminal.flags...)
				out, code := onTerminal(t, child(dir, terminal.env, args...))
				if code != c.code {
					t.Errorf("docket %s: exit code %d, want %d\n%s", c.args, code, c.code, out)
				}
				if rest := sgr.ReplaceAllString(out, ""); strings.ContainsRune(rest, '\x1b') || strings.ContainsRune(rest, '\u009b') {
					t.Errorf("docket %s sends more than colours: %q", c.args, clipped(rest))
				}
				if got := sgr.MatchString(out); got != (c.coloured && terminal.colour) {
					t.Errorf("docket %s: colours %v, want %v\n%s", c.args, got, c.coloured && terminal.colour, clipped(out))
				}
				if terminal.name == "dumb" && strings.Contains(strings.ReplaceAll(out, "\r\n", "\n"), "\r") {
					t.Errorf("docket %s moves the cursor of a dumb terminal: %q", c.args, clipped(out))
				}
			}
		})
	}
}

// TestNoColoursInPipes holds what is not a terminal to be without colours,
// whatever TERM says.
func TestNoColoursInPipes(t *testing.T) {
	dir := copySuite(t)
	env := []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	ok(t, finish(t, child(dir, env, "calibrate", "--system", "old")), codeOK)
	for _, args := range [][]string{{"diff", "--report-only"}, {"run", "--report-only"}, {"diff", "outputs/old.jsonl", "outputs/new.jsonl"}} {
		s := finish(t, child(dir, env, args...))
		ok(t, s, codeOK)
		if strings.ContainsRune(s.out+s.err, '\x1b') {
			t.Errorf("docket %v prints an escape into a pipe: %q", args, clipped(s.out))
		}
	}
}

// TestOutputThatCannotBeWritten expects a command to say so where what it
// prints does not arrive: half of a report must not pass for one.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Logf("no /dev/full here, so nothing to see: %v", err)
		return
	}
	defer full.Close()
	dir := copySuite(t)
	ok(t, finish(t, child(dir, nil, "calibrate", "--system", "old")), codeOK)
	for _, args := range [][]string{
		{"--version"},
		{"--help"},
		{},
		{"completion", "bash"},
		{"lint"},
		{"diff"},
		{"diff", "--format", "json"},
		{"diff", "--format", "markdown"},
		{"run"},
		{"diff", "outputs/old.jsonl", "outputs/new.jsonl"},
	} {
		cmd := child(dir, nil, args...)
		var failed bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &failed
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != codeWrong || !isOneSentence(failed.String()) {
			t.Errorf("docket %v: exit code %d, want %d\n%s", args, code, codeWrong, failed.String())
		}
	}
}
