package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/report"
)

// TestAnotherRulerIsNoChangeOfTheModel: after an edit of the labels the old side
// is measured again from its outputs, and where they are gone that is said.
func TestAnotherRulerIsNoChangeOfTheModel(t *testing.T) {
	w := newScripted(t, map[string]string{"a": "It is void.", "b": overdue}, "")
	w.calibrate("")
	w.relabel("paid, overdue, void")
	w.says("b", paid)
	c := w.compare("", engine.RunOptions{})
	if got := statuses(c.Diff); got != "b changed 5→1" {
		t.Errorf("under another ruler: %s", got)
	}
	if c.Remeasured != 2 || c.AsCaptured != 0 || !c.Names("ruler") || !c.Comparable() {
		t.Errorf("%d measured again, %d as captured, named %v", c.Remeasured, c.AsCaptured, c.Named)
	}
	r := &report.Report{Diff: c.Diff}
	if title := report.Title(r); !strings.Contains(title, "another ruler") {
		t.Errorf("the first line is %q", title)
	}
	w.forget()
	gone := w.compare("", engine.RunOptions{})
	if got := statuses(gone.Diff); got != "a changed 5→1, b changed 5→1" {
		t.Errorf("without the outputs: %s", got)
	}
	if lines := strings.Join(report.Headlines(&report.Report{Diff: gone.Diff}), "\n"); !strings.Contains(lines, "the old side of 2 lines that differ stands as it was captured") {
		t.Errorf("the lines above are\n%s", lines)
	}
}

func (w scripted) relabel(labels string) {
	w.t.Helper()
	w.configure("")
	w.write(".docket.yaml", []byte(strings.Replace(string(w.read(".docket.yaml")), "labels: [paid, overdue, disputed]", "labels: ["+labels+"]", 1)))
}

