package disk_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

// appendLines appends as many lines as it can and returns what was
// acknowledged.
func appendLines(fsys disk.FS, path string, size int64, lines int) (acknowledged string, err error) {
	a, err := disk.OpenAppender(fsys, path, size, 0o600)
	if err != nil {
		return "", err
	}
	defer a.Close()
	for i := range lines {
		line := fmt.Sprintf("line %d\n", i)
		if err := a.Append([]byte(line)); err != nil {
			return acknowledged, err
		}
		acknowledged += line
	}
	return acknowledged, nil
}

func TestNoAcknowledgedAppendIsLost(t *testing.T) {
	for n := range 20 {
		for _, loss := range []disktest.Loss{disktest.LosesEntries, disktest.LosesContent} {
			m := disktest.NewMemory("/d")
			faults := &disktest.Faults{FS: m, Plan: disktest.At(n+1, disktest.Fault{Crash: true})}
			acknowledged, _ := appendLines(faults, "/d/file", 0, 4)
			if n%2 == 0 {
				m.PowerLoss(loss)
			}
			got := get(t, m, "/d/file")
			if !strings.HasPrefix(got, acknowledged) {
				t.Fatalf("crash before call %d: acknowledged %q, and the file holds %q", n+1, acknowledged, got)
			}
			if _, err := appendLines(m, "/d/file", int64(len(acknowledged)), 1); err != nil {
				t.Fatal(err)
			}
			if got, want := get(t, m, "/d/file"), acknowledged+"line 0\n"; got != want {
				t.Fatalf("after a crash before call %d and one more line: %q, want %q", n+1, got, want)
			}
		}
	}
}

func TestAFailedAppendLeavesTheFileAsItWas(t *testing.T) {
	m := disktest.NewMemory("/d")
	full := false
	faults := &disktest.Faults{FS: m, Plan: func(c disktest.Call) disktest.Fault {
		if c.Op == "File.Write" && full {
			return disktest.Fault{Err: syscall.ENOSPC}
		}
		return disktest.Fault{}
	}}
	a, err := disk.OpenAppender(faults, "/d/file", 0, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Append([]byte("one\n")); err != nil {
		t.Fatal(err)
	}
	full = true
	if err := a.Append([]byte("two, which does not fit\n")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	if got := get(t, m, "/d/file"); got != "one\n" {
		t.Errorf("the file holds %q", got)
	}
	full = false // room was made
	if err := a.Append([]byte("three\n")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, m, "/d/file"); got != "one\nthree\n" {
		t.Errorf("the file holds %q", got)
	}
}

func TestAfterAFailedSyncNothingIsTrusted(t *testing.T) {
	m := disktest.NewMemory("/d")
	once := true
	faults := &disktest.Faults{FS: m, Plan: func(c disktest.Call) disktest.Fault {
		if c.Op == "File.Sync" && once {
			once = false
			return disktest.Fault{Err: syscall.EIO}
		}
		return disktest.Fault{}
	}}
	a, err := disk.OpenAppender(faults, "/d/file", 0, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Append([]byte("one\n")); !errors.Is(err, syscall.EIO) {
			t.Errorf("got %v", err)
		}
	}
	if got := get(t, m, "/d/file"); got != "" {
		t.Errorf("the file holds %q", got)
	}
}

func TestAnAppenderRefusesAFileThatShrank(t *testing.T) {
	m := disktest.NewMemory("/d")
	put(t, m, "/d/file", "short\n")
	if _, err := disk.OpenAppender(m, "/d/file", 100, 0o600); err == nil || !strings.Contains(err.Error(), "it was changed meanwhile") {
		t.Errorf("got %v", err)
	}
}
