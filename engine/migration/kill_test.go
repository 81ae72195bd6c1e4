package migration_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/migration"
)

func TestMain(m *testing.M) {
	disktest.Main(m, map[string]disktest.Child{"write": func(fsys disk.FS, dir string) error {
		_, err := written(fsys, dir)
		return err
	}})
}

func written(fsys disk.FS, dir string) (*migration.Written, error) {
	all := choices() // few, since each of their system calls costs a process
	delete(all, file+"test_two_facts")
	return suite(migration.Options{}).Assemble(all, target, nil).Write(fsys, dir, target)
}

// tree is what lies below a folder, by path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".docket" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || strings.HasSuffix(p, disk.LockSuffix) {
			return err
		}
		data, err := os.ReadFile(p)
		files[strings.TrimPrefix(p, dir)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestKilledWhileWriting kills a write at each of its system calls: every file
// is there whole or not at all, the log is the last, and the same write again
// completes it.
func TestKilledWhileWriting(t *testing.T) {
	whole := t.TempDir()
	if _, err := written(disk.OS{}, whole); err != nil {
		t.Fatal(err)
	}
	want := tree(t, whole)
	killed := 0
	for n := 1; ; n++ {
		dir := t.TempDir()
		_, dead := disktest.Killed(t, "write", dir, n)
		have := tree(t, dir)
		for name, text := range have {
			if !strings.HasSuffix(name, disk.TempSuffix) && text != want[name] {
				t.Fatalf("killed at call %d, %s is a third:\n%s", n, name, text)
			}
		}
		if _, logged := have["/"+target.LogPath()]; logged {
			for name := range want {
				if _, ok := have[name]; !ok {
					t.Fatalf("killed at call %d, the log is there and %s is not", n, name)
				}
			}
		}
		if _, err := written(disk.OS{}, dir); err != nil {
			t.Fatalf("the write after a kill at call %d: %v", n, err)
		}
		after := tree(t, dir)
		for name, text := range want {
			if after[name] != text {
				t.Fatalf("after a kill at call %d and the next write %s is\n%s", n, name, after[name])
			}
		}
		if !dead { // it was done before its nth call
			break
		}
		killed++
	}
	if killed < 50 {
		t.Errorf("killed at %d calls only", killed)
	}
}
