package baseline

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"docket/engine/disk"
)

// Suites returns the names, sorted, of all suites that have a folder of
// baselines below root, whether or not a configuration still names them.
func Suites(fsys disk.FS, root string) ([]string, error) {
	entries, err := fsys.ReadDir(filepath.Join(root, Folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the baselines cannot be listed: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && CheckSuiteName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
