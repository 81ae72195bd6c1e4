package engine_test

import (
	"bytes"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/baseline"
)

// TestAnAcceptedLineSaysWhenItWasCaptured: the day of the run stands in the
// lines that come from it where the header is older, and in no other.
func TestAnAcceptedLineSaysWhenItWasCaptured(t *testing.T) {
	cases := []testCase{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "new"}}
	w := newWorkspace(t, cases[:3], "labels: [overdue, paid]", map[string][]byte{
		"old": []byte(`{"id":"a","text":"Status: overdue"}` + "\n" + `{"id":"b","text":"Status: overdue"}` + "\n" + `{"id":"c","text":"Status: paid"}` + "\n"),
		"new": []byte(`{"id":"a","text":"Status: paid"}` + "\n" + `{"id":"b","text":"Status: paid"}` + "\n" + `{"id":"c","text":"Status: paid"}` + "\n" + `{"id":"new","text":"Status: paid"}` + "\n"),
	})
	w.calibrate("old")
	today := time.Now().UTC().Format(time.DateOnly)
	old := bytes.Replace(w.baseline("live"), []byte(today), []byte("2026-01-02"), 1)
	w.write("baselines/s/live.jsonl", old)
	w.write(caseFile(3), caseYAML(t, cases[3]))

	c := w.compare("new", engine.RunOptions{})
	if c.Oldest != "2026-01-02" {
		t.Fatalf("the oldest line is of %q", c.Oldest)
	}
	w.decide(c, []string{"a", "new"}, []string{"b"})
	now, err := baseline.Parse("baselines/s/live.jsonl", w.baseline("live"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{today, "", "", today} {
		if l, err := now.Line(i); err != nil || l.Captured != want {
			t.Errorf("line %d, of %s, says %q (%v), want %q", i, l.ID, l.Captured, err, want)
		}
	}
	if again := w.compare("new", engine.RunOptions{}); len(again.Cases) != 1 || again.Cases[0].ID != "b" {
		t.Errorf("after the write %d cases differ", len(again.Cases))
	}
}
