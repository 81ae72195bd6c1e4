package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/disk"
)

func TestReadNamed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := disk.ReadNamed(file, 3); err != nil || string(got) != "abc" {
		t.Errorf("read %q, %v", got, err)
	}
	for _, c := range []struct {
		path, want string
		limit      int64
	}{
		{file, "has 3 bytes; files of up to 2 bytes are read here", 2},
		{dir, "is a folder, not a file", 9},
		{os.DevNull, "is not a regular file", 9},
		{filepath.Join(dir, "b"), "cannot be read: ", 9},
	} {
		_, err := disk.ReadNamed(c.path, c.limit)
		if err == nil || !strings.HasPrefix(err.Error(), c.path+" "+c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
	if _, err := disk.ReadNamed(filepath.Join(dir, "b"), 9); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
