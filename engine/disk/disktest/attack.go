package disktest

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docket/engine/disk"
)

// A Path is one way in which docket writes, for Attack to break at each of its
// system calls.
type Path struct {
	Name string
	// Fresh makes a folder that is as before the writing.
	Fresh func(t *testing.T) string
	// Act writes through fsys, as the command does.
	Act func(t *testing.T, dir string, fsys disk.FS) error
	// State returns what the folder holds, by part, once the next command has
	// completed what was cut short, and fails the test where something does not
	// load. A part is written whole: a file, or several of which none may be there
	// without the others.
	State func(t *testing.T, dir string) map[string]string
	// Rule, where it is set, says what is wrong with parts that are each old or
	// new; "" for nothing.
	Rule func(old, new, got map[string]string) string
	// Between, where it is set, says whether a part may hold something that is
	// neither old nor new, such as the results that a run had when it was killed.
	Between func(part, got string) bool
	// Beside, where it is set, breaks what does not go through an FS at the same
	// calls, until the function that it returns is called.
	Beside func(dir string, faults *Faults, mirror *Mirror) (undo func())
	// Kill, where it is set, has a process of its own Die in a folder.
	Kill func(t *testing.T, dir string, n int)
}

// A Tally says what Attack did to a path.
type Tally struct {
	Name             string
	Calls, Trials    int // system calls that change something, and how often one was broken
	Kills            int // trials in which a process of its own was killed
	Old, New, Partly int // what the folder held afterwards
}

type breach struct {
	name  string
	loses Loss
	err   error // nil for a death
	after bool
	stays bool // from then on
}

const losesNothing Loss = -1

func breaches() []breach {
	return []breach{
		{name: "killed", loses: losesNothing},
		{name: "power lost with entries", loses: LosesEntries},
		{name: "power lost with contents", loses: LosesContent},
		{name: "disk full", loses: losesNothing, err: syscall.ENOSPC, stays: true},
		{name: "full for one call", loses: losesNothing, err: syscall.ENOSPC},
		{name: "device error", loses: losesNothing, err: syscall.EIO, after: true},
		{name: "read-only", loses: losesNothing, err: syscall.EROFS, stays: true},
	}
}

// plan breaks the nth call.
func (b breach) plan(n int) func(Call) Fault {
	fault := Fault{Crash: b.err == nil, Err: b.err, After: b.after}
	if !b.stays {
		return At(n, fault)
	}
	return func(c Call) Fault {
		// On a full disk files can still be removed.
		if c.N >= n && c.Changes() && (b.err != syscall.ENOSPC || c.Op != "Remove" && c.Op != "File.Truncate") {
			return fault
		}
		return Fault{}
	}
}

// Attack lets a path fail at each of its system calls: a process that dies, a
// loss of power that takes entries or contents that were not on disk, a full
// disk, an error of the device, a folder that became one for reading. Each part
// is then old or new, what was reported as written is there, and the same again
// ends as if nothing had been.
func (p *Path) Attack(t *testing.T) Tally {
	t.Helper()
	old := p.State(t, p.Fresh(t))
	dir := p.Fresh(t) // not the one that was looked at, which may make a file
	calls := p.calls(t, dir)
	want := p.State(t, dir)
	if maps.Equal(old, want) {
		t.Fatalf("%s writes nothing", p.Name)
	}
	tally := Tally{Name: p.Name}
	all := breaches()
	var changing []int
	for n, call := range calls {
		// What only looks cannot leave anything behind.
		if call.Changes() || strings.Contains(call.Op, "Sync") {
			changing = append(changing, n+1)
		}
	}
	others := min(max(trials/len(changing), 1), len(all)-1)
	for _, n := range changing {
		call := calls[n-1]
		for i, b := range all {
			// A death at each call; of the others as many as there is time for, in turns.
			if i > 0 && (i-1+n)%(len(all)-1) >= others {
				continue
			}
			when := fmt.Sprintf("%s: %s at call %d of %d, %s %s", p.Name, b.name, n, len(calls), call.Op, call.Path)
			dir := p.Fresh(t)
			acted := p.broken(t, dir, b, n)
			p.survived(t, &tally, when, dir, old, want, acted)
		}
	}
	tally.Calls = len(changing)
	for i := 1; p.Kill != nil && i <= kills; i++ {
		n := changing[i*len(changing)/(kills+1)]
		dir := p.Fresh(t)
		p.Kill(t, dir, n)
		p.survived(t, &tally, fmt.Sprintf("%s: a process killed at call %d", p.Name, n), dir, old, want, ErrCrashed)
		tally.Kills++
	}
	return tally
}