// TestRecaptureIsWrittenWhole, and everything in it says so.
func TestRecaptureIsWrittenWhole(t *testing.T) {
	w := newScripted(t, map[string]string{"accepted": overdue, "allowed": overdue, "calm": overdue, "gone": overdue, "rejected": overdue, "set": overdue}, ", model: acorn-1")
	w.calibrate("")
	w.says("set", paid)
	v := w.review(engine.RunOptions{})
	must(t, v.Decide([]string{"set"}, "", decision.Allow, "either"))
	_, err := v.Write(t.Context())
	must(t, errors.Join(err, v.Close()))

	w.configure(", model: acorn-2")
	w.says("model", "acorn-2")
	for _, id := range []string{"accepted", "allowed", "rejected"} {
		w.says(id, paid)
	}
	w.remove(caseOf(t, w, "gone"))
	if _, err := w.open("").Recapture(t.Context(), engine.RunOptions{}, " "); err == nil || !strings.Contains(err.Error(), "needs a reason") {
		t.Errorf("without a reason: %v", err)
	}
	c, err := w.open("").Recapture(t.Context(), engine.RunOptions{Samples: 3}, "acorn-1 retires")
	must(t, err)
	s := w.open("")
	made, _, err := s.Latest(t.Context(), nil)
	must(t, err)
	if made.ID != c.Run.ID || made.Remark != "acorn-1 retires" {
		t.Fatalf("what is reviewed is run %s (%q), proposed was %s", made.ID, made.Remark, c.Run.ID)
	}
	shown := w.against(s, made)
	if got := statuses(shown.Diff); got != "accepted changed 5→3, allowed changed 5→3, gone gone 5→0, rejected changed 5→3" {
		t.Errorf("the proposal shows %s", got)
	}
	if grounds := fmt.Sprint(shown.Grounds); shown.Recapture == "" || grounds != "[model acorn-1 → acorn-2 answered acorn-1 → acorn-2]" {
		t.Errorf("recapture %q, grounds %s", shown.Recapture, grounds)
	}
	v, err = s.Review(t.Context(), shown.Diff, made, shown.base)
	must(t, err)
	before := w.baseline("live")
	must(t, v.Decide([]string{"accepted", "gone"}, "", decision.Accept, "fine"))
	must(t, v.Decide([]string{"allowed"}, "", decision.Allow, "either"))
	if _, err := v.Write(t.Context()); err == nil || !strings.Contains(err.Error(), `written whole or not at all, and 1 case is undecided ("rejected")`) {
		t.Errorf("with an undecided case: %v", err)
	}
	if string(w.baseline("live")) != string(before) {
		t.Fatal("a part of a recapture was written")
	}
	must(t, v.Decide([]string{"rejected"}, "", decision.Reject, "it is overdue"))
	outcome, err := v.Write(t.Context())
	must(t, err)
	if outcome.Accepted != 1 || outcome.Allowed != 1 || outcome.Retired != 1 || outcome.Rejected != 1 || !outcome.Receipt.HeaderReplaced {
		t.Errorf("written: %+v", outcome.Plan)
	}
	file, err := w.open("").Baseline()
	must(t, err)
	if h := file.Header; h.Model != "acorn-2" || strings.Join(h.Answered, " ") != "acorn-2" || h.Samples != 3 {
		t.Errorf("the header is %+v", h)
	}
	got := map[string]string{}
	for i := range file.Lines {
		l, err := file.Line(i)
		must(t, err)
		got[l.ID] = fmt.Sprintf("%s %d", diff.Spell(l.Projections["label"]), l.Samples)
		if (l.Captured != "") != (l.ID == "rejected") {
			t.Errorf("%s was captured %q", l.ID, l.Captured)
		}
	}
	for id, want := range map[string]string{"accepted": "paid 3", "allowed": "overdue or paid 5", "calm": "overdue 3", "rejected": "overdue 5", "set": "overdue or paid 3", "gone": ""} {
		if got[id] != want {
			t.Errorf("the line of %s holds %q, want %q", id, got[id], want)
		}
	}
	after := w.compare("", engine.RunOptions{})
	if got := statuses(after.Diff); got != "rejected changed 5→1" || !after.Comparable() || after.Recapture != "" {
		t.Errorf("afterwards: %s, comparable %v, recapture %q", got, after.Comparable(), after.Recapture)
	}
	history, err := decision.Read(disk.OS{}, w.dir, "s")
	must(t, err)
	if whole := history.Of(decision.Everything); len(whole) != 1 || whole[0].Reason != "acorn-1 retires" || string(whole[0].Header) != string(file.HeaderBytes) || len(whole[0].Changes) < 2 {
		t.Errorf("recorded: %+v", whole)
	}
}

// TestRecaptureOnTheMove: a baseline that somebody wrote meanwhile, and a run
// with failures, are refused.
func TestRecaptureOnTheMove(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue, "b": overdue}, "")
	w.calibrate("")
	w.says("b", "!")
	c, err := w.open("").Recapture(t.Context(), engine.RunOptions{}, "older than it should be")
	must(t, err)
	if len(c.Failed) != 1 {
		t.Errorf("failed: %+v", c.Failed)
	}
	v := w.latest(t)
	if _, err := v.Write(t.Context()); err == nil || !strings.Contains(err.Error(), `1 case failed in run`) {
		t.Errorf("with a failed case: %v", err)
	}
	must(t, v.Close())
	w.says("b", overdue)
	_, err = w.open("").Recapture(t.Context(), engine.RunOptions{Samples: 6}, "older than it should be")
	must(t, err)
	v = w.latest(t)
	data := w.baseline("live")
	w.write("baselines/s/live.jsonl", []byte(strings.Replace(string(data), `"samples":5`, `"samples":4`, 1)))
	_, err = v.Write(t.Context())
	var changed *baseline.ChangedError
	if !errors.As(err, &changed) {
		t.Errorf("over a baseline of somebody else: %v", err)
	}
}

// latest opens the review of what is to be compared now.
func (w scripted) latest(t *testing.T) *engine.Review {
	t.Helper()
	s := w.open("")
	r, _, err := s.Latest(t.Context(), nil)
	must(t, err)
	c := w.against(s, r)
	v, err := s.Review(t.Context(), c.Diff, r, c.base)
	must(t, err)
	t.Cleanup(func() { v.Close() })
	return v
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
