package review_test

import (
	"testing"
	"time"

	"docket/engine/provenance"
	"docket/tui"
	"docket/tui/tuitest"
)

// TestAGoneCaseIsShownWithWhatGitKept lets nobody drop a line without the
// sentence that said why the case existed, and the commit that deleted it.
func TestAGoneCaseIsShownWithWhatGitKept(t *testing.T) {
	l := newLibrary()
	day := time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC)
	l.story = &provenance.Story{
		ID: "rooms-0019", Suite: "desk", Gone: true, Provenance: "incident INC-88 — a room was \x1b[2Jbooked twice",
		Past: provenance.Past{State: provenance.Gone, Events: []provenance.Event{
			{Commit: "1a2b3c4d5e6f7081", Author: "Ben", Date: day, Subject: "the booking moved to the portal", Did: provenance.Removed},
			{Commit: "0a2b3c4d5e6f7081", Author: "Ada", Date: day.AddDate(-1, 0, 0), Subject: "rooms", Did: provenance.Added},
		}},
	}
	d := tuitest.Drive(t, l.screen(t), tui.Options{Width: 150, Height: 40})
	filter(d, "status:gone")
	d.Sees("incident INC-88 — a room was <ESC>[2Jbooked twice", "2026-07-02", "deleted by Ben", "the booking moved to the portal", "commit 1a2b3c4d5e6f")
	d.Misses("Ada")
	l.story.Provenance, l.story.Past = "", provenance.Past{Blind: "this is no git repository"}
	d = tuitest.Drive(t, l.screen(t), tui.Options{Width: 150, Height: 40})
	filter(d, "status:gone")
	d.Sees("nothing remembers why it existed", "this is no git repository")
}
