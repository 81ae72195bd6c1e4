package diff_test

import (
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/diff"
)

func TestUnstableIsEitherSideAndChecksToo(t *testing.T) {
	still := baseline.Line{ID: `,"unstable":{"x":1}`, Version: 1, Samples: 3, Projections: map[string]any{"label": `"pass":"2/3"`}}
	wavers, split := still, still
	wavers.Unstable = map[string]map[string]int{"label": {"a": 1, "b": 2}}
	split.Checks = map[string]baseline.Check{"fact": {Tally: baseline.Tally{Passed: 2, Of: 3}, High: 1}}
	line := func(l baseline.Line) []byte { return baseline.AppendLine(nil, &l) }
	for name, c := range map[string]struct {
		it   diff.Case
		want bool
	}{
		"neither":       {diff.Case{OldLine: line(still), NewLine: line(still)}, false},
		"no line":       {diff.Case{}, false},
		"the old side":  {diff.Case{OldLine: line(wavers), NewLine: line(still)}, true},
		"the new side":  {diff.Case{NewLine: line(wavers)}, true},
		"a check split": {diff.Case{OldLine: line(still), NewLine: line(split)}, true},
	} {
		if got := c.it.Unstable(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAnExpiredLineIsOlderThanItsYears(t *testing.T) {
	d := &diff.Diff{Old: baseline.Header{Captured: "2026-01-01", Expires: "2026-04-01"}}
	line := func(day string) []byte {
		return baseline.AppendLine(nil, &baseline.Line{ID: "a", Version: 1, Samples: 1, Captured: day})
	}
	today := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		line []byte
		want bool
	}{{line(""), true}, {line("2026-02-15"), false}, {line("2026-01-10"), true}, {nil, false}} {
		if got := d.ExpiredLine(&diff.Case{OldLine: c.line}, today); got != c.want {
			t.Errorf("%s: %v", c.line, got)
		}
	}
	d.Old.Expires = ""
	if d.ExpiredLine(&diff.Case{OldLine: line("")}, today) {
		t.Error("a baseline that names no day expired")
	}
}
