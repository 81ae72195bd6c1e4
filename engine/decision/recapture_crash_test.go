package decision

import (
	"fmt"
	"syscall"
	"testing"

	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

const (
	recapturedLabels = "a=y b=z c=x d=z e=z new=y"
	recapturedAs     = "*=recapture a=accept c=reject new=accept"
)

// recaptureSome writes a recapture as a review of the suite as it was at first
// does, also when a crash has left it half written: the case a and a new one
// are accepted, c is rejected and keeps its line, and the rest gets the line of
// the run, with the header.
func recaptureSome(fsys disk.FS, root string) (Outcome, error) {
	m := disktest.NewMemory("/r")
	suite(panicker{}, m, "/r")
	f := open(panicker{}, m, "/r")
	r := request(fsys, root, item(f, "a", Accept), item(f, "c", Reject), item(f, "new", Accept))
	header := baseline.Header{Format: baseline.Format, Suite: "s", Mode: "live", Model: "m-2", Captured: "2026-08-11"}
	d := Decision{
		At: decidedAt, By: "ada", Mode: "live", Case: Everything, Verdict: Recapture, Status: "recapture", Samples: Samples(5, 5),
		Changes: []Change{{Kind: "config", Of: "model", Old: "", New: "m-2"}}, Reason: "m-1 retires",
		Header: baseline.AppendHeader(nil, &header),
	}
	d.Seen = Seen(f.HeaderBytes, d.Header)
	r.Whole = &Whole{Base: f, Decision: d, Lines: map[string][]byte{
		"b": line("b", "z"), "c": lineOf(f, "c"), "d": line("d", "z"), "e": line("e", "z"),
	}}
	return Apply(r)
}

// mustRecapture checks what a crash has left: the baseline is wholly the old one
// or wholly the new one, header and lines, the new one never without its
// decision; and that the same write, made again, completes it.
func mustRecapture(t *testing.T, fsys disk.FS, root, when string) string {
	t.Helper()
	state := func() (string, string) {
		f := open(t, fsys, root)
		return f.Header.Model + ": " + labels(t, f), recordedAs(t, fsys, root)
	}
	now, recorded := state()
	switch {
	case now != ": "+oldLabels && now != "m-2: "+recapturedLabels:
		t.Fatalf("%s: a third baseline: %q", when, now)
	case recorded != "" && recorded != recapturedAs:
		t.Fatalf("%s: some decisions are on record: %q", when, recorded)
	case now != ": "+oldLabels && recorded == "":
		t.Fatalf("%s: a recapture without its decision", when)
	}
	if _, err := recaptureSome(fsys, root); err != nil {
		t.Fatalf("%s: the next write: %v", when, err)
	}
	if after, recorded := state(); after != "m-2: "+recapturedLabels || recorded != recapturedAs {
		t.Fatalf("%s: after the next write the baseline is %q and %q on record", when, after, recorded)
	}
	return now + ", " + recorded
}

// TestARecaptureIsOldOrNewWhereverItCrashes at any of its calls, with and
// without what was not on disk yet.
func TestARecaptureIsOldOrNewWhereverItCrashes(t *testing.T) {
	states := map[string]int{}
	calls := 0
	for n := 1; calls >= n-1; n++ {
		for _, fault := range []disktest.Fault{{Crash: true}, {Err: syscall.ENOSPC}, {Err: syscall.EIO, After: true}} {
			for _, loss := range []disktest.Loss{-1, disktest.LosesEntries, disktest.LosesContent} {
				m := disktest.NewMemory("/r")
				suite(t, m, "/r")
				faulty := &disktest.Faults{FS: m, Plan: disktest.At(n, fault)}
				_, err := recaptureSome(faulty, "/r")
				calls = len(faulty.Calls())
				if loss >= 0 {
					m.PowerLoss(loss)
				}
				when := fmt.Sprintf("fault %+v at call %d, loss %d", fault, n, loss)
				if got := labels(t, open(t, m, "/r")); err == nil && got != recapturedLabels {
					t.Fatalf("%s: reported as written, and it is not", when)
				}
				states[mustRecapture(t, m, "/r", when)]++
			}
		}
	}
	t.Logf("%d calls; found afterwards: %v", calls, states)
	if len(states) != 3 {
		t.Errorf("the faults fell on %d sides of the two writes, want 3", len(states))
	}
}

// TestAKilledRecaptureIsOldOrNew ends the process itself between its calls.
func TestAKilledRecaptureIsOldOrNew(t *testing.T) {
	states := map[string]int{}
	for n := 1; ; n++ {
		root := t.TempDir()
		suite(t, disk.OS{}, root)
		_, killed := disktest.Killed(t, "recapture", root, n)
		states[mustRecapture(t, disk.OS{}, root, fmt.Sprintf("killed at call %d", n))]++
		if !killed {
			t.Logf("killed at %d calls; found afterwards: %v", n-1, states)
			break
		}
	}
	if len(states) != 3 {
		t.Errorf("the kills fell on %d sides of the two writes, want 3", len(states))
	}
}
