package decision

import (
	"bytes"
	"testing"

	"docket/engine/baseline"
	"docket/engine/disk/disktest"
	"docket/engine/journal"
)

// retired is the decision that the case's line goes, as a journal gives it
// back.
func retired(t *testing.T, f *baseline.File, id string) Item {
	t.Helper()
	i := item(f, id, Retire)
	d := &i.Decision
	i.Proposed, d.Changes, d.Status = nil, nil, "gone"
	d.Seen = Seen(lineOf(f, id), nil)
	d.Lines = map[string][]byte{"live": lineOf(f, id)}
	e := i.Entry("")
	back, err := fromEntry(journal.Decision{Entry: e, Verdict: string(Retire), Reason: d.Reason, At: d.At})
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestARetiredLineIsRemovedAndKeptInItsDecision(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	was := bytes.Clone(lineOf(f, "d")) // with a key that docket does not know

	r := request(m, "/r", retired(t, f, "d"))
	out, err := Apply(r)
	if err != nil {
		t.Fatal(err)
	}
	if out.Retired != 1 || out.Receipt.Removed != 1 || lineOf(open(t, m, "/r"), "d") != nil {
		t.Errorf("retired %d, removed %d, line left %q", out.Retired, out.Receipt.Removed, lineOf(open(t, m, "/r"), "d"))
	}
	h, err := Read(m, "/r", "s")
	if err != nil {
		t.Fatal(err)
	}
	past := h.Of("d")
	if len(past) != 1 || past[0].Verdict != Retire || !bytes.Equal(past[0].Lines["live"], was) {
		t.Errorf("the decision keeps %+v, want the line %s", past, was)
	}

	// Again, as after a crash between the write and the mark in the journal.
	out, err = Apply(r)
	if err != nil || out.Already != 1 || out.File != "" || out.Receipt.Written {
		t.Errorf("the second time: already %d, file %q, written %v, %v", out.Already, out.File, out.Receipt.Written, err)
	}
}

func TestARetirementOfAnotherLineIsStale(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	i := retired(t, open(t, m, "/r"), "a")
	f := open(t, m, "/r")
	if _, err := f.Write(m, baseline.Edit{Replace: map[string][]byte{"a": line("a", "z")}}); err != nil {
		t.Fatal(err)
	}
	out, err := Apply(request(m, "/r", i))
	if err != nil || len(out.Stale) != 1 || lineOf(open(t, m, "/r"), "a") == nil {
		t.Errorf("stale %d, %v; the line must stay", len(out.Stale), err)
	}
}
