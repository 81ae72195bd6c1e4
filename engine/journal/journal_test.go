package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

const subject = "sha256:one"

// clock gives a later second with each call.
func clock() func() time.Time {
	at := time.Date(2026, 8, 11, 10, 0, 0, 0, time.UTC)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func config(fsys disk.FS, root string) Config {
	return Config{FS: fsys, Root: root, Name: Name("s", "live"), Subject: subject, Now: clock()}
}

type fataler interface{ Fatal(args ...any) }

func open(t fataler, c Config) *Journal {
	j, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func group(verdict string, rows ...string) Group {
	g := Group{Verdict: verdict, Reason: "because of " + verdict}
	for _, r := range rows {
		row, part, _ := strings.Cut(r, "/")
		g.Entries = append(g.Entries, Entry{Row: row, Part: part, Seen: "5ee7", Payload: json.RawMessage(`{"line": [1.0,"` + row + `"]}`)})
	}
	return g
}

func decide(t fataler, j *Journal, verdict string, rows ...string) {
	if _, err := j.Decide(group(verdict, rows...)); err != nil {
		t.Fatal(err)
	}
}

// stands lists the decisions as row/part=verdict.
func stands(j *Journal) string {
	var all []string
	for _, d := range j.Decisions() {
		name := d.Row
		if d.Part != "" {
			name += "/" + d.Part
		}
		all = append(all, name+"="+d.Verdict)
	}
	return strings.Join(all, " ")
}

func reopen(t fataler, j *Journal, c Config) *Journal {
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, c)
}

func TestDecideUndoRedoResume(t *testing.T) {
	m := disktest.NewMemory("/r")
	c := config(m, "/r")
	j := open(t, c)
	steps := []struct {
		name string
		do   func() (bool, error)
		want string
	}{
		{"a group", func() (bool, error) { _, err := j.Decide(group("accept", "a", "b")); return true, err }, "a=accept b=accept"},
		{"another verdict on one of them", func() (bool, error) { _, err := j.Decide(group("reject", "b")); return true, err }, "a=accept b=reject"},
		{"undo brings the verdict before back", func() (bool, error) { _, ok, err := j.Undo(); return ok, err }, "a=accept b=accept"},
		{"redo", func() (bool, error) { _, ok, err := j.Redo(); return ok, err }, "a=accept b=reject"},
		{"undo again", func() (bool, error) { _, ok, err := j.Undo(); return ok, err }, "a=accept b=accept"},
		{"a part on top of the row", func() (bool, error) { _, err := j.Decide(group("reject", "a/tools")); return true, err }, "a=accept b=accept a/tools=reject"},
		{"nothing to redo after a decision", func() (bool, error) { _, ok, err := j.Redo(); return !ok, err }, "a=accept b=accept a/tools=reject"},
		{"a part of an undecided row", func() (bool, error) { _, err := j.Decide(group("accept", "c/label")); return true, err }, "a=accept b=accept a/tools=reject c/label=accept"},
		{"the row covers its parts", func() (bool, error) { _, err := j.Decide(group("reject", "a")); return true, err }, "b=accept c/label=accept a=reject"},
		{"taken back", func() (bool, error) { _, err := j.Decide(group("", "a", "c/label")); return true, err }, "b=accept"},
		{"and that undone", func() (bool, error) { _, ok, err := j.Undo(); return ok, err }, "b=accept c/label=accept a=reject"},
		{"undo", func() (bool, error) { _, ok, err := j.Undo(); return ok, err }, "a=accept b=accept a/tools=reject c/label=accept"},
		{"undo", func() (bool, error) { _, ok, err := j.Undo(); return ok, err }, "a=accept b=accept a/tools=reject"},
		{"undo", func() (bool, error) { _, ok, err := j.Undo(); return ok, err }, "a=accept b=accept"},
		{"undo", func() (bool, error) { _, ok, err := j.Undo(); return ok, err }, ""},
		{"nothing left to undo", func() (bool, error) { _, ok, err := j.Undo(); return !ok, err }, ""},
		{"redo the first", func() (bool, error) { _, ok, err := j.Redo(); return ok, err }, "a=accept b=accept"},
	}
	for _, step := range steps {
		if ok, err := step.do(); !ok || err != nil {
			t.Fatalf("%s: %v, %v", step.name, ok, err)
		}
		if got := stands(j); got != step.want {
			t.Fatalf("%s: %q stands, want %q", step.name, got, step.want)
		}
		before := j.Decisions()
		j = reopen(t, j, c)
		if diff := cmp.Diff(before, j.Decisions()); diff != "" {
			t.Fatalf("%s: after opening again: %s", step.name, diff)
		}
		if j.Resumed() != len(before) || j.Count() != len(before) || j.Carried() || len(j.Notes()) != 0 {
			t.Errorf("%s: resumed %d, notes %v", step.name, j.Resumed(), j.Notes())
		}
	}
	v := j.Of("a")
	if v.Whole == nil || v.Whole.Reason != "because of accept" || v.Whole.Seen != "5ee7" || string(v.Whole.Payload) != `{"line": [1.0,"a"]}` || v.Whole.At.IsZero() {
		t.Errorf("of the row a stands %+v", v.Whole)
	}
	if g, ok := j.CanUndo(); !ok || len(g.Entries) != 2 {
		t.Errorf("can undo %v", g)
	}
	if g, ok := j.CanRedo(); !ok || g.Entries[0].Part != "tools" && g.Entries[0].Row != "b" {
		t.Errorf("can redo %v, %v", g, ok)
	}
}

func TestAnyStepsFoldToTheSameAfterOpeningAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := config(disktest.NewMemory("/r"), "/r")
		j := open(t, c)
		rows := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "請求/1\n", "a/x", "a/y", "b/x"}), 1, 4)
		t.Repeat(map[string]func(*rapid.T){
			"decide": func(t *rapid.T) {
				decide(t, j, rapid.SampledFrom([]string{"accept", "reject", ""}).Draw(t, "verdict"), rows.Draw(t, "rows")...)
			},
			"undo and redo": func(t *rapid.T) {
				before := j.Decisions()
				_, undone, err := j.Undo()
				if err != nil {
					t.Fatal(err)
				}
				if rapid.Bool().Draw(t, "stay") {
					return
				}
				if _, redone, err := j.Redo(); err != nil || undone != redone && undone {
					t.Fatal(redone, err)
				}
				if diff := cmp.Diff(before, j.Decisions()); undone && diff != "" {
					t.Fatal(diff)
				}
			},
			"": func(t *rapid.T) {
				before := j.Decisions()
				undo, canUndo := j.CanUndo()
				redo, canRedo := j.CanRedo()
				j = reopen(t, j, c)
				if diff := cmp.Diff(before, j.Decisions()); diff != "" {
					t.Fatal(diff)
				}
				undoNow, canUndoNow := j.CanUndo()
				redoNow, canRedoNow := j.CanRedo()
				if canUndo != canUndoNow || canRedo != canRedoNow || !cmp.Equal(undo, undoNow) || !cmp.Equal(redo, redoNow) {
					t.Fatal("undo and redo are others after opening again")
				}
			},
		})
	})
}

