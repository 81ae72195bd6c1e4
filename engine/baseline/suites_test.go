package baseline_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/engine/baseline"
	"docket/engine/disk"
)

func TestSuitesAreThoseWithAFolder(t *testing.T) {
	root := t.TempDir()
	if names, err := baseline.Suites(disk.OS{}, root); err != nil || names != nil {
		t.Errorf("without a folder: %v, %v", names, err)
	}
	for _, name := range []string{"invoices", "desk", ".hidden"} {
		if err := os.MkdirAll(filepath.Join(root, baseline.Folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, baseline.Folder, "README"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if names, err := baseline.Suites(disk.OS{}, root); err != nil || !slices.Equal(names, []string{"desk", "invoices"}) {
		t.Errorf("got %v, %v", names, err)
	}
}
