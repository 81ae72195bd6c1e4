package decision

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

func TestMain(m *testing.M) {
	disktest.Main(m, map[string]disktest.Child{
		"apply":     outcomeless(applySome),
		"recapture": outcomeless(recaptureSome),
		"retire":    outcomeless(retireB),
		"restore":   outcomeless(restoreB),
	})
}

func outcomeless[T any](act func(disk.FS, string) (T, error)) disktest.Child {
	return func(fsys disk.FS, root string) error {
		_, err := act(fsys, root)
		return err
	}
}

// panicker fails where no test is at hand.
type panicker struct{}

func (panicker) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

const (
	oldLabels = "a=x b=x c=x d=x e=x"
	newLabels = "a=y b=x c=x d=y e=x new=y"
	decided   = "a=accept c=reject d=accept new=accept"
)

// applySome applies what a journal holds after a review of the suite as it was
// at first, also when a crash has left it half written.
func applySome(fsys disk.FS, root string) (Outcome, error) {
	m := disktest.NewMemory("/r")
	suite(panicker{}, m, "/r")
	f := open(panicker{}, m, "/r")
	return Apply(request(fsys, root, item(f, "a", Accept), item(f, "c", Reject), item(f, "d", Accept), item(f, "new", Accept)))
}

// mustRecover checks what a crash has left, and that the next write completes
// it.
func mustRecover(t *testing.T, fsys disk.FS, root, when string) (state string) {
	t.Helper()
	baselineIs, recorded := labels(t, open(t, fsys, root)), recordedAs(t, fsys, root)
	if baselineIs != oldLabels && baselineIs != newLabels {
		t.Fatalf("%s: a third baseline: %q", when, baselineIs)
	}
	if recorded != "" && recorded != decided {
		t.Fatalf("%s: some decisions are on record: %q", when, recorded)
	}
	if baselineIs == newLabels && recorded == "" {
		t.Fatalf("%s: an effect without its decision", when)
	}
	outcome, err := applySome(fsys, root)
	if err != nil || len(outcome.Stale) != 0 || outcome.Accepted+outcome.Already != 3 {
		t.Fatalf("%s: the next write: %+v, %v", when, outcome, err)
	}
	if got := labels(t, open(t, fsys, root)); got != newLabels {
		t.Fatalf("%s: after the next write the baseline is %q", when, got)
	}
	if got := recordedAs(t, fsys, root); got != decided {
		t.Fatalf("%s: after the next write %q is on record", when, got)
	}
	return baselineIs + ", " + recorded
}

func TestACrashAnywhereLosesNothing(t *testing.T) {
	states := map[string]int{}
	faults := []disktest.Fault{{Crash: true}, {Err: syscall.ENOSPC}, {Err: syscall.EIO, After: true}}
	calls := 0
	for n := 1; calls >= n-1; n++ {
		for _, fault := range faults {
			for _, loss := range []disktest.Loss{-1, disktest.LosesEntries, disktest.LosesContent} {
				m := disktest.NewMemory("/r")
				suite(t, m, "/r")
				faulty := &disktest.Faults{FS: m, Plan: disktest.At(n, fault)}
				_, err := applySome(faulty, "/r")
				calls = len(faulty.Calls())
				if loss >= 0 {
					m.PowerLoss(loss)
				}
				when := fmt.Sprintf("fault %+v at call %d, loss %d", fault, n, loss)
				if err == nil && labels(t, open(t, m, "/r")) != newLabels {
					t.Fatalf("%s: reported as written, and it is not", when)
				}
				states[mustRecover(t, m, "/r", when)]++
			}
		}
	}
	t.Logf("%d calls; found afterwards: %v", calls, states)
	if len(states) != 3 {
		t.Errorf("the faults fell on %d sides of the two writes, want 3", len(states))
	}
}

func TestAKillAnywhereLosesNothing(t *testing.T) {
	states := map[string]int{}
	for n := 1; ; n++ {
		root := t.TempDir()
		suite(t, disk.OS{}, root)
		_, killed := disktest.Killed(t, "apply", root, n)
		states[mustRecover(t, disk.OS{}, root, fmt.Sprintf("killed at call %d", n))]++
		if !killed {
			t.Logf("killed at %d calls; found afterwards: %v", n-1, states)
			break
		}
	}
	if len(states) != 3 {
		t.Errorf("the kills fell on %d sides of the two writes, want 3", len(states))
	}
}

func TestAFailedBaselineSaysHowToGoOn(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	faulty := &disktest.Faults{FS: m, Plan: func(c disktest.Call) disktest.Fault {
		if c.Op == "Rename" {
			return disktest.Fault{Err: syscall.ENOSPC}
		}
		return disktest.Fault{}
	}}
	_, err := applySome(faulty, "/r")
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "write again to complete it") {
		t.Errorf("got %v", err)
	}
	mustRecover(t, m, "/r", "a full disk")
}