func TestASecondOpenerOnlyReads(t *testing.T) {
	c := config(disk.OS{}, t.TempDir())
	j := open(t, c)
	decide(t, j, "accept", "a")
	second := open(t, c)
	held := second.ReadOnly()
	if held == nil || held.PID != os.Getpid() {
		t.Fatalf("held by %v", held)
	}
	if got := stands(second); got != "a=accept" {
		t.Errorf("it reads %q", got)
	}
	if _, err := second.Decide(group("reject", "a")); !errors.As(err, &held) || !strings.Contains(err.Error(), "open for reading only") {
		t.Errorf("got %v", err)
	}
	if _, _, err := second.Undo(); err == nil {
		t.Error("it undid a step")
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	decide(t, j, "reject", "a")
	j = reopen(t, j, c)
	if got := stands(j); got != "a=reject" || j.ReadOnly() != nil {
		t.Errorf("the first has %q", got)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFilesAreTheUsersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows has no such modes")
		return
	}
	root := t.TempDir()
	j := open(t, config(disk.OS{}, root))
	defer j.Close()
	for path, want := range map[string]os.FileMode{
		filepath.Join(root, ".docket"):            0o700,
		filepath.Join(root, ".docket", "journal"): 0o700,
		filepath.Dir(j.Path()):                    0o700,
		j.Path():                                  0o600,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v", path, info.Mode().Perm(), want)
		}
	}
}

