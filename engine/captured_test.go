package engine_test

import (
	"bytes"
	"strings"
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

// TestLintAndDiffAgreeOnTheAge: a baseline whose lines were all captured anew is
// not expired for either, and one with a single old line is for both.
func TestLintAndDiffAgreeOnTheAge(t *testing.T) {
	w := answersOf(t, map[string]string{"a": "paid", "b": "overdue"})
	w.calibrate("stored")
	base, err := w.open("stored").Baseline()
	if err != nil {
		t.Fatal(err)
	}
	header := base.Header
	header.Captured, header.Expires = "2025-01-01", "2025-04-01"
	yesterday := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	for name, test := range map[string]struct {
		captured []string // of the lines
		expired  string
	}{
		"every line is new":       {[]string{yesterday, yesterday}, ""},
		"one line is as old":      {[]string{yesterday, ""}, "2025-04-01"},
		"one line is of a summer": {[]string{yesterday, "2025-07-01"}, "2025-09-29"},
	} {
		t.Run(name, func(t *testing.T) {
			data := append(baseline.AppendHeader(nil, &header), '\n')
			for i, day := range test.captured {
				data = append(append(data, baseline.Dated(base.Lines[i].Bytes, day)...), '\n')
			}
			w.write("baselines/s/live.jsonl", data)
			problems, err := w.open("stored").Lint(t.Context(), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			linted, compared := problems.Error(), ""
			for _, g := range w.compare("stored", engine.RunOptions{}).Grounds {
				compared += g.String()
			}
			if test.expired == "" {
				if strings.Contains(linted+compared, "expired") {
					t.Errorf("lint says %q, diff says %q", linted, compared)
				}
				return
			}
			if !strings.Contains(linted, "the baseline expired on "+test.expired) || !strings.Contains(compared, "expired "+test.expired) {
				t.Errorf("lint says %q, diff says %q, want %s", linted, compared, test.expired)
			}
		})
	}
}
