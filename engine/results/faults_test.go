package results_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/results"
	"docket/engine/results/resultstest"
)

// TestWhatADiskRefusesIsExplained lets the disk refuse from each call on, as one
// that is full, fails, or may only be read. The store says in a sentence what to
// do, and a run that it had taken before is there as it was.
func TestWhatADiskRefusesIsExplained(t *testing.T) {
	template := filepath.Join(t.TempDir(), "results.db")
	s := openStore(t, template)
	keep(t, s, aRun("r-1"), aResult(0), aResult(1))
	s.Close()
	data, err := disk.Read(disk.OS{}, template, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	causes := map[error]string{syscall.ENOSPC: "is full: make room", syscall.EIO: "fails to read or to write, perhaps", syscall.EROFS: "fails to read or to write"}
	said := map[string]int{}
	for cause, mend := range causes {
		for n := 1; ; n++ {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "results.db")
			if err := disk.Create(disk.OS{}, path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			mirror, err := disktest.NewMirror(dir)
			if err != nil {
				t.Fatal(err)
			}
			faults := &disktest.Faults{Plan: func(c disktest.Call) disktest.Fault {
				if c.N >= n && (c.Changes() || c.Op == "File.Sync") && c.Op != "Remove" && c.Op != "File.Truncate" {
					return disktest.Fault{Err: cause}
				}
				return disktest.Fault{}
			}}
			undo := resultstest.Beside(dir, faults, mirror)
			err = keepOne(t, path)
			undo()
			again := openStore(t, path)
			if r, err := whole(t.Context(), again, "r-1"); err != nil || len(r.Results) != 2 || len(r.Results[1].Samples) == 0 {
				t.Fatalf("%v from call %d on: the run before: %v, %v", cause, n, r, err)
			}
			r, readErr := whole(t.Context(), again, "r-2")
			again.Close()
			if err == nil {
				if readErr != nil || len(r.Results) != 1 || r.Finished.IsZero() {
					t.Fatalf("%v from call %d on: reported as kept: %v, %v", cause, n, r, readErr)
				}
				if n > len(faults.Calls()) {
					break
				}
				continue
			}
			text := err.Error()
			if strings.Contains(text, "\n") || !strings.Contains(text, path) || !strings.Contains(text, mend) && !strings.Contains(text, "cannot be written; see who may write there") && !strings.Contains(text, "fails to read or to write, perhaps") {
				t.Errorf("%v from call %d on: %v", cause, n, err)
			}
			said[strings.ReplaceAll(text, dir, "…")]++
		}
	}
	for text, n := range said {
		t.Log(n, text)
	}
}

// keepOne keeps a run of one result, as a command does.
func keepOne(t *testing.T, path string) (err error) {
	t.Helper()
	s, err := results.Open(t.Context(), path)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil && failed != nil {
			err = fmt.Errorf("close: %w", failed)
		}
	}()
	w, err := s.Begin(t.Context(), aRun("r-2"))
	if err != nil {
		return err
	}
	if err := w.Put(t.Context(), aResult(0)); err != nil {
		return err
	}
	return w.Finish(t.Context(), aRun("r-2"))
}
