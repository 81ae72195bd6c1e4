package decision

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

const (
	retireRun  = "20261130T100000Z-aaaa"
	restoreRun = "20261130T110000Z-bbbb"
)

// files are those of the case "b", the last one of bytes that are no text.
func wholeFiles() []Kept {
	return []Kept{
		{Path: "cases/s/b.yaml", Data: []byte("id: b\n\n# why\r\nprovenance: INC-1\n")},
		{Path: "cases/s/fixtures/b.txt", Data: []byte("no line end")},
		{Path: "cases/s/fixtures/b.bin", Data: []byte{0xff, 0, 0x80, '\n'}},
	}
}

// wholeSuite is the suite of the other tests with the files of a case, and a
// second mode.
func wholeSuite(t fataler, fsys disk.FS, root string) {
	suite(t, fsys, root)
	for _, k := range append(wholeFiles(), Kept{Path: "cases/s/a.yaml", Data: []byte("id: a\n")}) {
		path := filepath.Join(root, filepath.FromSlash(k.Path))
		if err := disk.MakeFolders(fsys, root, filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := disk.Create(fsys, path, k.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	header := baseline.Header{Format: 1, Suite: "s", Mode: "mock"}
	if _, err := baseline.Create(fsys, root, &header, map[string][]byte{"a": line("a", "x"), "b": line("b", "m")}); err != nil {
		t.Fatal(err)
	}
}

// retireB takes the case "b" out, keeps "c" and edits "a", as one step.
func retireB(fsys disk.FS, root string) (Done, error) {
	files := wholeFiles()
	d := Decision{At: time.Unix(1e9, 0).UTC(), By: "Ada", Case: "b", Version: 1, Verdict: Retire, Status: "retired", Reason: "INC-1 is of a tool that is gone", Provenance: "INC-1"}
	if err := Reseal(fsys, root, "s", &d); err != nil {
		return Done{}, err
	}
	d.CaseFile, d.Fixtures = &files[0], files[1:]
	keep := Decision{At: d.At, By: "Ada", Mode: Everything, Case: "c", Version: 1, Verdict: Keep, Reason: "it caught one in May"}
	r := Retirement{FS: fsys, Root: root, Suite: "s", Run: retireRun, Decisions: []Decision{d, keep}, Edits: []Rewrite{{"cases/s/a.yaml", []byte("id: a\n"), []byte("id: a\nversion: 2\n")}}}
	return r.Apply()
}

func restoreB(fsys disk.FS, root string) (Done, error) {
	h, err := Read(fsys, root, "s")
	if err != nil {
		return Done{}, err
	}
	past, ok := h.Retired("b")
	if !ok {
		return Done{}, fs.ErrNotExist
	}
	r := Restoration{FS: fsys, Root: root, Suite: "s", Run: restoreRun, Folders: []string{"cases/s"}, Past: past, By: "Ada", Reason: "it is needed", At: time.Unix(1e9+60, 0)}
	return r.Apply()
}

// wholeState says how much of the case "b" there is: files, and lines.
func wholeState(t *testing.T, fsys disk.FS, root string) string {
	t.Helper()
	files, lines := 0, 0
	for _, k := range wholeFiles() {
		got, err := disk.Read(fsys, filepath.Join(root, filepath.FromSlash(k.Path)), 1<<20)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil || !bytes.Equal(got, k.Data):
			t.Fatalf("%s holds %q, %v", k.Path, got, err)
		default:
			files++
		}
	}
	for _, mode := range []string{"live", "mock"} {
		f, err := baseline.Open(fsys, root, "s", mode)
		if err != nil {
			t.Fatal(err)
		}
		if lineOf(f, "b") != nil {
			lines++
		}
	}
	return fmt.Sprintf("%d files, %d lines", files, lines)
}

const (
	whole = "3 files, 2 lines"
	gone  = "0 files, 0 lines"
)

// mustSettle completes what a crash has left, and checks that it is whole or
// retired.
func mustSettle(t *testing.T, fsys disk.FS, root, when string) string {
	t.Helper()
	if _, _, err := Resume(fsys, root, "s"); err != nil {
		t.Fatalf("%s: the next command: %v", when, err)
	}
	state := wholeState(t, fsys, root)
	if state != whole && state != gone {
		t.Fatalf("%s: after the next command the case is %s", when, state)
	}
	h, err := Read(fsys, root, "s")
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	if _, out := h.Retired("b"); out != (state == gone) {
		t.Fatalf("%s: the case is %s and its record says retired: %v", when, state, out)
	}
	if left, err := Pending(fsys, root); err != nil || len(left) > 0 {
		t.Fatalf("%s: still pending: %v, %v", when, left, err)
	}
	return state
}

func TestRetiredAndRestoredEveryByteIsAsBefore(t *testing.T) {
	root := t.TempDir()
	wholeSuite(t, disk.OS{}, root)
	before := tree(t, root, "cases", "baselines/s/live.jsonl", "baselines/s/mock.jsonl")
	done, err := retireB(disk.OS{}, root)
	if err != nil {
		t.Fatal(err)
	}
	if got := wholeState(t, disk.OS{}, root); got != gone {
		t.Fatalf("retired, it is %s", got)
	}
	if len(done.Removed) != 3 || len(done.Lines) != 2 || len(done.Notes) != 0 || !slices.Equal(done.Kept, []string{"c"}) || len(done.Edited) != 1 {
		t.Errorf("done: %+v", done)
	}
	if err := os.Remove(filepath.Join(root, "cases/s/fixtures")); err != nil { // as git does with an empty folder
		t.Fatal(err)
	}
	if done, err = restoreB(disk.OS{}, root); err != nil || len(done.Created) != 3 || len(done.Notes) != 0 {
		t.Fatalf("restored: %+v, %v", done, err)
	}
	if err := os.WriteFile(filepath.Join(root, "cases/s/a.yaml"), []byte("id: a\n"), 0o644); err != nil { // the edit is no part of the case
		t.Fatal(err)
	}
	if after := tree(t, root, "cases", "baselines/s/live.jsonl", "baselines/s/mock.jsonl"); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	if _, err := restoreB(disk.OS{}, root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("restored twice: %v", err)
	}
}

// tree is every file below some places, with its content.
func tree(t *testing.T, root string, places ...string) string {
	t.Helper()
	var b strings.Builder
	for _, place := range places {
		err := filepath.WalkDir(filepath.Join(root, place), func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				data, err := os.ReadFile(path)
				fmt.Fprintf(&b, "%s %q\n", strings.TrimPrefix(path, root), data)
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestACrashAnywhereLeavesTheCaseWholeOrRetired fails each call of retiring and
// of restoring in turn, and takes the power.
func TestACrashAnywhereLeavesTheCaseWholeOrRetired(t *testing.T) {
	for _, does := range []struct {
		name string
		do   func(disk.FS, string) (Done, error)
		from func(*testing.T, disk.FS)
	}{
		{"retire", retireB, func(*testing.T, disk.FS) {}},
		{"restore", restoreB, func(t *testing.T, fsys disk.FS) {
			if _, err := retireB(fsys, "/r"); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(does.name, func(t *testing.T) {
			states, calls := map[string]int{}, 0
			for n := 1; calls >= n-1; n++ {
				for _, fault := range []disktest.Fault{{Crash: true}, {Err: syscall.ENOSPC}, {Err: syscall.EIO, After: true}} {
					for _, loss := range []disktest.Loss{-1, disktest.LosesEntries, disktest.LosesContent} {
						m := disktest.NewMemory("/r")
						wholeSuite(t, m, "/r")
						does.from(t, m)
						faulty := &disktest.Faults{FS: m, Plan: disktest.At(n, fault)}
						_, err := does.do(faulty, "/r")
						calls = len(faulty.Calls())
						if loss >= 0 {
							m.PowerLoss(loss)
						}
						when := fmt.Sprintf("fault %+v at call %d, loss %d", fault, n, loss)
						before := wholeState(t, m, "/r")
						if err == nil && before != map[string]string{"retire": gone, "restore": whole}[does.name] {
							t.Fatalf("%s: reported as done, and it is %s", when, before)
						}
						states[mustSettle(t, m, "/r", when)]++
					}
				}
			}
			t.Logf("%d calls; found afterwards: %v", calls, states)
			if len(states) != 2 {
				t.Errorf("the faults fell on %d sides", len(states))
			}
		})
	}
}

// TestAKillAnywhereLeavesTheCaseWholeOrRetired kills the process itself, before
// each call that changes something: what the disk holds is the same before any
// of the calls that only look.
func TestAKillAnywhereLeavesTheCaseWholeOrRetired(t *testing.T) {
	looking := []string{"Lstat", "ReadDir", "File.Stat", "File.Read", "File.Close"}
	for name, do := range map[string]func(disk.FS, string) (Done, error){"retire": retireB, "restore": restoreB} {
		begin := func() string {
			root := t.TempDir()
			wholeSuite(t, disk.OS{}, root)
			if name == "restore" {
				if _, err := retireB(disk.OS{}, root); err != nil {
					t.Fatal(err)
				}
			}
			return root
		}
		undisturbed := &disktest.Faults{FS: disk.OS{}}
		if _, err := do(undisturbed, begin()); err != nil {
			t.Fatal(err)
		}
		states, kills := map[string]int{}, 0
		for _, call := range undisturbed.Calls() {
			if slices.Contains(looking, call.Op) {
				continue
			}
			root := begin()
			if out, killed := disktest.Killed(t, name, root, call.N); !killed {
				t.Fatalf("%s was not killed at call %d, %s of %s: %s", name, call.N, call.Op, call.Path, out)
			}
			kills++
			states[mustSettle(t, disk.OS{}, root, fmt.Sprintf("%s killed at call %d", name, call.N))]++
		}
		t.Logf("%s: killed at %d calls; found afterwards: %v", name, kills, states)
		if len(states) != 2 {
			t.Errorf("%s: the kills fell on %d sides", name, len(states))
		}
	}
}

func TestARetirementOfWhatChangedTouchesNothing(t *testing.T) {
	root := t.TempDir()
	wholeSuite(t, disk.OS{}, root)
	path := filepath.Join(root, "cases/s/b.yaml")
	if err := os.WriteFile(path, []byte("id: b\n# edited\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := tree(t, root, "cases", "baselines")
	if _, err := retireB(disk.OS{}, root); !errors.Is(err, ErrStale) {
		t.Errorf("got %v", err)
	}
	if after := tree(t, root, "cases", "baselines"); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func TestAHostileRecordWritesNowhereElse(t *testing.T) {
	for _, name := range []string{
		"../out.yaml", "/tmp/out.yaml", "cases/s/../../../out.yaml", "cases/s/.git/hooks/x", ".git/hooks/post-checkout", "cases/s/link/out.yaml", "other/out.yaml",
		`cases\s\out.yaml`, "C:/out.yaml", "cases/s", "cases/s/", "cases/s/a.yaml", "cases/s/a.yaml/out", "cases//s/out.yaml", "cases/s/\x00",
	} {
		for _, fixture := range []bool{false, true} {
			base := t.TempDir()
			root := filepath.Join(base, "repo")
			if err := errors.Join(os.Mkdir(root, 0o755), os.Mkdir(filepath.Join(base, "outside"), 0o755)); err != nil {
				t.Fatal(err)
			}
			wholeSuite(t, disk.OS{}, root)
			if err := os.Symlink(filepath.Join(base, "outside"), filepath.Join(root, "cases/s/link")); err != nil {
				t.Fatal(err)
			}
			before := tree(t, base, ".")
			evil := Kept{Path: name, Data: []byte("evil")}
			d := Decision{Case: "z", Verdict: Retire, CaseFile: &evil}
			if fixture {
				d.CaseFile, d.Fixtures = &Kept{Path: "cases/s/z.yaml", Data: []byte("id: z\n")}, []Kept{evil}
			}
			r := Restoration{FS: disk.OS{}, Root: root, Suite: "s", Run: restoreRun, Folders: []string{"cases/s"}, Past: Past{Decision: d, File: "x.jsonl", Line: 2}, By: "Eve", Reason: "r", At: time.Unix(1, 0)}
			if done, err := r.Apply(); err == nil {
				t.Errorf("%q, as a fixture %v: no error, %+v", name, fixture, done)
			}
			if after := tree(t, base, "."); strings.Contains(after, "evil") || !strings.Contains(after, strings.TrimSpace(before[:20])) {
				t.Errorf("%q: written:\n%s", name, after)
			}
			if _, err := os.Lstat(filepath.Join(root, "cases/s/z.yaml")); err == nil {
				t.Errorf("%q: a part of it was written", name)
			}
		}
	}
}

func TestARestorationOverwritesNothing(t *testing.T) {
	root := t.TempDir()
	wholeSuite(t, disk.OS{}, root)
	if _, err := retireB(disk.OS{}, root); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"cases/s/b.yaml", "cases/s/fixtures/b.bin"} {
		path := filepath.Join(root, place)
		if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := restoreB(disk.OS{}, root); err == nil || !strings.Contains(err.Error(), "nothing is overwritten") {
			t.Errorf("%s: got %v", place, err)
		}
		if got, _ := os.ReadFile(path); string(got) != "mine" {
			t.Errorf("%s holds %q", place, got)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := restoreB(disk.OS{}, root); err != nil {
		t.Error(err)
	}
}

func TestAKeptFileSurvivesItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Decision{At: time.Unix(1, 0).UTC(), Case: "a", Verdict: Retire, Reason: "r", Into: rapid.StringMatching(`[a-z]*`).Draw(t, "into")}
		kept := func(label string) Kept {
			return Kept{Path: "cases/" + rapid.StringMatching(`[a-z\p{Han} "]+`).Draw(t, label), Mode: rapid.SampledFrom([]fs.FileMode{0, 0o600, 0o755, 0o444}).Draw(t, label+" mode"), Data: rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) })).Draw(t, label+" data")}
		}
		k := kept("file")
		d.CaseFile = &k
		for range rapid.IntRange(0, 3).Draw(t, "fixtures") {
			d.Fixtures = append(d.Fixtures, kept("fixture"))
		}
		text := AppendLine(nil, &d)
		back, err := ParseLine(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if again := AppendLine(nil, &back); !bytes.Equal(again, text) {
			t.Fatalf("%s\nbecame\n%s", text, again)
		}
		if !bytes.Equal(back.CaseFile.Data, k.Data) || back.CaseFile.Path != k.Path || back.CaseFile.Mode != k.Mode || len(back.Fixtures) != len(d.Fixtures) {
			t.Fatalf("%q became %q", k.Data, back.CaseFile.Data)
		}
	})
}
