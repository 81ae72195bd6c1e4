package engine_test

import (
	"testing"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/stats"
)

func (w scripted) evidence(id, projection string) string {
	w.t.Helper()
	found, err := w.open("").Evidence(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	a, ok := found[projection]
	if !ok {
		return "none"
	}
	return a.String()
}

func (w scripted) run(o engine.RunOptions) {
	w.t.Helper()
	if _, err := w.open("").Run(w.t.Context(), o); err != nil {
		w.t.Fatal(err)
	}
}

// TestEvidenceIsPooledOverRuns of the same configuration, and of no other.
func TestEvidenceIsPooledOverRuns(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue, "b": overdue}, "")
	w.calibrate("")
	if got := w.evidence("a", "label"); got != "5/5 agree, flips up to 45% possible, over 1 run" {
		t.Errorf("after calibrating: %s", got)
	}
	w.run(engine.RunOptions{Samples: 5})
	w.run(engine.RunOptions{Samples: 4})
	if got := w.evidence("a", "label"); got != "14/14 agree, flips up to 19% possible, over 3 runs" {
		t.Errorf("after two runs: %s", got)
	}
	found, err := w.open("").Evidence(t.Context(), "a")
	if err != nil || found["label"].Standing() != stats.Settled {
		t.Errorf("%+v, %v", found["label"], err)
	}
	before := string(w.baseline("live"))
	w.says("a", paid)
	w.run(engine.RunOptions{})
	if got := w.evidence("a", "label"); got != "14/15 agree, flips up to 28% possible, over 4 runs" {
		t.Errorf("after a flip: %s", got)
	}
	if got := w.evidence("b", "label"); got != "15/15 agree, flips up to 18% possible, over 4 runs" {
		t.Errorf("of another case: %s", got)
	}
	if string(w.baseline("live")) != before {
		t.Error("what was pooled was written down")
	}

	// Another configuration is another matter.
	w.configure(", params: {temperature: 1}")
	w.run(engine.RunOptions{})
	if got := w.evidence("b", "label"); got != "15/15 agree, flips up to 18% possible, over 4 runs" {
		t.Errorf("a run with other parameters was counted: %s", got)
	}
	w.configure("")
	w.write("cases/00000.yaml", caseYAML(t, testCase{ID: "a", Input: map[string]any{"mail": "another"}}))
	w.write("cases/00001.yaml", caseYAML(t, testCase{ID: "b", Input: map[string]any{"mail": "another"}}))
	w.run(engine.RunOptions{})
	if got := w.evidence("b", "label"); got != "not sampled" {
		t.Errorf("of an edited case: %s", got)
	}
	if got := w.evidence("none", "label"); got != "none" {
		t.Errorf("of no case: %s", got)
	}
}

// TestEvidenceWithoutTheStore takes the baseline's word for its own samples.
func TestEvidenceWithoutTheStore(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue}, "")
	w.calibrate("")
	w.forget()
	if got := w.evidence("a", "label"); got != "5/5 agree, flips up to 45% possible, over the baseline" {
		t.Errorf("without a store: %s", got)
	}
	w.run(engine.RunOptions{Samples: 2})
	if got := w.evidence("a", "label"); got != "7/7 agree, flips up to 35% possible, over the baseline and 1 run" {
		t.Errorf("after a run: %s", got)
	}
}

// TestAnswersInAFileAreCountedOnce however often they are read.
func TestAnswersInAFileAreCountedOnce(t *testing.T) {
	file := []byte(`{"id":"a","text":"It is paid."}` + "\n" + `{"id":"a","text":"It is paid."}` + "\n")
	w := scripted{newWorkspace(t, []testCase{{ID: "a"}}, "labels: [paid, overdue]", map[string][]byte{"old": file})}
	w.calibrate("old")
	for range 3 {
		w.compare("old", engine.RunOptions{})
	}
	s := w.open("old")
	found, err := s.Evidence(t.Context(), "a")
	if got := found["label"].String(); err != nil || got != "2/2 agree, flips up to 78% possible, over 1 run" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestEvidenceOfAnAcceptedLine is of the run that it was accepted from.
func TestEvidenceOfAnAcceptedLine(t *testing.T) {
	w := newScripted(t, map[string]string{"a": overdue}, ", sdk: one")
	w.calibrate("")
	w.configure(", sdk: two")
	w.says("a", paid)
	v := w.review(engine.RunOptions{Samples: 3})
	if err := v.Decide([]string{"a"}, "", decision.Accept, "it was paid"); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.run(engine.RunOptions{Samples: 2})
	if got := w.evidence("a", "label"); got != "5/5 agree, flips up to 45% possible, over 2 runs" {
		t.Errorf("%s", got)
	}
}
