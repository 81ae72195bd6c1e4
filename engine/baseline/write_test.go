package baseline

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

const where = "/r/baselines/s/mock.jsonl"

// memory returns a file system that holds one baseline.
func memory(t interface{ Fatal(...any) }, data []byte) *disktest.Memory {
	m := disktest.NewMemory(filepath.Dir(where))
	if data == nil {
		return m
	}
	if err := disk.Write(m, where, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return m
}

func content(t interface{ Fatal(...any) }, fsys disk.FS) string {
	data, err := disk.Read(fsys, where, MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func read(t interface{ Fatal(...any) }, fsys disk.FS) *File {
	f, err := Read(fsys, where)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWriteTouchesNothingElse(t *testing.T) {
	oddHeader := `{"_config": {"format": 1, "suite":"s", "mode":"mock", "later": [1.0]}}`
	odd := `{"id":"b", "samples":5, "note": {"z":1.0}}`
	m := memory(t, text(oddHeader, small("a", "x"), odd, small("d", "x"), small("e", "x")))
	receipt, err := read(t, m).Write(m, Edit{
		Replace: map[string][]byte{"a": []byte(small("a", "new")), "c": []byte(small("c", "added")), "z": []byte(small("z", "last"))},
		Remove:  []string{"d", "not there"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := text(oddHeader, small("a", "new"), odd, small("c", "added"), small("e", "x"), small("z", "last"))
	if got := content(t, m); got != string(want) {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if receipt.Added != 2 || receipt.Replaced != 1 || receipt.Removed != 1 || receipt.Untouched != 2 || !receipt.Written || receipt.HeaderReplaced {
		t.Errorf("the receipt says %+v", receipt)
	}
	if receipt.File.Hash() != read(t, m).Hash() {
		t.Error("the receipt's file is another")
	}
}

func TestUnknownKeysOfAReplacedLineSurvive(t *testing.T) {
	old := strings.TrimSuffix(small("a", "x"), "}") + `,"owner":"team \u00e9", "tier" : {"b":1.0}}`
	m := memory(t, text(header, old))
	withOwn := strings.TrimSuffix(small("a", "new"), "}") + `,"tier":2}`
	if _, err := read(t, m).Write(m, Edit{Replace: map[string][]byte{"a": []byte(withOwn)}}); err != nil {
		t.Fatal(err)
	}
	want := string(text(header, strings.TrimSuffix(withOwn, "}")+`,"owner":"team \u00e9"}`))
	if got := content(t, m); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnEditThatChangesNothingWritesNothing(t *testing.T) {
	data := text(header, small("b", "x"), small("a", "x")) // not even to sort
	m := memory(t, data)
	for name, edit := range map[string]Edit{
		"empty":            {},
		"the same lines":   {Replace: map[string][]byte{"a": []byte(small("a", "x"))}},
		"the same header":  {Header: []byte(header)},
		"nobody's removal": {Remove: []string{"zz"}},
	} {
		faults := &disktest.Faults{FS: m}
		receipt, err := read(t, m).Write(faults, edit)
		if err != nil || receipt.Written || receipt.Untouched != 2 {
			t.Errorf("%s: %+v, %v", name, receipt, err)
		}
		for _, c := range faults.Calls() {
			if c.Op == "Rename" || c.Op == "File.Write" {
				t.Errorf("%s: %s of %s", name, c.Op, c.Path)
			}
		}
	}
	if content(t, m) != string(data) {
		t.Error("the file was changed")
	}
}

func TestWriteSorts(t *testing.T) {
	m := memory(t, text(header, small("b", "x"), small("a", "x")))
	if _, err := read(t, m).Write(m, Edit{Replace: map[string][]byte{"b": []byte(small("b", "new"))}}); err != nil {
		t.Fatal(err)
	}
	if got, want := content(t, m), string(text(header, small("a", "x"), small("b", "new"))); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestAChangedFileIsNotOverwritten(t *testing.T) {
	m := memory(t, text(header, small("a", "x")))
	stale := read(t, m)
	if _, err := stale.Write(m, Edit{Replace: map[string][]byte{"a": []byte(small("a", "theirs"))}}); err != nil {
		t.Fatal(err)
	}
	theirs := read(t, m)
	_, err := stale.Write(m, Edit{Replace: map[string][]byte{"a": []byte(small("a", "ours"))}})
	var changed *ChangedError
	if !errors.As(err, &changed) || changed.Was != stale.Hash() || changed.Is != theirs.Hash() {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{where, stale.Hash(), theirs.Hash(), "nothing was written"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q: %v", part, err)
		}
	}
	if content(t, m) != string(theirs.data) {
		t.Error("it was overwritten")
	}
	if err := m.Remove(where); err != nil {
		t.Fatal(err)
	}
	if _, err := stale.Write(m, Edit{}); !errors.As(err, &changed) || changed.Is != "" {
		t.Errorf("over a file that is gone: %v", err)
	}
}

func TestASecondWriterIsRefused(t *testing.T) {
	m := memory(t, text(header, small("a", "x")))
	f := read(t, m)
	w, err := Lock(m, where)
	if err != nil {
		t.Fatal(err)
	}
	var held *disk.HeldError
	if _, err := f.Write(m, Edit{}); !errors.As(err, &held) || !strings.Contains(err.Error(), "the baseline cannot be written") {
		t.Errorf("got %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(m, Edit{}); err != nil {
		t.Error(err)
	}
}

func TestWrongEditsAreRefused(t *testing.T) {
	m := memory(t, text(header, small("a", "x")))
	tests := []struct {
		name string
		edit Edit
		want string
	}{
		{"another id", Edit{Replace: map[string][]byte{"a": []byte(small("b", "x"))}}, `the new line of the case "a" has the id "b"`},
		{"no line", Edit{Replace: map[string][]byte{"b": nil}}, `the new line of the case "b" is not valid`},
		{"two lines", Edit{Replace: map[string][]byte{"a": []byte("{\"id\":\"a\",\n\"samples\":1}")}}, `the new line of the case "a" has a line break in it`},
		{"replaced and removed", Edit{Replace: map[string][]byte{"a": []byte(small("a", "y"))}, Remove: []string{"a"}}, `both replaced and removed`},
		{"a header of another mode", Edit{Header: []byte(strings.Replace(header, "mock", "live", 1))}, `the header names the mode "live" and the file belongs to "mock"`},
		{"a header of another suite", Edit{Header: []byte(strings.Replace(header, `"s"`, `"t"`, 1))}, `the header names the suite "t"`},
		{"a header of a newer format", Edit{Header: []byte(strings.Replace(header, "1", "2", 1))}, `the file has format 2`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := read(t, m).Write(m, test.edit); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if got := content(t, m); got != string(text(header, small("a", "x"))) {
		t.Errorf("the file was changed: %s", got)
	}
}

func TestARecaptureReplacesTheHeader(t *testing.T) {
	m := memory(t, text(header, small("a", "x")))
	newHeader := strings.Replace(header, `"mock"`, `"mock","model":"m-2"`, 1)
	receipt, err := read(t, m).Write(m, Edit{Header: []byte(newHeader)})
	if err != nil || !receipt.HeaderReplaced || !receipt.Written {
		t.Fatalf("%+v, %v", receipt, err)
	}
	if got, want := content(t, m), string(text(newHeader, small("a", "x"))); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestCreate(t *testing.T) {
	m := disktest.NewMemory("/r")
	h := Header{Format: Format, Suite: "s", Mode: "mock"}
	lines := map[string][]byte{"b": []byte(small("b", "x")), "a": []byte(small("a", "x"))}
	receipt, err := Create(m, "/r", &h, lines)
	if err != nil || receipt.Added != 2 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	m.PowerLoss(disktest.LosesEntries)
	if got, want := content(t, m), string(text(header, small("a", "x"), small("b", "x"))); got != want {
		t.Errorf("after a loss of power: %s", got)
	}
	var changed *ChangedError
	if _, err := Create(m, "/r", &h, lines); !errors.As(err, &changed) || !changed.Appeared {
		t.Errorf("a second first baseline: %v", err)
	}
}

func TestABaselineBehindALinkIsRefused(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "mock.jsonl"), text(header), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, Folder, "s")); err != nil {
		t.Logf("this system makes no links, so none can lead outside: %v", err)
		return
	}
	h := Header{Format: Format, Suite: "s", Mode: "mock"}
	path, _ := Path(root, "s", "mock")
	_, readErr := Read(disk.OS{}, path)
	_, lockErr := Lock(disk.OS{}, path)
	_, createErr := Create(disk.OS{}, root, &h, nil)
	for _, err := range []error{readErr, lockErr, createErr} {
		if err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
			t.Errorf("got %v", err)
		}
	}
}

func TestEveryFaultLeavesTheOldFileOrTheNew(t *testing.T) {
	oldFile := text(header, small("a", "x"), small("b", "x"), small("c", "x"))
	newFile := string(text(header, small("a", "new"), small("b", "x"), small("d", "new")))
	edit := Edit{Replace: map[string][]byte{"a": []byte(small("a", "new")), "d": []byte(small("d", "new"))}, Remove: []string{"c"}}
	for n := 1; ; n++ {
		done := false
		for _, fault := range []disktest.Fault{{Crash: true}, {Err: errors.New("disk on fire")}, {Err: errors.New("disk on fire"), After: true}} {
			for _, loss := range []disktest.Loss{-1, disktest.LosesEntries, disktest.LosesContent} {
				m := memory(t, oldFile)
				faults := &disktest.Faults{FS: m}
				f := read(t, m)
				faults.Plan = disktest.At(n, fault)
				receipt, err := f.Write(faults, edit)
				done = len(faults.Calls()) < n
				if loss >= 0 {
					m.PowerLoss(loss)
				}
				got := content(t, m)
				if got != string(oldFile) && got != newFile {
					t.Fatalf("fault %+v at call %d: a third file:\n%s", fault, n, got)
				}
				if err == nil && (got != newFile || receipt.Added != 1 || receipt.Removed != 1 || receipt.Replaced != 1) {
					t.Fatalf("fault %+v at call %d: %+v, and the file is\n%s", fault, n, receipt, got)
				}
				if _, err := read(t, m).Write(m, edit); err != nil {
					t.Fatalf("fault %+v at call %d: the next write: %v", fault, n, err)
				}
				if content(t, m) != newFile {
					t.Fatalf("fault %+v at call %d: the next write gives\n%s", fault, n, content(t, m))
				}
			}
		}
		if done {
			if n < 10 {
				t.Fatalf("only %d calls were tried", n)
			}
			return
		}
	}
}

// genFile draws a file of canonical lines.
func genFile() *rapid.Generator[map[string][]byte] {
	return rapid.Custom(func(t *rapid.T) map[string][]byte {
		lines := map[string][]byte{}
		for _, l := range rapid.SliceOfN(genLine(), 0, 8).Draw(t, "lines") {
			lines[l.ID] = AppendLine(nil, &l)
		}
		return lines
	})
}

func TestAnEditLeavesAllOtherLinesAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := genFile().Draw(t, "before")
		m := disktest.NewMemory("/r")
		h := Header{Format: Format, Suite: "s", Mode: "mock"}
		if _, err := Create(m, "/r", &h, before); err != nil {
			t.Fatal(err)
		}
		edit := Edit{Replace: genFile().Draw(t, "replace")}
		if ids := slices.Sorted(maps.Keys(before)); len(ids) > 0 {
			for _, id := range rapid.SliceOfDistinct(rapid.SampledFrom(ids), rapid.ID).Draw(t, "remove") {
				if _, ok := edit.Replace[id]; !ok {
					edit.Remove = append(edit.Remove, id)
				}
			}
		}
		if _, err := read(t, m).Write(m, edit); err != nil {
			t.Fatal(err)
		}
		want := maps.Clone(before)
		for _, id := range edit.Remove {
			delete(want, id)
		}
		maps.Copy(want, edit.Replace)
		after := read(t, m)
		if len(after.Lines) != len(want) || !after.Sorted() {
			t.Fatalf("%d lines, want %d", len(after.Lines), len(want))
		}
		for _, line := range after.Lines {
			if _, replaced := edit.Replace[line.ID]; !replaced && string(line.Bytes) != string(before[line.ID]) {
				t.Fatalf("the line of %q was\n%s\nand is\n%s", line.ID, before[line.ID], line.Bytes)
			}
			parsed, err := ParseLine(line.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			if len(parsed.Extra) == 0 && string(line.Bytes) != string(want[line.ID]) {
				t.Fatalf("the line of %q is\n%s\nwant\n%s", line.ID, line.Bytes, want[line.ID])
			}
		}
		again, err := after.Write(m, edit)
		if err != nil || again.Written {
			t.Fatalf("the same edit a second time: %+v, %v", again, err)
		}
	})
}

func TestTheSameLinesGiveTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := genFile().Draw(t, "lines")
		h := Header{Format: Format, Suite: "s", Mode: "mock"}
		whole, step := disktest.NewMemory("/r"), disktest.NewMemory("/r")
		if _, err := Create(whole, "/r", &h, lines); err != nil {
			t.Fatal(err)
		}
		if _, err := Create(step, "/r", &h, nil); err != nil {
			t.Fatal(err)
		}
		for id, line := range lines { // in any order
			if _, err := read(t, step).Write(step, Edit{Replace: map[string][]byte{id: line}}); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := content(t, whole), content(t, step); a != b {
			t.Fatal(fmt.Sprintf("at once\n%s\none by one\n%s", a, b))
		}
	})
}
