package migration_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/disk"
	"docket/engine/migration"
)

// TestWhatWasBegunIsKnownUntilItIsDone fails a write behind its first case: what
// it was making is known to the next, and forgotten once that is done.
func TestWhatWasBegunIsKnownUntilItIsDone(t *testing.T) {
	dir := t.TempDir()
	begun := func() int {
		t.Helper()
		paths, err := migration.Begun(disk.OS{}, dir, target)
		if err != nil {
			t.Fatal(err)
		}
		return len(paths)
	}
	if begun() != 0 {
		t.Error("something was begun before anything was")
	}
	log := filepath.Join(dir, filepath.FromSlash(target.LogPath()))
	if err := os.MkdirAll(filepath.Dir(log), 0o755); err != nil {
		t.Fatal(err)
	}
	// A folder where the report is to be lets the write fail late.
	report := filepath.Join(dir, filepath.FromSlash(target.ReportPath(1)))
	if err := os.MkdirAll(report, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := written(disk.OS{}, dir); err == nil {
		t.Fatal("a report was written over a folder")
	}
	if begun() == 0 {
		t.Error("what was begun is not known")
	}
	if err := os.Remove(report); err != nil {
		t.Fatal(err)
	}
	if _, err := written(disk.OS{}, dir); err != nil {
		t.Fatal(err)
	}
	if begun() != 0 {
		t.Error("what is done counts as begun")
	}
}

func TestAListOfWhatWasBegunThatIsNoneIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, ".docket", "migrate", target.Suite+".begun.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"paths"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := migration.Begun(disk.OS{}, dir, target); err == nil || !strings.Contains(err.Error(), "and remove the file") {
		t.Errorf("got %v", err)
	}
}
