package baseline

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

// The test binary, run again with these variables, writes a baseline and is
// killed at one of its system calls.
const (
	killFile = "DOCKET_TEST_KILL_FILE"
	killCall = "DOCKET_TEST_KILL_CALL"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(killFile); path != "" {
		n, err := strconv.Atoi(os.Getenv(killCall))
		if err == nil {
			faults := &disktest.Faults{FS: disk.OS{}, Plan: disktest.At(n, disktest.Fault{Kill: true})}
			err = killedEdit(faults, path)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
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
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killFile+"="+path, killCall+"="+strconv.Itoa(n))
		out, err := child.CombinedOutput()
		if child.ProcessState.ExitCode() == 1 {
			t.Fatalf("call %d: %s", n, out)
		}
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
		if err == nil { // the child was done before its nth call
			break
		}
		killed++
	}
	t.Logf("killed at %d calls: %d times the old file, %d times the new", killed, sawOld, sawNew)
	if sawOld < 5 || sawNew < 3 {
		t.Error("the kills did not fall on both sides of the rename")
	}
}