func TestAnotherSubjectCarriesWhatHolds(t *testing.T) {
	m := disktest.NewMemory("/r")
	c := config(m, "/r")
	j := open(t, c)
	decide(t, j, "accept", "a", "b", "c")
	decide(t, j, "reject", "b", "d")
	decide(t, j, "accept", "e/label")
	c.Subject = "sha256:two"
	c.Holds = func(d Decision) bool { return d.Row != "b" && d.Row != "d" }
	j = reopen(t, j, c)
	for range 2 { // and the same when it is opened once more
		if got, want := stands(j), "a=accept c=accept e/label=accept"; got != want {
			t.Errorf("%q stands, want %q", got, want)
		}
		var stale []string
		for _, d := range j.Stale() {
			stale = append(stale, d.Row+"="+d.Verdict+" "+d.Reason)
		}
		if diff := cmp.Diff([]string{"b=reject because of reject", "d=reject because of reject"}, stale); diff != "" {
			t.Error(diff)
		}
		c.Holds = nil
		j = reopen(t, j, c)
	}
	if _, ok, err := j.Undo(); !ok || err != nil || stands(j) != "a=accept c=accept" {
		t.Errorf("undo after carrying over: %v, %v, %q", ok, err, stands(j))
	}
	if err := j.Written(); err != nil {
		t.Fatal(err)
	}
	j = reopen(t, j, c)
	if got := stands(j); got != "" || len(j.Stale()) != 0 {
		t.Errorf("after writing: %q, %v", got, j.Stale())
	}
}

// TestALookAtAnotherSubjectLosesNothing: what was stale there stands again here,
// unless the row was decided meanwhile.
func TestALookAtAnotherSubjectLosesNothing(t *testing.T) {
	m := disktest.NewMemory("/r")
	c := config(m, "/r")
	on := func(subject string) Config {
		c.Subject = subject
		c.Holds = func(d Decision) bool { return d.Seen == subject || d.Row == "always" }
		return c
	}
	say := func(j *Journal, verdict, subject string, rows ...string) {
		g := group(verdict, rows...)
		for i := range g.Entries {
			g.Entries[i].Seen = subject
		}
		if _, err := j.Decide(g); err != nil {
			t.Fatal(err)
		}
	}
	stale := func(j *Journal) string {
		var all []string
		for _, d := range j.Stale() {
			all = append(all, d.Row+"="+d.Verdict)
		}
		return strings.Join(all, " ")
	}
	j := open(t, on("one"))
	say(j, "accept", "one", "a", "b", "always")
	say(j, "reject", "one", "c/label", "c/tools")
	before := stands(j)

	j = reopen(t, j, on("two"))
	if got, want := stands(j), "always=accept"; got != want || stale(j) != "a=accept b=accept c=reject c=reject" {
		t.Errorf("there %q stands and %q is stale, want %q", got, stale(j), want)
	}
	j = reopen(t, j, on("one"))
	if got := stands(j); len(got) != len(before) || stale(j) != "" {
		t.Errorf("back again %q stands, want %q; stale is %q", got, before, stale(j))
	}
	if _, ok, err := j.Undo(); !ok || err != nil || stands(j) == before || strings.Contains(stands(j), "c/") {
		t.Errorf("undo takes back %q: %v, %v", stands(j), ok, err)
	}
	if _, _, err := j.Redo(); err != nil {
		t.Fatal(err)
	}

	j = reopen(t, j, on("two"))
	say(j, "reject", "two", "a")
	j = reopen(t, j, on("one"))
	if got := " " + stands(j); strings.Contains(got, " a=") || !strings.Contains(got, " b=accept") {
		t.Errorf("%q stands; only a was decided again elsewhere", got)
	}
	if got, want := stale(j), "a=accept a=reject"; got != want {
		t.Errorf("stale is %q, want %q", got, want)
	}
	if got := stands(reopen(t, j, on("two"))); got != "always=accept a=reject" {
		t.Errorf("on the other subject %q stands", got)
	}
}

