package prune_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/tui"
	"docket/tui/tuitest"
)

// pruneProgram makes the test binary a program that opens the desk in the folder
// that it names, for the tests that need a terminal.
const pruneProgram = "DOCKET_PRUNE_DESK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(pruneProgram); dir != "" {
		os.Exit(pruneIn(dir))
	}
	os.Exit(m.Run())
}

func pruneIn(dir string) int {
	var d *desk
	_, err := tui.Run(context.Background(), func(context.Context, func(int, int, string)) (tui.Screen, error) {
		var err error
		if d, err = openDesk(dir); err != nil {
			return nil, err
		}
		return tuitest.Brittle(d.screen()), nil
	}, tui.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return 0
}

// TestTerminalFromStartToRetiredCase goes the whole way on a real terminal, and
// is killed and resized on it.
func TestTerminalFromStartToRetiredCase(t *testing.T) {
	dir := desks(t)
	start := func(width, height int) *tuitest.Terminal {
		return tuitest.Start(t, tuitest.Program{Dir: dir, Env: []string{pruneProgram + "=" + dir}, Width: width, Height: height})
	}
	look := func(term *tuitest.Terminal, id string) {
		term.Press(append([]string{"/"}, append(strings.Split(id, ""), "\r")...)...)
		term.Shows("─ 1 of 11 ─")
		term.Shows("[1 why]")
		term.Until("]", "[2 caught]")
		term.Shows("results")
		term.Until("]", "[3 lost]")
		term.Shows("tag ")
	}
	term := start(120, 36)
	term.Shows("11 of 11 cases proposed")
	look(term, "letters-0219")
	term.Decide("d", "INC-219 is closed", "1 decided")
	term.Kill()
	if !exists(dir, "cases/desk/fixtures/letter.txt") {
		t.Fatal("a decision alone removed a file")
	}

	term = start(80, 24)
	term.Shows("resumed: 1 decision from before")
	look(term, "hours-0101")
	term.Decide("a", "both branches", "2 decided")
	term.Resize(150, 44)
	term.Until("\x13", "1 case goes: letters-0219")
	term.Until("y", "removed: ")
	said := term.Ends()
	term.Restored()
	for _, want := range []string{"retired: letters-0219", "kept: hours-0101", "fixtures/letter.txt", "git add cases/desk baselines/desk"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if exists(dir, "cases/desk/fixtures/letter.txt") {
		t.Error("the letter is there still")
	}
}

func TestTerminalHardships(t *testing.T) {
	dir := desks(t)
	tuitest.Hardships(t, func() *tuitest.Terminal {
		return tuitest.Start(t, tuitest.Program{Dir: dir, Env: []string{pruneProgram + "=" + dir}})
	}, "of 11 cases proposed")
}

func TestTerminalPanics(t *testing.T) {
	dir := desks(t)
	tuitest.Panics(t, func(env ...string) *tuitest.Terminal {
		return tuitest.Start(t, tuitest.Program{Dir: dir, Env: append(env, pruneProgram+"="+dir)})
	}, "of 11 cases proposed", func(term *tuitest.Terminal) {
		term.Until("]", "[2 caught]")
		term.Until("]", "[3 lost]")
		term.Decide("a", "asked for still", "1 decided")
	})
}

func TestTerminalSuspends(t *testing.T) {
	dir := desks(t)
	tuitest.Suspends(t, tuitest.Program{Dir: dir, Env: []string{pruneProgram + "=" + dir}}, "of 11 cases proposed")
}
