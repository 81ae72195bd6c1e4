package tui_test

import (
	"errors"
	"strings"
	"testing"

	"docket/tui"
)

// inspected is a market at which two tabs have to be looked at before a
// verdict, and where to keep a fruit is typed and must name it.
func inspected() *fruits {
	f := market()
	f.spec = func(s *tui.Spec) {
		s.MustSee, s.Ripples = []string{"prices", "scales"}, true
		for i := range s.Verdicts {
			s.Verdicts[i].Bulk = ""
		}
		v := &s.Verdicts[0]
		v.Typed = true
		v.AskOf = func(row string) string { return "reason with " + row }
		v.Admit = func(row, text string) error {
			if !strings.Contains(text, row) {
				return errors.New("it must name " + row)
			}
			return nil
		}
	}
	return f
}

func TestAVerdictFallsOnWhatWasLookedAt(t *testing.T) {
	f := inspected()
	d := drive(t, f, 120, 36)
	d.Press("a")
	d.Sees("first look at: scales")
	d.Press("3", "a")
	d.Sees("reason with apple-0031")
	d.Type("ripe")
	d.Press("enter")
	d.Sees("it must name apple-0031")
	d.Type(" apple-0031")
	d.Press("enter")
	if got := len(f.session.log); got != 1 {
		t.Fatalf("%d decisions, want 1", got)
	}
	if at(d) != "apple-0044" {
		t.Fatalf("the cursor is on %s", at(d))
	}
	d.Press("a") // the next row begins with what was not looked at there
	d.Sees("first look at: scales")
	d.Press("3", "a", "enter") // and what was typed is not offered
	d.Sees("a reason is needed")
	if got := len(f.session.log); got != 1 {
		t.Errorf("%d decisions, want 1", got)
	}
	d.Press("esc", "k", "a") // what was looked at stays looked at
	d.Sees("reason with apple-0031")
}

func TestPlainReadsFirstAndThenDecides(t *testing.T) {
	f := inspected()
	said, _ := answer(t, f, "a apple-0031 is ripe", "scales", "a is ripe", "a apple-0031 is ripe", "put off", "q")
	says(t, said,
		"First read scales: their names read them out. Nothing was decided.",
		"it must name apple-0031; nothing was decided",
		"kept: apple-0031",
		"fruit 2 of 12, undecided")
	if got := len(f.session.log); got != 1 {
		t.Errorf("%d decisions, want 1", got)
	}
}