const (
	// trials is how many faults besides deaths a path meets, about: a path of many
	// calls meets one at each, a path of few calls all.
	trials = 30
	// kills is how many processes of their own die for a path.
	kills = 2
)

// survived looks at what a fault has left, and does the same again.
func (p *Path) survived(t *testing.T, tally *Tally, when, dir string, old, want map[string]string, acted error) {
	t.Helper()
	tally.Trials++
	got := p.State(t, dir)
	if t.Failed() {
		t.Fatal(when)
	}
	switch {
	case maps.Equal(got, want):
		tally.New++
	case acted == nil:
		t.Fatalf("%s: reported as written, and it is not: %v", when, got)
	case maps.Equal(got, old):
		tally.Old++
	default:
		tally.Partly++
	}
	if acted != nil && strings.Contains(acted.Error(), "%!") {
		t.Fatalf("%s: %v", when, acted)
	}
	p.check(t, when, old, want, got)
	err := p.Act(t, dir, unsynced{})
	if again := p.State(t, dir); !maps.Equal(again, want) {
		t.Fatalf("%s: %v; the same again: %v\n%v\nwant %v", when, acted, err, again, want)
	}
}

// Die lets a path write in this process until a call at which the process is
// killed, as SIGKILL does; Kill is what starts such a process.
func (p *Path) Die(t *testing.T, dir string, n int) error {
	t.Helper()
	mirror, err := NewMirror(dir)
	if err != nil {
		return err
	}
	deadly := &Faults{FS: mirror, Plan: At(n, Fault{Kill: true})}
	if p.Beside != nil {
		defer p.Beside(dir, deadly, mirror)()
	}
	return p.Act(t, dir, deadly)
}

// calls lets the path write, and returns the calls that it makes.
func (p *Path) calls(t *testing.T, dir string) []Call {
	t.Helper()
	mirror, err := NewMirror(dir)
	if err != nil {
		t.Fatal(err)
	}
	count := &Faults{FS: mirror}
	if p.Beside != nil {
		defer p.Beside(dir, count, mirror)()
	}
	if err := p.Act(t, dir, count); err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	return count.Calls()
}

// broken lets the path write, and break at a call.
func (p *Path) broken(t *testing.T, dir string, b breach, n int) (acted error) {
	t.Helper()
	mirror, err := NewMirror(dir)
	if err != nil {
		t.Fatal(err)
	}
	faulty := &Faults{FS: mirror, Plan: b.plan(n)}
	if p.Beside != nil {
		undo := p.Beside(dir, faulty, mirror)
		acted = p.Act(t, dir, faulty)
		undo()
	} else {
		acted = p.Act(t, dir, faulty)
	}
	if b.loses != losesNothing {
		if err := mirror.PowerLoss(b.loses); err != nil {
			t.Fatal(err)
		}
	}
	return acted
}

func (p *Path) check(t *testing.T, when string, old, want, got map[string]string) {
	t.Helper()
	parts := maps.Clone(got)
	maps.Copy(parts, old)
	maps.Copy(parts, want)
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		if got[part] != old[part] && got[part] != want[part] && (p.Between == nil || !p.Between(part, got[part])) {
			t.Fatalf("%s: a third state of %s:\n%s", when, part, got[part])
		}
	}
	if p.Rule != nil {
		if wrong := p.Rule(old, want, got); wrong != "" {
			t.Fatalf("%s: %s", when, wrong)
		}
	}
}

// Table lays tallies out for a log. Lost is none in each, since Attack fails
// where anything is.
func Table(tallies []Tally) string {
	slices.SortFunc(tallies, func(a, b Tally) int { return strings.Compare(a.Name, b.Name) })
	var text strings.Builder
	row := func(cells ...any) {
		fmt.Fprintf(&text, "%-36v %6v %7v %7v %6v %6v %8v %5v\n", cells...)
	}
	row("path", "calls", "trials", "SIGKILL", "old", "new", "between", "lost")
	line := func(c Tally) { row(c.Name, c.Calls, c.Trials, c.Kills, c.Old, c.New, c.Partly, 0) }
	all := Tally{Name: "all"}
	for _, c := range tallies {
		line(c)
		all.Calls, all.Trials, all.Kills = all.Calls+c.Calls, all.Trials+c.Trials, all.Kills+c.Kills
		all.Old, all.New, all.Partly = all.Old+c.Old, all.New+c.New, all.Partly+c.Partly
	}
	line(all)
	return text.String()
}

// unsynced is the file system of the machine without what waits for its disk.
type unsynced struct{ disk.OS }

func (u unsynced) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	f, err := u.OS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f}, nil
}

func (unsynced) SyncDir(string) error { return nil }

type unsyncedFile struct{ disk.File }

func (unsyncedFile) Sync() error { return nil }
