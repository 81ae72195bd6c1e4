package baseline

import (
	"os"
	"path/filepath"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

func TestMain(m *testing.M) {
	disktest.Main(m, map[string]disktest.Child{"edit": func(fsys disk.FS, dir string) error {
		return killedEdit(fsys, filepath.Join(dir, "mock.jsonl"))
	}})
}

func killedEdit(fsys disk.FS, path string) error {
	f, err := Read(fsys, path)
	if err != nil {
		return err
	}
	_, err = f.Write(fsys, Edit{Replace: map[string][]byte{"a": []byte(small("a", "new"))}, Remove: []string{"c"}})
	return err
}

func TestAKilledWriteLeavesTheOldFileOrTheNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), Folder, "s", "mock.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	before := text(header, small("a", "x"), small("b", "x"), small("c", "x"))
	after := string(text(header, small("a", "new"), small("b", "x")))
	killed, sawOld, sawNew := 0, 0, 0
	for n := 1; ; n++ {
		if err := os.WriteFile(path, before, 0o644); err != nil {
			t.Fatal(err)
		}
		_, dead := disktest.Killed(t, "edit", filepath.Dir(path), n)
		got, readErr := os.ReadFile(path)
		if readErr != nil {
			t.Fatal(readErr)
		}
		switch string(got) {
		case string(before):
			sawOld++
		case after:
			sawNew++
		default:
			t.Fatalf("killed at call %d, the file is a third:\n%s", n, got)
		}
		if err := killedEdit(disk.OS{}, path); err != nil {
			t.Fatalf("the write after a kill at call %d: %v", n, err)
		}
		entries, err2 := os.ReadDir(filepath.Dir(path))
		if err2 != nil {
			t.Fatal(err2)
		}
		if string(got) == string(before) && len(entries) != 1 {
			t.Fatalf("after a kill at call %d and the next write there is more than the baseline: %v", n, entries)
		}
		if !dead { // it was done before its nth call
			break
		}
		killed++
	}
	t.Logf("killed at %d calls: %d times the old file, %d times the new", killed, sawOld, sawNew)
	if sawOld < 5 || sawNew < 3 {
		t.Error("the kills did not fall on both sides of the rename")
	}
}
