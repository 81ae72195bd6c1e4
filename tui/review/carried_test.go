package review_test

import (
	"testing"

	"docket/tui"
	"docket/tui/tuitest"
)

// TestCarriedCountsSayOfHowMany: what the new samples are too few to deny is
// counted with what the baseline saw, and says so.
func TestCarriedCountsSayOfHowMany(t *testing.T) {
	l := newLibrary()
	old, now := question("loans-0099", "open", 5), question("loans-0099", "open", 3)
	delete(old.Projections, "label")
	old.Unstable = map[string]map[string]int{"label": {"open": 3, "closed": 2}}
	now.Projections["language"] = "de"
	l.base["loans-0099"], l.next["loans-0099"] = old, now
	d := tuitest.Drive(t, l.screen(t), tui.Options{Width: 160, Height: 40})
	filter(d, "loans-0099")
	d.Press("enter")
	d.Sees("open 3, closed 2 of 5", "open 6, closed 2 of 8")
}
