package journal

import (
	"testing"

	"docket/engine/disk/disktest"
)

// TestRebindIsOpeningForAnotherSubject: what holds stays and can be undone, what
// does not is stale, and the next opener finds the same.
func TestRebindIsOpeningForAnotherSubject(t *testing.T) {
	m := disktest.NewMemory("/r")
	j := open(t, config(m, "/r"))
	decide(t, j, "accept", "a", "b")
	decide(t, j, "reject", "c")
	notB := func(d Decision) bool { return d.Row != "b" }
	if err := j.Rebind("sha256:two", notB); err != nil {
		t.Fatal(err)
	}
	if got := stands(j); got != "a=accept c=reject" {
		t.Errorf("%s stand", got)
	}
	if stale := j.Stale(); len(stale) != 1 || stale[0].Row != "b" || !j.Carried() {
		t.Errorf("stale: %+v", stale)
	}
	decide(t, j, "accept", "d")
	if _, ok, err := j.Undo(); !ok || err != nil {
		t.Errorf("undo: %v, %v", ok, err)
	}
	if _, ok, err := j.Undo(); !ok || err != nil {
		t.Errorf("undo of what was carried: %v, %v", ok, err)
	}
	c := config(m, "/r")
	c.Subject = "sha256:two"
	if j = reopen(t, j, c); stands(j) != "a=accept" || len(j.Stale()) != 1 {
		t.Errorf("opened again, %s stand and %d are stale", stands(j), len(j.Stale()))
	}
	if err := j.Rebind("sha256:two", nil); err != nil || stands(j) != "a=accept" {
		t.Errorf("the same subject again: %v, %s stand", err, stands(j))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Rebind("sha256:three", nil); err == nil {
		t.Error("a closed journal was bound to another subject")
	}
}

// TestRebindKeepsItsLock: nobody else comes in between.
func TestRebindKeepsItsLock(t *testing.T) {
	m := disktest.NewMemory("/r")
	j := open(t, config(m, "/r"))
	decide(t, j, "accept", "a")
	if err := j.Rebind("sha256:two", func(Decision) bool { return true }); err != nil {
		t.Fatal(err)
	}
	other := open(t, config(m, "/r"))
	if other.ReadOnly() == nil {
		t.Error("another opener decides as well")
	}
	decide(t, j, "accept", "b")
	if stands(j) != "a=accept b=accept" {
		t.Errorf("%s stand", stands(j))
	}
}
