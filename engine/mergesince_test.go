package engine_test

import (
	"strings"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/decision"
)

// TestMergeAfterAWrite: what was merged, decided and written is told from what
// somebody resolved by hand, and left as it is.
func TestMergeAfterAWrite(t *testing.T) {
	r := newRepo(t, ".", "", content(liveHeader, "a=x", "b=x", "c=x"))
	r.branches(content(liveHeader, "a=one", "b=one", "c=x"), content(liveHeader, "a=two", "b=two", "c=two"))
	if _, err := r.try("merge", "topic"); err == nil {
		t.Fatal("git has no conflict")
	}
	if m := r.one(engine.MergeOptions{}); len(m.Clashes) != 2 {
		t.Fatalf("%d cases clash", len(m.Clashes))
	}
	written := content(liveHeader, "a=three", "b=x", "c=two")
	d := decision.Decision{
		At: time.Unix(1786443723, 0).UTC(), By: "Ada", Mode: "live", Case: "a", Version: 1, Verdict: decision.Accept, Status: "changed",
		Seen: decision.Seen([]byte(labelled("a", "x")), []byte(labelled("a", "three"))), Samples: "5→5", Reason: "the new policy", Provenance: "a ticket",
		Changes: []decision.Change{{Of: "label", Old: "x", New: "three"}},
	}
	r.file(r.path(), written)
	if _, err := r.merge(engine.MergeOptions{}); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("a line that no decision names: %v", err)
	}
	r.file("baselines/mail/decisions/20260811T102203Z-7f3a-1.jsonl", liveHeader+"\n"+string(decision.AppendLine(nil, &d))+"\n")
	m := r.one(engine.MergeOptions{})
	if !m.Resolved || m.Decided != 1 || len(m.Clashes) != 1 || m.Clashes[0].ID != "b" {
		t.Errorf("resolved %v, %d decided since, the clashes %+v", m.Resolved, m.Decided, m.Clashes)
	}
	if r.read() != written {
		t.Errorf("what was decided is gone:\n%s", r.read())
	}
	r.file(r.path(), content(liveHeader, "a=three", "b=by hand", "c=two"))
	if _, err := r.merge(engine.MergeOptions{}); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("another line that no decision names: %v", err)
	}
}
