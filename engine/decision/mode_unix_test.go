//go:build unix

package decision

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/disk"
)

// TestARestoredFileHasTheModeThatItHad lets a case go and come back: its files
// have the permissions that they had. Records of before they were kept, such as
// those of a file that had what a new one gets, bring back an ordinary file.
func TestARestoredFileHasTheModeThatItHad(t *testing.T) {
	root := t.TempDir()
	suite(t, disk.OS{}, root)
	modes := map[string]fs.FileMode{"cases/s/b.yaml": 0o600, "cases/s/fixtures/b.sh": 0o755, "cases/s/fixtures/b.txt": 0o644}
	d := Decision{At: time.Unix(1e9, 0).UTC(), By: "Ada", Case: "b", Version: 1, Verdict: Retire, Status: "retired", Reason: "nobody asks"}
	if err := Reseal(disk.OS{}, root, "s", &d); err != nil {
		t.Fatal(err)
	}
	for name, mode := range modes {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := disk.CreateAs(disk.OS{}, path, []byte(name), mode); err != nil {
			t.Fatal(err)
		}
		k, err := KeepFile(disk.OS{}, root, name, []byte(name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".yaml") {
			d.CaseFile = &k
		} else {
			d.Fixtures = append(d.Fixtures, k)
		}
	}
	r := Retirement{FS: disk.OS{}, Root: root, Suite: "s", Run: retireRun, Decisions: []Decision{d}}
	if _, err := r.Apply(); err != nil {
		t.Fatal(err)
	}
	if _, err := restoreB(disk.OS{}, root); err != nil {
		t.Fatal(err)
	}
	for name, mode := range modes {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil || info.Mode() != mode {
			t.Errorf("%s came back as %v, %v; it was %v", name, info.Mode(), err, mode)
		}
	}
}

func TestAModeThatIsNoneIsRefused(t *testing.T) {
	for _, mode := range []string{"rw", "4755", "0000", "07777", ""} {
		line := `{"at":"2026-08-11T10:22:03Z","mode":"*","case":"b","verdict":"retire","reason":"r","file":{"path":"cases/s/b.yaml","mode":"` + mode + `","text":"id: b\n"}}`
		if _, err := parseFile("f", "", append(append(baseline.AppendHeader(nil, &baseline.Header{Format: 1, Suite: "s"}), '\n'), line+"\n"...)); err == nil || !strings.Contains(err.Error(), "permissions") {
			t.Errorf("mode %q: got %v", mode, err)
		}
	}
}
