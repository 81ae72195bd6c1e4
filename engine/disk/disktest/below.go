package disktest

import (
	"io/fs"
	"path/filepath"

	"docket/engine/disk"
)

// Below is a file system whose names are relative to a folder of another, as
// those of an os.Root are.
func Below(fsys disk.FS, dir string) disk.FS { return below{fsys, dir} }

type below struct {
	fsys disk.FS
	dir  string
}

func (b below) at(name string) string { return filepath.Join(b.dir, name) }

func (b below) Lstat(name string) (fs.FileInfo, error)     { return b.fsys.Lstat(b.at(name)) }
func (b below) ReadDir(name string) ([]fs.DirEntry, error) { return b.fsys.ReadDir(b.at(name)) }
func (b below) Mkdir(name string, perm fs.FileMode) error  { return b.fsys.Mkdir(b.at(name), perm) }

func (b below) Link(oldname, newname string) error { return b.fsys.Link(b.at(oldname), b.at(newname)) }

func (b below) Rename(oldname, newname string) error {
	return b.fsys.Rename(b.at(oldname), b.at(newname))
}
func (b below) Remove(name string) error            { return b.fsys.Remove(b.at(name)) }
func (b below) SyncDir(name string) error           { return b.fsys.SyncDir(b.at(name)) }
func (b below) Lock(name string) (disk.Lock, error) { return b.fsys.Lock(b.at(name)) }
func (b below) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	return b.fsys.OpenFile(b.at(name), flag, perm)
}
