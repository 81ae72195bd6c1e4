package migration

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"docket/engine/disk"
)

// begunPath is the file of local state that lists what a write is to make, from
// before its first case until its log is there.
func (t Target) begunPath() string { return ".docket/migrate/" + t.Suite + ".begun.json" }

// Begun returns the paths of the cases that a write to a suite was making when it
// was cut short; none where none was. The same write again makes them, so that
// their ids are not taken by somebody else.
func Begun(fsys disk.FS, root string, t Target) (map[string]bool, error) {
	data, err := disk.Read(fsys, native(root, t.begunPath()), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var paths []string
	if err == nil {
		err = json.Unmarshal(data, &paths)
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not say which cases a migration was writing: look with `git status` at what is there, and remove the file: %w", t.begunPath(), err)
	}
	begun := make(map[string]bool, len(paths))
	for _, p := range paths {
		begun[p] = true
	}
	return begun, nil
}

// begin lists what is to be made, besides what an earlier write was making.
func (w *Work) begin(fsys disk.FS, root string, t Target) error {
	begun, err := Begun(fsys, root, t)
	if err != nil {
		return err
	}
	paths := []string{}
	for _, f := range w.Cases {
		paths = append(paths, f.Path)
		delete(begun, f.Path)
	}
	for p := range begun {
		paths = append(paths, p)
	}
	data, err := json.Marshal(paths)
	if err != nil {
		return err
	}
	file := native(root, t.begunPath())
	if err := disk.MakeFolders(fsys, root, filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := disk.Clean(fsys, file); err != nil {
		return err
	}
	return disk.Write(fsys, file, data, 0o600)
}

// ended says that all is made and in the log.
func (t Target) ended(fsys disk.FS, root string) error {
	file := native(root, t.begunPath())
	if err := fsys.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fsys.SyncDir(filepath.Dir(file))
}
