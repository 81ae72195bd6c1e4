package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

const (
	before = "the old content, which is longer than the new\n"
	after  = "the new content\n"
)

// A writing is one way to bring after to a path.
type writing struct {
	name  string
	old   string // content before; "" for no file
	write func(disk.FS, string) error
}

func writings() []writing {
	return []writing{
		{"write over a file", before, func(fsys disk.FS, path string) error {
			return disk.Write(fsys, path, []byte(after), 0o644)
		}},
		{"write a new file", "", func(fsys disk.FS, path string) error {
			return disk.Write(fsys, path, []byte(after), 0o644)
		}},
		{"create", "", func(fsys disk.FS, path string) error {
			return disk.Create(fsys, path, []byte(after), 0o644)
		}},
	}
}

func put(t *testing.T, fsys disk.FS, path, content string) {
	t.Helper()
	if content == "" {
		return
	}
	if err := disk.Write(fsys, path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// get returns the content of a file, "" where there is none.
func get(t *testing.T, fsys disk.FS, path string) string {
	t.Helper()
	data, err := disk.Read(fsys, path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// countCalls returns how many system calls a writing makes.
func countCalls(t *testing.T, w writing) int {
	m := disktest.NewMemory("/d")
	put(t, m, "/d/file", w.old)
	faults := &disktest.Faults{FS: m}
	if err := w.write(faults, "/d/file"); err != nil {
		t.Fatal(err)
	}
	return len(faults.Calls())
}

func TestACrashLeavesTheOldFileOrTheNew(t *testing.T) {
	for _, w := range writings() {
		for n := range countCalls(t, w) + 1 {
			for _, loss := range []string{"process killed", "power lost with entries", "power lost with content"} {
				t.Run(fmt.Sprintf("%s/%s before call %d", w.name, loss, n+1), func(t *testing.T) {
					m := disktest.NewMemory("/d")
					put(t, m, "/d/file", w.old)
					faults := &disktest.Faults{FS: m, Plan: disktest.At(n+1, disktest.Fault{Crash: true})}
					err := w.write(faults, "/d/file")
					switch loss {
					case "power lost with entries":
						m.PowerLoss(disktest.LosesEntries)
					case "power lost with content":
						m.PowerLoss(disktest.LosesContent)
					}
					got := get(t, m, "/d/file")
					if got != w.old && got != after {
						t.Fatalf("a third content: %q", got)
					}
					if err == nil && got != after {
						t.Fatalf("reported as written, and lost: %q", got)
					}
					if err := disk.Clean(m, "/d/file"); err != nil {
						t.Fatal(err)
					}
					if err := disk.Write(m, "/d/file", []byte(after), 0o644); err != nil {
						t.Fatalf("the next write: %v", err)
					}
					if entries, _ := m.ReadDir("/d"); len(entries) != 1 {
						t.Errorf("something is left behind: %v", entries)
					}
				})
			}
		}
	}
}

func TestAFailedCallLeavesTheOldFileAndSaysWhy(t *testing.T) {
	for _, w := range writings() {
		for n := range countCalls(t, w) {
			for cause, mend := range map[error]string{syscall.ENOSPC: "; make room", syscall.EIO: "; the disk fails", syscall.EROFS: "; see who may write there"} {
				m := disktest.NewMemory("/d")
				put(t, m, "/d/file", w.old)
				faults := &disktest.Faults{FS: m, Plan: disktest.At(n+1, disktest.Fault{Err: cause})}
				err := w.write(faults, "/d/file")
				call := faults.Calls()[n]
				got := get(t, m, "/d/file")
				switch {
				case err == nil && got == after && call.Op == "Remove": // the temporary file of a create
				case !errors.Is(err, cause) || !strings.Contains(err.Error(), "/d/"):
					t.Errorf("%s, %s fails with %v: got the error %v", w.name, call.Op, cause, err)
				case slices.Contains([]string{"Create", "File.Write", "Link", "Rename"}, call.Op) && !strings.Contains(err.Error(), mend):
					t.Errorf("%s, %s fails with %v: %v says no mend", w.name, call.Op, cause, err)
				case got != w.old && call.Op != "SyncDir":
					t.Errorf("%s, %s fails with %v: the file is %q", w.name, call.Op, cause, got)
				}
			}
		}
	}
}

func TestCreateNeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	put(t, disk.OS{}, path, before)
	if err := disk.Create(disk.OS{}, path, []byte(after), 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	// The file appears between the first look and the link.
	m := disktest.NewMemory("/d")
	faults := &disktest.Faults{FS: m, Plan: func(c disktest.Call) disktest.Fault {
		if c.Op == "Link" {
			put(t, m, "/d/file", before)
		}
		return disktest.Fault{}
	}}
	if err := disk.Create(faults, "/d/file", []byte(after), 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if got := get(t, m, "/d/file"); got != before {
		t.Errorf("the file is %q", got)
	}
}

func TestCreateWorksWithoutHardLinks(t *testing.T) {
	m := disktest.NewMemory("/d")
	faults := &disktest.Faults{FS: m, Plan: func(c disktest.Call) disktest.Fault {
		if c.Op == "Link" {
			return disktest.Fault{Err: errors.ErrUnsupported}
		}
		return disktest.Fault{}
	}}
	if err := disk.Create(faults, "/d/file", []byte(after), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := get(t, m, "/d/file"); got != after {
		t.Errorf("the file is %q", got)
	}
	if err := disk.Create(faults, "/d/file", []byte(before), 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
}

func TestReadRefusesMoreThanItsLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	put(t, disk.OS{}, path, before)
	if _, err := disk.Read(disk.OS{}, path, 10); err == nil || !strings.Contains(err.Error(), "more than the 10 that docket reads") {
		t.Errorf("got %v", err)
	}
}

func TestCleanTakesOnlyWhatIsLeftOfTheSameFile(t *testing.T) {
	m := disktest.NewMemory("/d")
	for _, name := range []string{"file", ".file.ABC" + disk.TempSuffix, ".file.b.ABC" + disk.TempSuffix, ".other.ABC" + disk.TempSuffix, ".file.ABC"} {
		put(t, m, "/d/"+name, before)
	}
	if err := disk.Clean(m, "/d/file"); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, _ := m.ReadDir("/d")
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := ".file.ABC .file.b.ABC.docket-tmp .other.ABC.docket-tmp file"; strings.Join(left, " ") != want {
		t.Errorf("left are %v, want %s", left, want)
	}
}

func TestMakeFolders(t *testing.T) {
	m := disktest.NewMemory("/root")
	for range 2 {
		if err := disk.MakeFolders(m, "/root", "/root/a/b/c", 0o700); err != nil {
			t.Fatal(err)
		}
	}
	m.PowerLoss(disktest.LosesEntries)
	if info, err := m.Lstat("/root/a/b/c"); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("after a loss of power: %v", err)
	}
	if err := disk.MakeFolders(m, "/root/a", "/root/b", 0o700); err == nil {
		t.Error("a folder outside the root was made")
	}
	if err := disk.MakeFolders(m, "/root", "/root", 0o700); err != nil {
		t.Error(err)
	}
}

func TestMakeAllBeginsAtWhatIsThere(t *testing.T) {
	m := disktest.NewMemory("/some/where")
	for range 2 {
		if err := disk.MakeAll(m, "/some/where/else/entirely", 0o700); err != nil {
			t.Fatal(err)
		}
	}
	m.PowerLoss(disktest.LosesEntries)
	if _, err := m.Lstat("/some/where/else/entirely"); err != nil {
		t.Errorf("after a loss of power: %v", err)
	}
	put(t, m, "/some/file", before)
	if err := disk.MakeAll(m, "/some/file/below", 0o700); err == nil {
		t.Error("a folder was made in a file")
	}
}
