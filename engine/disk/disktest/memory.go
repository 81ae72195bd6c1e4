package disktest

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/engine/disk"
)

// Memory is a file system that keeps apart what programs see and what is on
// the disk. A file's content gets there by its Sync, a folder's entries by
// SyncDir. Use NewMemory.
type Memory struct {
	mu      sync.Mutex
	entries map[string]*node // what programs see, by clean path
	onDisk  map[string]*node
	locks   map[string]bool
}

type node struct {
	mode   fs.FileMode
	data   []byte
	onDisk []byte
}

// NewMemory returns an empty file system with these folders, on disk.
func NewMemory(folders ...string) *Memory {
	m := &Memory{entries: map[string]*node{}, onDisk: map[string]*node{}, locks: map[string]bool{}}
	for _, folder := range folders {
		for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
			m.entries[at] = &node{mode: fs.ModeDir | 0o755}
			m.onDisk[at] = m.entries[at]
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return m
}

// A Loss says what the power took. What was put on disk is always there.
type Loss int

const (
	// LosesEntries keeps no entry of a folder that was not put on disk.
	LosesEntries Loss = iota
	// LosesContent keeps the entries, and no content that was not put on disk:
	// the order in which some file systems write.
	LosesContent
)

// PowerLoss takes what was not on disk, and every lock.
func (m *Memory) PowerLoss(loss Loss) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if loss == LosesEntries {
		m.entries = map[string]*node{}
		for path, n := range m.onDisk {
			m.entries[path] = n
		}
	} else {
		m.onDisk = map[string]*node{}
		for path, n := range m.entries {
			m.onDisk[path] = n
		}
	}
	for _, n := range m.entries {
		n.data = slices.Clone(n.onDisk)
	}
	m.locks = map[string]bool{}
}

func fail(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// parent checks that name can be created.
func (m *Memory) parent(op, name string) error {
	if n := m.entries[filepath.Dir(name)]; n == nil || !n.mode.IsDir() {
		return fail(op, name, fs.ErrNotExist)
	}
	return nil
}

// Lstat implements disk.FS.
func (m *Memory) Lstat(name string) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.entries[filepath.Clean(name)]
	if n == nil {
		return nil, fail("lstat", name, fs.ErrNotExist)
	}
	return info{filepath.Base(name), n.mode, int64(len(n.data))}, nil
}

// ReadDir implements disk.FS.
func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = filepath.Clean(name)
	if m.entries[name] == nil {
		return nil, fail("readdir", name, fs.ErrNotExist)
	}
	var entries []fs.DirEntry
	for path, n := range m.entries {
		if filepath.Dir(path) == name && path != name {
			entries = append(entries, fs.FileInfoToDirEntry(info{filepath.Base(path), n.mode, int64(len(n.data))}))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// OpenFile implements disk.FS.
func (m *Memory) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = filepath.Clean(name)
	n := m.entries[name]
	switch {
	case n == nil && flag&os.O_CREATE == 0:
		return nil, fail("open", name, fs.ErrNotExist)
	case n != nil && flag&os.O_EXCL != 0:
		return nil, fail("open", name, fs.ErrExist)
	case n != nil && n.mode.IsDir():
		return nil, fail("open", name, fmt.Errorf("it is a folder"))
	case n == nil:
		if err := m.parent("open", name); err != nil {
			return nil, err
		}
		n = &node{mode: perm}
		m.entries[name] = n
	case flag&os.O_TRUNC != 0:
		n.data = nil
	}
	return &memoryFile{on: m, node: n, name: name}, nil
}

// Mkdir implements disk.FS.
func (m *Memory) Mkdir(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = filepath.Clean(name)
	if m.entries[name] != nil {
		return fail("mkdir", name, fs.ErrExist)
	}
	if err := m.parent("mkdir", name); err != nil {
		return err
	}
	m.entries[name] = &node{mode: fs.ModeDir | perm}
	return nil
}

// Link implements disk.FS.
func (m *Memory) Link(oldname, newname string) error {
	return m.move("link", oldname, newname, false)
}

// Rename implements disk.FS.
func (m *Memory) Rename(oldname, newname string) error {
	return m.move("rename", oldname, newname, true)
}

func (m *Memory) move(op, oldname, newname string, rename bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	oldname, newname = filepath.Clean(oldname), filepath.Clean(newname)
	n := m.entries[oldname]
	switch {
	case n == nil:
		return fail(op, oldname, fs.ErrNotExist)
	case !rename && m.entries[newname] != nil:
		return fail(op, newname, fs.ErrExist)
	}
	if err := m.parent(op, newname); err != nil {
		return err
	}
	m.entries[newname] = n
	if rename {
		delete(m.entries, oldname)
	}
	return nil
}

// Remove implements disk.FS.
func (m *Memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = filepath.Clean(name)
	if m.entries[name] == nil {
		return fail("remove", name, fs.ErrNotExist)
	}
	delete(m.entries, name)
	return nil
}

// SyncDir implements disk.FS.
func (m *Memory) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = filepath.Clean(name)
	if m.entries[name] == nil {
		return fail("sync", name, fs.ErrNotExist)
	}
	for path := range m.onDisk {
		if filepath.Dir(path) == name && path != name {
			delete(m.onDisk, path)
		}
	}
	for path, n := range m.entries {
		if filepath.Dir(path) == name {
			m.onDisk[path] = n
		}
	}
	return nil
}

// Lock implements disk.FS.
func (m *Memory) Lock(name string) (disk.Lock, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.parent("lock", filepath.Clean(name)); err != nil {
		return nil, err
	}
	if m.locks[name] {
		return nil, &disk.HeldError{Path: name, PID: os.Getpid()}
	}
	m.locks[name] = true
	return &memoryLock{m, name}, nil
}

type memoryLock struct {
	on   *Memory
	name string
}

func (l *memoryLock) Release() error {
	l.on.mu.Lock()
	defer l.on.mu.Unlock()
	delete(l.on.locks, l.name)
	return nil
}

// A memoryFile writes at the end of its file, as docket always does.
type memoryFile struct {
	on   *Memory
	node *node
	name string
	read int
}

func (f *memoryFile) Read(p []byte) (int, error) {
	f.on.mu.Lock()
	defer f.on.mu.Unlock()
	if f.read >= len(f.node.data) {
		return 0, io.EOF
	}
	n := copy(p, f.node.data[f.read:])
	f.read += n
	return n, nil
}

func (f *memoryFile) Write(p []byte) (int, error) {
	f.on.mu.Lock()
	defer f.on.mu.Unlock()
	f.node.data = append(f.node.data, p...)
	return len(p), nil
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.on.Lstat(f.name) }

func (f *memoryFile) Chmod(mode fs.FileMode) error {
	f.on.mu.Lock()
	defer f.on.mu.Unlock()
	f.node.mode = mode
	return nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.on.mu.Lock()
	defer f.on.mu.Unlock()
	f.node.data = slices.Clone(f.node.data[:size])
	return nil
}

func (f *memoryFile) Sync() error {
	f.on.mu.Lock()
	defer f.on.mu.Unlock()
	f.node.onDisk = slices.Clone(f.node.data)
	return nil
}

func (f *memoryFile) Close() error { return nil }

type info struct {
	name string
	mode fs.FileMode
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
