package migration_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/migration"
)

// The test binary, run again with these variables, writes a migration and is
// killed at one of its system calls.
const (
	killDir  = "DOCKET_TEST_KILL_DIR"
	killCall = "DOCKET_TEST_KILL_CALL"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDir); dir != "" {
		n, err := strconv.Atoi(os.Getenv(killCall))
		if err == nil {
			_, err = written(&disktest.Faults{FS: disk.OS{}, Plan: disktest.At(n, disktest.Fault{Kill: true})}, dir)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
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
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killDir+"="+dir, killCall+"="+strconv.Itoa(n))
		out, err := child.CombinedOutput()
		if child.ProcessState.ExitCode() == 1 {
			t.Fatalf("call %d: %s", n, out)
		}
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
		if err == nil { // the child was done before its nth call
			break
		}
		killed++
	}
	if killed < 50 {
		t.Errorf("killed at %d calls only", killed)
	}
}
