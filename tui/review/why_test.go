package review_test

import (
	"strings"
	"testing"
	"time"

	"docket/engine/provenance"
	"docket/tui"
	"docket/tui/tuitest"
)

// TestARegressionOfAnIncidentIsAskedForTwice accepts the one case whose
// acceptance lets an incident happen again: Enter, which gave the reason, does
// not confirm it, Esc goes back, and to reject asks nothing.
func TestARegressionOfAnIncidentIsAskedForTwice(t *testing.T) {
	d := drive(t, newLibrary())
	filter(d, "hours-0219")
	d.Press("n", "a")
	d.Type("it is fine")
	d.Press("enter")
	d.Sees("accept all the same?", "This case stems from INC-219, and what it checks is lost", "the branch in Ely", "it is fine")
	d.Sees("0 decided")
	d.Press("enter") // the harmless answer has the focus
	d.Misses("all the same?")
	d.Sees("0 decided")
	d.Press("a")
	d.Type("it is fine")
	d.Press("enter", "esc")
	d.Misses("all the same?")
	d.Sees("0 decided")
	d.Press("a")
	d.Type("it is fine")
	d.Press("enter", "y")
	d.Sees("1 decided")
	d.Press("u", "r")
	d.Type("no")
	d.Press("enter")
	d.Misses("all the same?")
	d.Sees("1 decided")
}

func TestOtherCasesAreAcceptedAtOnce(t *testing.T) {
	d := drive(t, newLibrary())
	filter(d, "hours-0031")
	d.Press("n", "a")
	d.Type("it is fine")
	d.Press("enter")
	d.Misses("all the same?")
	d.Sees("1 decided")
}

// TestTheHistoryTellsWhy shows what git and the runs know of a case, with
// hostile messages inert.
func TestTheHistoryTellsWhy(t *testing.T) {
	l := newLibrary()
	day := time.Date(2025, 4, 2, 9, 0, 0, 0, time.UTC)
	l.story = &provenance.Story{
		ID: "hours-0219", Suite: "desk", File: "cases/desk/hours-0219.yaml",
		Past: provenance.Past{State: provenance.Modified, Events: []provenance.Event{
			{Commit: "1a2b3c4d5e6f7081", Author: "Ben", Date: day.AddDate(0, 1, 0), Subject: "count the words \x1b[2J\u202e", Did: provenance.Renamed, Path: "cases/desk/hours-0219.yaml", From: "cases/desk/h.yaml"},
			{Commit: "0a2b3c4d5e6f7081", Author: "Ada", Date: day, Subject: "the fire drill in Ely", Did: provenance.Added, Path: "cases/desk/h.yaml"},
		}},
		Results: 3, Failed: 1,
		Caught: []provenance.Catch{{First: day, Last: day, Runs: []string{"r1"}, System: "prod", Mode: "live", Checks: []string{"closed"}, Passed: day.AddDate(0, 0, 3)}},
	}
	d := tuitest.Drive(t, l.screen(t), tui.Options{Width: 160, Height: 60})
	filter(d, "hours-0219")
	d.Press("n", "3")
	d.Sees("2025-04-02 by Ada: the fire drill in Ely", "renamed by Ben", "count the words <ESC>[2J<U+202E>", "was cases/desk/h.yaml", "not committed",
		"failed under prod", "closed", "passed again on 2025-04-05")
	if strings.ContainsAny(d.View(), "\u202e") {
		t.Error("a direction override reached the screen")
	}
}

// TestPlainAsksTwice holds the plain review to the same question.
func TestPlainAsksTwice(t *testing.T) {
	said := plain(t, newLibrary().screen(t), "/ hours-0219", "a it is fine", "no", "a it is fine", "yes", "q")
	for _, want := range []string{"This case stems from INC-219", "Why it exists: incident INC-219", "Nothing was done.", "accepted: hours-0219"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
}
