package review_test

import (
	"testing"

	"docket/engine/run"
	"docket/tui"
	"docket/tui/tuitest"
)

// TestARubricWithoutAVerdictSaysWhy: what a judge could not say is neither a pass
// nor a failure, and a person who decides on the case sees that, and the reason.
func TestARubricWithoutAVerdictSaysWhy(t *testing.T) {
	for _, size := range []tui.Options{{Width: 80, Height: 24}, {Width: 200, Height: 50}} {
		l := newLibrary()
		now := l.next["hours-0031"]
		now.Unscored = map[string]int{"rubric": 2}
		l.next["hours-0031"] = now
		answers := l.answers["hours-0031"]
		for i := range answers.New[:2] {
			answers.New[i].Checks = append(answers.New[i].Checks, run.Verdict{Check: "rubric", Unscored: "the judge was cut short"})
		}
		d := tuitest.Drive(t, l.screen(t), size)
		filter(d, "hours-0031")
		d.Press("enter")
		if size.Width > 80 { // else there is no room for all that is counted
			d.Sees("1 without a verdict")
		}
		d.Sees("rubric", "no verdict on 2 of 3 samples", "2 of 3: the judge was cut short")
	}
}
