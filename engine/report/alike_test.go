package report

import (
	"fmt"
	"strings"
	"testing"

	"docket/engine/decision"
	"docket/engine/diff"
)

// many is the report of so many cases of which each changed alike.
func many(n int) *Report {
	d := &diff.Diff{Summary: diff.Summary{Cases: n, Statuses: map[diff.Status]int{diff.Changed: n}}}
	for i := range n {
		d.Cases = append(d.Cases, diff.Case{
			ID: fmt.Sprintf("case %03d", i), Status: diff.Changed, Weight: 1,
			Changes: []diff.Change{{Kind: diff.OfProjection, Of: "label", Old: "overdue", New: "paid", Effect: diff.Differs}},
		})
	}
	return &Report{Diff: d}
}

// TestWhatChangedAlikeIsToldOnce names every case, and tells one change once.
func TestWhatChangedAlikeIsToldOnce(t *testing.T) {
	r := many(300)
	text, page := written(t, "text", r), written(t, "markdown", r)
	if !strings.Contains(text, "and 299 cases alike: label overdue → paid\n") {
		t.Errorf("the text says\n%s", text[:600])
	}
	for i := 1; i < 300; i++ {
		if id := fmt.Sprintf("'case %03d'", i); !strings.Contains(text, id) {
			t.Errorf("%s is not named", id)
		}
	}
	if n := strings.Count(text, "overdue → paid"); n != 2 {
		t.Errorf("the text tells the change %d times", n)
	}
	for _, line := range strings.Split(text, "\n") {
		if len(line) > alikeWidth+10 {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	if !strings.Contains(page, "`case 000`<br>and 299 alike: `case 001`") || strings.Count(page, "\n| changed |") != 1 {
		t.Errorf("the page says\n%s", page)
	}
}

// TestACaseOfWhichThereIsMoreToTellStandsAlone folds nothing that a reader must
// look at for another reason, and no two or three cases.
func TestACaseOfWhichThereIsMoreToTellStandsAlone(t *testing.T) {
	r := many(9)
	r.Diff.Cases[3].Weight = 5
	r.Diff.Cases[4].Edited = true
	r.Decided = map[string]Decision{"case 005": {Verdict: string(decision.Accept), Reason: "it is right"}}
	text := written(t, "text", r)
	for _, want := range []string{"  case 000", "and 5 cases alike", "  case 003  (weight 5", "  case 004  (case edited too", "  case 005  (accepted, not written"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text := written(t, "text", many(3)); strings.Contains(text, "alike") {
		t.Errorf("three cases are folded:\n%s", text)
	}
}

// TestOneErrorOfManyCasesIsToldOnce says once what a file of outputs lacks, and
// tells an error of another text apart.
func TestOneErrorOfManyCasesIsToldOnce(t *testing.T) {
	r := many(40)
	r.Diff.Summary.Statuses = map[diff.Status]int{diff.Error: 40}
	for i := range r.Diff.Cases {
		c := &r.Diff.Cases[i]
		c.Status, c.Changes, c.Error = diff.Error, nil, "new.jsonl has no line for this case"
	}
	r.Diff.Cases[7].Error = "the system timed out"
	text, page := written(t, "text", r), written(t, "markdown", r)
	if !strings.Contains(text, "and 38 cases with the same error:\n") || strings.Count(text, "has no line") != 1 || strings.Count(text, "timed out") != 1 {
		t.Errorf("the text says\n%s", text)
	}
	if strings.Count(page, "has no line") != 1 || strings.Count(page, "timed out") != 1 || !strings.Contains(page, "and 38 alike") {
		t.Errorf("the page says\n%s", page)
	}
}
