package starter_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/disk"
	"docket/engine/starter"
)

func TestWhatIsThereStays(t *testing.T) {
	dir := t.TempDir()
	ignore := filepath.Join(dir, ".gitignore")
	if err := os.WriteFile(ignore, []byte("node_modules\r\n*.docket-tmp"), 0o600); err != nil {
		t.Fatal(err)
	}
	steps, err := starter.Write(disk.OS{}, dir, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []starter.Step{{Path: ".docket.yaml"}, {Path: ".gitignore", Line: "/.docket/"}, {Path: ".gitignore", Line: "*.docket-tmp", Kept: true}} {
		if !slices.Contains(steps, want) {
			t.Errorf("%+v lacks %+v", steps, want)
		}
	}
	got, err := os.ReadFile(ignore)
	if want := "node_modules\r\n*.docket-tmp\n/.docket/\n.*.docket-*\n*.docket-lock\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	again, err := starter.Write(disk.OS{}, dir, time.Unix(0, 0))
	if err != nil || slices.ContainsFunc(again, func(s starter.Step) bool { return !s.Kept }) {
		t.Errorf("a second time: %+v, %v", again, err)
	}
}

// TestALinkIsNotFollowed since git follows none there either.
func TestALinkIsNotFollowed(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "ignore")
	if err := os.WriteFile(elsewhere, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, ".gitignore")); err != nil {
		t.Fatal(err)
	}
	_, err := starter.Write(disk.OS{}, dir, time.Unix(0, 0))
	if err == nil || !strings.Contains(err.Error(), "symbolic link") || !strings.Contains(err.Error(), "by hand (/.docket/, ") {
		t.Errorf("got %v", err)
	}
}
