package disktest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/disk"
)

// Mirror makes each call on a real folder and on a Memory of it, so that what
// reads the folder by other ways sees what was written, and a loss of power can
// be played on it. An fsync, which costs most, is made on the Memory alone. Use
// NewMirror.
type Mirror struct {
	root   string
	memory *Memory
}

// NewMirror returns a file system over what lies below root, all of it on disk.
func NewMirror(root string) (*Mirror, error) {
	m := &Mirror{root: root, memory: NewMemory(root)}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		n := &node{mode: fs.ModeDir | 0o755}
		if !d.IsDir() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n = &node{mode: 0o644, data: data, onDisk: data}
		}
		m.memory.entries[path], m.memory.onDisk[path] = n, n
		return nil
	})
	return m, err
}

// PowerLoss takes from the folder what was not on disk.
func (m *Mirror) PowerLoss(loss Loss) error {
	before := m.below()
	m.memory.PowerLoss(loss)
	var failed error
	slices.Reverse(before) // what lies in a folder before the folder
	for _, path := range before {
		if m.memory.entries[path] == nil {
			failed = errors.Join(failed, os.RemoveAll(path))
		}
	}
	for _, path := range m.below() {
		n := m.memory.entries[path]
		if n.mode.IsDir() {
			failed = errors.Join(failed, os.MkdirAll(path, 0o755))
			continue
		}
		failed = errors.Join(failed, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, n.data, 0o644))
	}
	return failed
}

// Wrote says that a file got its entry, or content, by other ways, and that
// nothing of it was put on disk.
func (m *Mirror) Wrote(path string) {
	m.adopt(filepath.Dir(path))
	m.memory.mu.Lock()
	defer m.memory.mu.Unlock()
	if m.memory.entries[path] == nil {
		m.memory.entries[path] = &node{mode: 0o644}
	}
}

// Synced says that a file's content was put on disk by other ways.
func (m *Mirror) Synced(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	m.Wrote(path)
	m.memory.mu.Lock()
	defer m.memory.mu.Unlock()
	m.memory.entries[path].data, m.memory.entries[path].onDisk = data, data
	return nil
}

// Removed says that a file was removed by other ways.
func (m *Mirror) Removed(path string) {
	m.memory.mu.Lock()
	defer m.memory.mu.Unlock()
	delete(m.memory.entries, path)
}

// below returns the paths of all entries below the root, sorted.
func (m *Mirror) below() []string {
	var paths []string
	for path := range m.memory.entries {
		if strings.HasPrefix(path, m.root+string(filepath.Separator)) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Lstat implements disk.FS.
func (m *Mirror) Lstat(name string) (fs.FileInfo, error) { return disk.OS{}.Lstat(name) }

// ReadDir implements disk.FS.
func (m *Mirror) ReadDir(name string) ([]fs.DirEntry, error) { return disk.OS{}.ReadDir(name) }

// Lock implements disk.FS. The files of locks are not mirrored.
func (m *Mirror) Lock(name string) (disk.Lock, error) { return disk.OS{}.Lock(name) }

// OpenFile implements disk.FS.
func (m *Mirror) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	real, err := disk.OS{}.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	m.adopt(filepath.Dir(name))
	copied, err := m.memory.OpenFile(name, flag, perm)
	if err != nil {
		return nil, errors.Join(err, real.Close())
	}
	return &mirrorFile{real, copied}, nil
}

// Mkdir implements disk.FS.
func (m *Mirror) Mkdir(name string, perm fs.FileMode) error {
	m.adopt(filepath.Dir(name))
	return both(disk.OS{}.Mkdir(name, perm), func() error { return m.memory.Mkdir(name, perm) })
}

// Link implements disk.FS.
func (m *Mirror) Link(oldname, newname string) error {
	return both(disk.OS{}.Link(oldname, newname), func() error { return m.memory.Link(oldname, newname) })
}

// Rename implements disk.FS.
func (m *Mirror) Rename(oldname, newname string) error {
	return both(disk.OS{}.Rename(oldname, newname), func() error { return m.memory.Rename(oldname, newname) })
}

// Remove implements disk.FS.
func (m *Mirror) Remove(name string) error {
	return both(disk.OS{}.Remove(name), func() error { return m.memory.Remove(name) })
}

// SyncDir implements disk.FS.
func (m *Mirror) SyncDir(name string) error {
	m.adopt(name)
	return m.memory.SyncDir(name)
}

// adopt takes folders that were made by other ways into the copy, as on disk.
func (m *Mirror) adopt(folder string) {
	m.memory.mu.Lock()
	defer m.memory.mu.Unlock()
	for at := filepath.Clean(folder); m.memory.entries[at] == nil && strings.HasPrefix(at, m.root); at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err != nil || !info.IsDir() {
			return
		}
		n := &node{mode: fs.ModeDir | 0o755}
		m.memory.entries[at], m.memory.onDisk[at] = n, n
	}
}

// both makes a call on the copy where it was made on the folder.
func both(real error, copied func() error) error {
	if real != nil {
		return real
	}
	return copied()
}

// A mirrorFile reads from the folder and writes to both.
type mirrorFile struct {
	disk.File
	copied disk.File
}

func (f *mirrorFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if err == nil {
		_, err = f.copied.Write(p)
	}
	return n, err
}

func (f *mirrorFile) Truncate(size int64) error {
	return both(f.File.Truncate(size), func() error { return f.copied.Truncate(size) })
}

func (f *mirrorFile) Sync() error { return f.copied.Sync() }
