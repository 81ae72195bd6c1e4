package diff_test

import (
	"testing"

	"docket/engine/baseline"
	"docket/engine/diff"
)

// TestNamesWithBackslashes counts a check whose name is a pattern once, whether
// its lines are the same bytes or had to be parsed.
func TestNamesWithBackslashes(t *testing.T) {
	const name = `must_match:\bnew\t"x"`
	check := func(l *baseline.Line) {
		l.Checks = map[string]baseline.Check{name: {Tally: baseline.Tally{Passed: l.Samples, Of: l.Samples}, Low: 1, High: 1}}
	}
	old := file(t, line("a", check), line("b", check))
	changed := line("b", func(l *baseline.Line) {
		check(l)
		l.Projections["label"] = "paid"
	})
	d := compare(t, old, ran(result(line("a", check)), result(changed)))
	if got := d.Summary.Checks; len(got) != 1 || got[name].Of != 2 {
		t.Errorf("the checks are %+v", got)
	}
	if got := d.Summary.Projections["label"]; got != (diff.Moved{Changed: 1, Of: 2}) {
		t.Errorf("label is %+v", got)
	}
}

// TestOneProjectionOneCount counts a case once for each projection, however
// many of its members differ, and as changed where one of them is settled.
func TestOneProjectionOneCount(t *testing.T) {
	old := file(t, line("a", func(l *baseline.Line) { l.Projections["entities"] = []any{"1", "2", "3"} }))
	d := compare(t, old, ran(result(line("a", func(l *baseline.Line) {
		l.Projections["entities"] = []any{"4"}
		l.Unstable = map[string]map[string]int{"entities": {"1": 2}}
	}))))
	if got := d.Summary.Projections["entities"]; got != (diff.Moved{Changed: 1, Of: 1}) {
		t.Errorf("entities is %+v, changes %+v", got, d.Cases[0].Changes)
	}
}

// TestUnscoredCases counts the cases in which a judge gave no verdict, also where
// nothing differs; a text that quotes the key is none.
func TestUnscoredCases(t *testing.T) {
	silent := func(l *baseline.Line) { l.Unscored = map[string]int{"rubric": 1} }
	quotes := func(l *baseline.Line) { l.Projections["label"] = `,"unscored":{"rubric":1}` }
	old := file(t, line("a", silent), line("b", quotes), line("c", func(*baseline.Line) {}))
	d := compare(t, old, ran(result(line("a", silent)), result(line("b", quotes)), result(line("c", silent))))
	if d.Summary.Unscored != 2 {
		t.Errorf("%d cases are counted", d.Summary.Unscored)
	}
}

// TestFlipsThatAreNotListed counts a case whose check was split in both runs and
// mostly passes in one of them only: a flip of the counts that no list has.
func TestFlipsThatAreNotListed(t *testing.T) {
	passes := func(n int) func(*baseline.Line) {
		return func(l *baseline.Line) {
			l.Samples = 5
			tally := baseline.Tally{Passed: n, Of: 5}
			l.Checks = map[string]baseline.Check{"fact": {Tally: tally, Low: 0, High: 1}}
			l.Pass = &tally
		}
	}
	old := file(t, line("a", passes(3)), line("b", passes(5)), line("c", passes(3)))
	d := compare(t, old, ran(result(line("a", passes(2))), result(line("b", passes(1))), result(line("c", passes(4)))))
	if s := d.Summary; s.Passing != (diff.Sides{Old: 3, New: 1}) || s.Unlisted != 1 || len(d.Cases) != 1 || d.Cases[0].ID != "b" {
		t.Errorf("passing %+v, %d not listed, %+v listed", s.Passing, s.Unlisted, d.Cases)
	}
}
