package recording

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"docket/engine/disk"
)

// A rootFS is the folder of a suite as package disk sees it: no name, and no
// link in one, leads out of it.
type rootFS struct{ root *os.Root }

func (r rootFS) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

func (r rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(r.root.FS(), filepath.ToSlash(name))
}

func (r rootFS) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	f, err := r.root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not f, which would be a File that is not nil
	}
	return f, nil
}

func (r rootFS) Mkdir(name string, perm fs.FileMode) error { return r.root.Mkdir(name, perm) }
func (r rootFS) Link(oldname, newname string) error        { return r.root.Link(oldname, newname) }
func (r rootFS) Rename(oldname, newname string) error      { return r.root.Rename(oldname, newname) }
func (r rootFS) Remove(name string) error                  { return r.root.Remove(name) }

// SyncDir puts a folder's entries on disk, where the system lets a folder be
// opened and has that call.
func (r rootFS) SyncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := r.root.Open(name)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // nothing more can be done on such a file system
	}
	if closeErr := dir.Close(); err == nil {
		err = closeErr
	}
	return err
}

// Lock locks by path, as the system has no lock within a root. The folder of
// the file has been made, and found to be no link, before.
func (r rootFS) Lock(name string) (disk.Lock, error) {
	return disk.OS{}.Lock(filepath.Join(r.root.Name(), name))
}
