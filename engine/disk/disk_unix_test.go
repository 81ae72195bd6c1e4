//go:build unix

package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/disk"
)

func TestLinksAndOtherThanFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	put(t, disk.OS{}, victim, before)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{link: "symbolic link", folder: "is a folder"} {
		attempts := map[string]func() error{
			"write":  func() error { return disk.Write(disk.OS{}, path, []byte(after), 0o644) },
			"append": func() error { _, err := disk.OpenAppender(disk.OS{}, path, 0, 0o600); return err },
			"read":   func() error { _, err := disk.Read(disk.OS{}, path, 100); return err },
			"lock":   func() error { _, err := disk.OS{}.Lock(path); return err },
		}
		for name, attempt := range attempts {
			if err := attempt(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %s: got %v, want %q", name, filepath.Base(path), err, want)
			}
		}
	}
	if err := disk.MakeFolders(disk.OS{}, dir, filepath.Join(link, "below"), 0o755); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("folders below a link: got %v", err)
	}
	if got := get(t, disk.OS{}, victim); got != before {
		t.Errorf("the link's target was written: %q", got)
	}
}

func TestAFileKeepsItsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	put(t, disk.OS{}, path, before)
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := disk.Write(disk.OS{}, path, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o666 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
}
