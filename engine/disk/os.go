package disk

import (
	"io/fs"
	"os"
)

// OS is the file system of the machine.
type OS struct{}

// Lstat is os.Lstat.
func (OS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// ReadDir is os.ReadDir.
func (OS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// OpenFile is os.OpenFile, but for a link in the last element of name, which
// it refuses where the system can do so.
func (OS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag|noFollow, perm)
	if err != nil {
		return nil, err // not f, which would be a File that is not nil
	}
	return f, nil
}

// Mkdir is os.Mkdir.
func (OS) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }

// Link is os.Link.
func (OS) Link(oldname, newname string) error { return os.Link(oldname, newname) }

// Rename is os.Rename.
func (OS) Rename(oldname, newname string) error { return os.Rename(oldname, newname) }

// Remove is os.Remove.
func (OS) Remove(name string) error { return os.Remove(name) }

// SyncDir is the fsync of a folder, on systems that have it.
func (OS) SyncDir(name string) error { return syncDir(name) }

// Lock takes an advisory lock on the file name and writes the process id into
// it.
func (OS) Lock(name string) (Lock, error) { return lockFile(name) }
