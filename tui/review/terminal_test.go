package review_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"docket/engine"
	"docket/tui"
	"docket/tui/review"
)

// reviewProgram makes the test binary a program that reviews the project in the
// folder that it names, for the tests that need a terminal.
const reviewProgram = "DOCKET_REVIEW_PROJECT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(reviewProgram); dir != "" {
		os.Exit(reviewIn(dir))
	}
	os.Exit(m.Run())
}

func reviewIn(dir string) int {
	var v *engine.Review
	_, err := tui.Run(context.Background(), func(context.Context, func(int, int, string)) (tui.Screen, error) {
		var err error
		if v, err = tryOpen(dir); err != nil {
			return nil, err
		}
		screen, _ := review.Open(v, "docket review desk", false)
		return screen, nil
	}, tui.Options{Plain: os.Getenv("DOCKET_REVIEW_PLAIN") != ""})
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return 0
}

// terminal is a terminal of its own with a review on it.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	mu    sync.Mutex
	emu   *vt.Emulator
	ended chan error
}

func start(t *testing.T, dir string, cols, rows int) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, ended: make(chan error, 1), emu: vt.NewEmulator(cols, rows), cmd: exec.Command(self)}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CI=") || strings.HasPrefix(v, "NO_COLOR") || strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG") || strings.HasPrefix(v, "ACCESSIBLE")
	})
	term.cmd.Dir = dir // as people stand in their project
	term.cmd.Env = append(env, "TERM=xterm-256color", "LANG=en_GB.UTF-8", reviewProgram+"="+dir)
	term.tty, err = pty.StartWithSize(term.cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { term.cmd.Process.Kill(); term.tty.Close() })
	go func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := term.tty.Read(buf)
			term.mu.Lock()
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

func (term *terminal) screen() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.emu.String()
}

// shows waits until the terminal shows a text; the deadline ends a broken test.
func (term *terminal) shows(text string) {
	term.t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for !strings.Contains(term.screen(), text) {
		if time.Now().After(deadline) {
			term.t.Fatalf("%q is not shown; the screen is\n%s", text, term.screen())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// press writes keys, each in a write of its own, as slowly as a fast hand.
func (term *terminal) press(keys ...string) {
	for _, k := range keys {
		term.tty.WriteString(k)
		time.Sleep(25 * time.Millisecond)
	}
}

func (term *terminal) resize(cols, rows int) {
	term.mu.Lock()
	term.emu.Resize(cols, rows)
	term.mu.Unlock()
	if err := pty.Setsize(term.tty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		term.t.Fatal(err)
	}
}

func (term *terminal) ends() {
	term.t.Helper()
	select {
	case <-term.ended:
	case <-time.After(15 * time.Second):
		term.t.Fatalf("the program goes on:\n%s", term.screen())
	}
}

// until presses a key until a text is shown. On a busy machine keys that were
// pressed apart may arrive together; they decide nothing then, the screen says
// so, and a person presses again.
func (term *terminal) until(key, text string) {
	term.t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for term.press(key); !strings.Contains(term.screen(), text); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(term.screen(), "keys that come in one burst") {
			time.Sleep(100 * time.Millisecond)
			term.press(key)
			time.Sleep(100 * time.Millisecond)
		}
		if time.Now().After(deadline) {
			term.t.Fatalf("%q does not lead to %q; the screen is\n%s", key, text, term.screen())
		}
	}
}

// decide presses a key of a verdict, gives the reason, and waits for what that
// leads to.
func (term *terminal) decide(key, reason, then string) {
	term.t.Helper()
	term.until(key, "enter go on")
	term.press(strings.Split(reason, "")...)
	term.shows(reason)
	term.until("\r", then)
}

// TestTerminalFromStartToWrittenBaseline goes the whole way on a real terminal,
// killed and resized on it.
func TestTerminalFromStartToWrittenBaseline(t *testing.T) {
	dir := project(t)
	term := start(t, dir, 120, 36)
	term.shows("5 of 6 changed")
	term.decide("r", "the hours stay", "1 decided")
	term.cmd.Process.Kill() // between two decisions
	term.ends()

	term = start(t, dir, 120, 36)
	term.shows("resumed: 1 decision from before")
	term.resize(80, 24)
	term.shows("1 decided")
	term.press("/", "c", "l", "o", "s", "e", "d", "\r")
	term.shows("3 of 5 ─ /closed")
	term.resize(150, 44)
	term.decide("A", "so be it", "accept 3 cases")
	term.until("y", "4 decided")
	for _, size := range [][2]int{{50, 10}, {61, 17}, {200, 60}, {100, 30}} {
		term.resize(size[0], size[1])
	}
	term.shows("4 decided")
	term.until("\x13", "3 accepted") // ctrl+s
	term.cmd.Process.Kill()          // while it asks
	term.ends()
	before := baselineOf(t, dir)

	term = start(t, dir, 100, 30)
	term.shows("resumed: 4 decisions from before")
	term.until("\x13", "3 accepted")
	if baselineOf(t, dir) != before {
		t.Fatal("the baseline was written before anybody agreed")
	}
	term.until("y", "wrote baselines/desk/live.jsonl: 3 accepted")
	term.ends()
	term.shows("git add baselines/desk/live.jsonl baselines/desk/decisions")
	if text := baselineOf(t, dir); !strings.Contains(lineOf(text, "q-1"), `"label":"closed"`) {
		t.Errorf("the baseline is\n%s", text)
	}
}

// TestKilledAtAnyMoment kills a review while it decides, again and again: what
// was shown as decided is there the next time.
func TestKilledAtAnyMoment(t *testing.T) {
	dir := project(t)
	for round := range 4 {
		term := start(t, dir, 100, 30)
		if round > 0 {
			term.shows(fmt.Sprintf("%d decided", round))
			term.press("n")
		}
		term.shows("q-")
		term.decide("r", fmt.Sprint("reason ", round), fmt.Sprintf("%d decided", round+1))
		term.press("u", "U") // and whatever of this arrived
		time.Sleep(time.Duration(round) * time.Millisecond)
		term.cmd.Process.Kill()
		term.ends()
		v := open(t, dir)
		if n := len(v.Decisions()); n != round+1 && n != round {
			t.Fatalf("round %d: %d decisions", round, n)
		} else if n == round { // the undo arrived and the redo did not
			if _, ok, err := v.Redo(); !ok || err != nil {
				t.Fatalf("round %d: the undone decision is lost: %v", round, err)
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
