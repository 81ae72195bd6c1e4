package review_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"docket/engine"
	"docket/tui"
	"docket/tui/review"
	"docket/tui/tuitest"
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

// start opens a review of a project on a terminal, as people do who stand in it.
func start(t *testing.T, dir string, width, height int) *tuitest.Terminal {
	t.Helper()
	return tuitest.Start(t, tuitest.Program{Dir: dir, Env: []string{reviewProgram + "=" + dir}, Width: width, Height: height})
}

// TestTerminalFromStartToWrittenBaseline goes the whole way on a real terminal,
// killed and resized on it.
func TestTerminalFromStartToWrittenBaseline(t *testing.T) {
	dir := project(t)
	term := start(t, dir, 120, 36)
	term.Shows("5 of 6 changed")
	term.Decide("r", "the hours stay", "1 decided")
	term.Kill() // between two decisions

	term = start(t, dir, 120, 36)
	term.Shows("resumed: 1 decision from before")
	term.Resize(80, 24)
	term.Shows("1 decided")
	term.Press("/", "c", "l", "o", "s", "e", "d", "\r")
	term.Shows("3 of 5 ─ /closed")
	term.Resize(150, 44)
	term.Decide("A", "so be it", "accept 3 cases")
	term.Until("y", "4 decided")
	for _, size := range [][2]int{{50, 10}, {61, 17}, {200, 60}, {100, 30}} {
		term.Resize(size[0], size[1])
	}
	term.Shows("4 decided")
	term.Until("\x13", "3 accepted") // ctrl+s
	term.Kill()                      // while it asks
	before := baselineOf(t, dir)

	term = start(t, dir, 100, 30)
	term.Shows("resumed: 4 decisions from before")
	term.Until("\x13", "3 accepted")
	if baselineOf(t, dir) != before {
		t.Fatal("the baseline was written before anybody agreed")
	}
	term.Until("y", "wrote baselines/desk/live.jsonl: 3 accepted")
	term.Ends()
	term.Shows("git add baselines/desk/live.jsonl baselines/desk/decisions")
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
			term.Shows(fmt.Sprintf("%d decided", round))
			term.Press("n")
		}
		term.Shows("q-")
		term.Decide("r", fmt.Sprint("reason ", round), fmt.Sprintf("%d decided", round+1))
		term.Press("u", "U") // and whatever of this arrived
		time.Sleep(time.Duration(round) * time.Millisecond)
		term.Kill()
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

func TestTerminalHardships(t *testing.T) {
	dir := project(t)
	tuitest.Hardships(t, func() *tuitest.Terminal { return start(t, dir, 100, 30) }, "5 of 6 changed")
}

func TestTerminalSuspends(t *testing.T) {
	dir := project(t)
	tuitest.Suspends(t, tuitest.Program{Dir: dir, Env: []string{reviewProgram + "=" + dir}}, "5 of 6 changed")
}