func TestWrittenBeginsAfresh(t *testing.T) {
	c := config(disktest.NewMemory("/r"), "/r")
	j := open(t, c)
	decide(t, j, "accept", "a")
	if err := j.Written(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Decide(group("accept", "b")); err == nil {
		t.Error("a decision after writing was taken")
	}
	j = reopen(t, j, c)
	if j.Resumed() != 0 || stands(j) != "" {
		t.Errorf("%q is left", stands(j))
	}
	decide(t, j, "reject", "b")
	if got := stands(reopen(t, j, c)); got != "b=reject" {
		t.Errorf("got %q", got)
	}
}

func TestWrongDecisionsAreRefused(t *testing.T) {
	j := open(t, config(disktest.NewMemory("/r"), "/r"))
	for name, g := range map[string]Group{
		"no rows":               {Verdict: "accept"},
		"a row without a name":  {Verdict: "accept", Entries: []Entry{{}}},
		"a payload of no JSON":  {Verdict: "accept", Entries: []Entry{{Row: "a", Payload: json.RawMessage(`{`)}}},
		"a payload of lines":    {Verdict: "accept", Entries: []Entry{{Row: "a", Payload: json.RawMessage("{\n}")}}},
		"an empty payload text": {Verdict: "accept", Entries: []Entry{{Row: "a", Payload: json.RawMessage("")}}},
	} {
		if _, err := j.Decide(g); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := Open(Config{FS: disktest.NewMemory("/r"), Root: "/r", Name: "../elsewhere"}); err == nil {
		t.Error("a journal outside its root was opened")
	}
}

func TestADecisionThatWasNotSavedDoesNotCount(t *testing.T) {
	m := disktest.NewMemory("/r")
	full := false
	faults := &disktest.Faults{FS: m, Plan: func(c disktest.Call) disktest.Fault {
		if full && c.Op == "File.Write" {
			return disktest.Fault{Err: syscall.ENOSPC}
		}
		return disktest.Fault{}
	}}
	c := config(faults, "/r")
	j := open(t, c)
	decide(t, j, "accept", "a")
	full = true
	if _, err := j.Decide(group("accept", "b")); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the decision was not saved") {
		t.Errorf("got %v", err)
	}
	if _, _, err := j.Undo(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	if got := stands(j); got != "a=accept" {
		t.Errorf("%q stands", got)
	}
	full = false
	decide(t, j, "accept", "c")
	if got := stands(reopen(t, j, c)); got != "a=accept c=accept" {
		t.Errorf("%q stands", got)
	}
}

func TestNoAcknowledgedDecisionIsLost(t *testing.T) {
	// A session of every kind of step; each returns what stood before and after.
	session := func(c Config) (acknowledged, attempted string) {
		j, err := Open(c)
		if err != nil {
			return "", ""
		}
		defer j.Close()
		for i := range 8 {
			acknowledged = stands(j)
			var err error
			switch i {
			case 2, 5:
				attempted = "undo"
				_, _, err = j.Undo()
			case 3:
				attempted = "redo"
				_, _, err = j.Redo()
			default:
				attempted = fmt.Sprintf("decide %d", i)
				_, err = j.Decide(group("accept", fmt.Sprint("row", i), "shared"))
			}
			if err != nil {
				return acknowledged, attempted
			}
		}
		return stands(j), "close"
	}
	whole := &disktest.Faults{FS: disktest.NewMemory("/r")}
	session(config(whole, "/r"))
	for n := range whole.Calls() {
		for _, loss := range []disktest.Loss{-1, disktest.LosesEntries, disktest.LosesContent} {
			m := disktest.NewMemory("/r")
			acknowledged, attempted := session(config(&disktest.Faults{FS: m, Plan: disktest.At(n+1, disktest.Fault{Crash: true})}, "/r"))
			if loss >= 0 {
				m.PowerLoss(loss)
			}
			c := config(m, "/r")
			j := open(t, c)
			// The step under way may have reached the disk before it was
			// acknowledged; nothing else may differ.
			if got := stands(j); got != acknowledged {
				if _, ok, err := j.Undo(); err != nil || !ok && attempted == "undo" {
					t.Fatal(err)
				}
				if undone := stands(j); undone != acknowledged && attempted != "undo" {
					t.Fatalf("crash before call %d, at %s, loss %d: acknowledged %q, found %q", n+1, attempted, loss, acknowledged, got)
				}
			}
			decide(t, j, "reject", "z")
			if got := stands(reopen(t, j, c)); !strings.HasSuffix(got, "z=reject") {
				t.Fatalf("the next decision after a crash before call %d: %q", n+1, got)
			}
		}
	}
}

func TestPeekChangesNothing(t *testing.T) {
	root := t.TempDir()
	c := Config{FS: disk.OS{}, Root: root, Name: Name("s", "live"), Subject: "sha256:a"}
	if j, err := Peek(c); err != nil || j.Count() != 0 {
		t.Fatalf("peek where there is no journal: %d decisions, %v", j.Count(), err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 0 {
		t.Fatalf("peek made %v", entries)
	}
	j, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Decide(Group{Verdict: "accept", Reason: "r", Entries: []Entry{{Row: "a", Seen: "1"}}}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(j.Path())
	if err != nil {
		t.Fatal(err)
	}
	c.Subject = "sha256:b"
	p, err := Peek(c)
	if err != nil || p.Count() != 0 || len(p.Stale()) != 1 {
		t.Errorf("peek for another subject: %d decisions, %d stale, %v", p.Count(), len(p.Stale()), err)
	}
	if after, _ := os.ReadFile(j.Path()); string(after) != string(before) {
		t.Error("peek rewrote the journal")
	}
	if _, err := p.Decide(Group{Verdict: "accept", Entries: []Entry{{Row: "a"}}}); err == nil {
		t.Error("a journal that was peeked into took a decision")
	}
}
