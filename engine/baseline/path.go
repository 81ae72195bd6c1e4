package baseline

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/disk"
)

// Folder is the folder of all baselines, below that of the configuration.
const Folder = "baselines"

// Modes returns the modes that have a baseline: who answered for the models.
func Modes() []string { return []string{"live", "mock", "replay"} }

// Path returns baselines/SUITE/MODE.jsonl below root, the folder of
// .docket.yaml. It is the one place that names a baseline file, so that no two
// modes share one. It fails for a suite whose name is no plain folder name and
// for an unknown mode.
func Path(root, suite, mode string) (string, error) {
	if err := CheckSuiteName(suite); err != nil {
		return "", err
	}
	if !slices.Contains(Modes(), mode) {
		return "", fmt.Errorf("no baseline has the mode %q; the modes are %s", mode, strings.Join(Modes(), ", "))
	}
	return filepath.Join(root, Folder, suite, mode+".jsonl"), nil
}

// CheckSuiteName fails where a suite's name cannot be the name of a folder on
// every system that docket runs on: letters, digits, '-', '_' and '.', at most
// 100 of them, beginning with a letter or a digit.
func CheckSuiteName(name string) error {
	const rule = "use letters, digits, '-', '_' and '.', beginning with a letter or a digit"
	if name == "" || len(name) > 100 {
		return fmt.Errorf("a suite's name must be 1 to 100 characters long, found %d; %s", len(name), rule)
	}
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '-' && c != '_' && c != '.') {
			return fmt.Errorf("the suite name %q cannot name a folder; %s", name, rule)
		}
	}
	if name[len(name)-1] == '.' || slices.Contains(reserved(), strings.ToUpper(strings.SplitN(name, ".", 2)[0])) {
		return fmt.Errorf("the suite name %q cannot name a folder on Windows; choose another", name)
	}
	return nil
}

// reserved lists the names that Windows gives to devices, in every folder.
func reserved() []string {
	names := []string{"CON", "PRN", "AUX", "NUL"}
	for _, digit := range "123456789" {
		names = append(names, "COM"+string(digit), "LPT"+string(digit))
	}
	return names
}

// place returns the suite and mode that a path made by Path names.
func place(path string) (suite, mode string, ok bool) {
	folder := filepath.Dir(path)
	mode, isBaseline := strings.CutSuffix(filepath.Base(path), ".jsonl")
	ok = isBaseline && filepath.Base(filepath.Dir(folder)) == Folder && slices.Contains(Modes(), mode)
	return filepath.Base(folder), mode, ok
}

// checkFolders refuses a baseline whose folders are links: a repository must
// not be able to make docket write outside itself.
func checkFolders(fsys disk.FS, path string) error {
	if _, _, ok := place(path); !ok {
		return nil
	}
	folder := filepath.Dir(path)
	for _, dir := range []string{filepath.Dir(folder), folder} {
		info, err := fsys.Lstat(dir)
		switch {
		case err != nil && !isNotExist(err):
			return fmt.Errorf("%s cannot be looked at: %w", dir, err)
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a symbolic link; docket keeps baselines in real folders only", dir)
		}
	}
	return nil
}
