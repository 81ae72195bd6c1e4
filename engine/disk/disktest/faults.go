// Package disktest holds file systems for tests of what docket leaves on a
// disk: Faults fails, or ends the process, at a chosen system call; Memory
// forgets what was not put on disk when the power goes.
//
// Only tests import it.
package disktest

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"docket/engine/disk"
)

// ErrCrashed is what every call returns after a crash that left the process
// alive.
var ErrCrashed = errors.New("the machine has crashed")

// A Call is one system call that is about to be made.
type Call struct {
	N int // from 1, over all calls on one Faults
	// Op is the method's name, as in "Rename" or "File.Sync"; "Create" is OpenFile
	// with leave to make the file.
	Op   string
	Path string
}

// Changes reports whether the call may change what a folder on a disk for reading
// refuses to have changed.
func (c Call) Changes() bool {
	return slices.Contains([]string{"Create", "Mkdir", "Link", "Rename", "Remove", "File.Write", "File.Truncate", "Lock"}, c.Op)
}

// A Fault is what happens instead of a call. The zero Fault is none.
type Fault struct {
	// Err is returned by the call, which has no effect. A write has taken half
	// of its data.
	Err error
	// After lets the call have its effect before Err is returned.
	After bool
	// Crash makes this call and every later one fail with ErrCrashed and have
	// no effect, as if the process had been killed here: what the disk holds
	// is what a killed process would leave.
	Crash bool
	// Kill ends the process, as SIGKILL does. A write has taken half of its
	// data.
	Kill bool
}

// Faults passes calls on to another file system, after asking Plan.
type Faults struct {
	FS disk.FS
	// Plan decides over each call; nil lets all pass.
	Plan func(Call) Fault

	mu      sync.Mutex
	calls   []Call
	crashed bool
}

// At returns a plan with one fault at the nth call.
func At(n int, fault Fault) func(Call) Fault {
	return func(c Call) Fault {
		if c.N == n {
			return fault
		}
		return Fault{}
	}
}

// Calls returns the calls so far.
func (f *Faults) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Call(nil), f.calls...)
}

// Do makes one call, or not; also one that goes by other ways than an FS. Half, where there is
// one, is the part of it that happens before a fault.
func (f *Faults) Do(op, path string, call func() error, half func()) error {
	f.mu.Lock()
	if f.crashed {
		f.mu.Unlock()
		return ErrCrashed
	}
	c := Call{N: len(f.calls) + 1, Op: op, Path: path}
	f.calls = append(f.calls, c)
	var fault Fault
	if f.Plan != nil {
		fault = f.Plan(c)
	}
	f.crashed = fault.Crash
	f.mu.Unlock()
	if half != nil && (fault.Err != nil && !fault.After || fault.Kill || fault.Crash) {
		half()
	}
	switch {
	case fault.Kill:
		kill()
	case fault.Crash:
		return ErrCrashed
	case fault.Err != nil && fault.After:
		return errors.Join(call(), fault.Err)
	case fault.Err != nil:
		return &fs.PathError{Op: op, Path: path, Err: fault.Err}
	}
	return call()
}

func kill() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	select {} // until the signal has arrived
}

// Lstat implements disk.FS.
func (f *Faults) Lstat(name string) (info fs.FileInfo, err error) {
	err = f.Do("Lstat", name, func() (err error) { info, err = f.FS.Lstat(name); return err }, nil)
	return info, err
}

// ReadDir implements disk.FS.
func (f *Faults) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = f.Do("ReadDir", name, func() (err error) { entries, err = f.FS.ReadDir(name); return err }, nil)
	return entries, err
}

// OpenFile implements disk.FS.
func (f *Faults) OpenFile(name string, flag int, perm fs.FileMode) (file disk.File, err error) {
	op := "OpenFile"
	if flag&os.O_CREATE != 0 {
		op = "Create"
	}
	err = f.Do(op, name, func() error {
		opened, err := f.FS.OpenFile(name, flag, perm)
		if err == nil {
			file = &faultyFile{f, opened, name}
		}
		return err
	}, nil)
	if err != nil && file != nil {
		_ = file.Close()
		file = nil
	}
	return file, err
}

// Mkdir implements disk.FS.
func (f *Faults) Mkdir(name string, perm fs.FileMode) error {
	return f.Do("Mkdir", name, func() error { return f.FS.Mkdir(name, perm) }, nil)
}

// Link implements disk.FS.
func (f *Faults) Link(oldname, newname string) error {
	return f.Do("Link", newname, func() error { return f.FS.Link(oldname, newname) }, nil)
}

// Rename implements disk.FS.
func (f *Faults) Rename(oldname, newname string) error {
	return f.Do("Rename", newname, func() error { return f.FS.Rename(oldname, newname) }, nil)
}

// Remove implements disk.FS.
func (f *Faults) Remove(name string) error {
	return f.Do("Remove", name, func() error { return f.FS.Remove(name) }, nil)
}

// SyncDir implements disk.FS.
func (f *Faults) SyncDir(name string) error {
	return f.Do("SyncDir", name, func() error { return f.FS.SyncDir(name) }, nil)
}

// Lock implements disk.FS. The system lets go of a crashed process's locks.
func (f *Faults) Lock(name string) (lock disk.Lock, err error) {
	err = f.Do("Lock", name, func() (err error) { lock, err = f.FS.Lock(name); return err }, nil)
	if err != nil {
		if lock != nil {
			_ = lock.Release() // nobody is left to do it
		}
		return nil, err
	}
	return &faultyLock{f, lock}, nil
}

type faultyLock struct {
	on   *Faults
	lock disk.Lock
}

func (l *faultyLock) Release() error {
	err := l.on.Do("Lock.Release", "", l.lock.Release, nil)
	_ = l.lock.Release() // in a crash the system does it
	return err
}

type faultyFile struct {
	on   *Faults
	file disk.File
	name string
}

func (f *faultyFile) Read(p []byte) (n int, err error) {
	err = f.on.Do("File.Read", f.name, func() (err error) { n, err = f.file.Read(p); return err }, nil)
	return n, err
}

func (f *faultyFile) Write(p []byte) (n int, err error) {
	err = f.on.Do("File.Write", f.name,
		func() (err error) { n, err = f.file.Write(p); return err },
		func() { n, _ = f.file.Write(p[:len(p)/2]) })
	return n, err
}

func (f *faultyFile) Stat() (info fs.FileInfo, err error) {
	err = f.on.Do("File.Stat", f.name, func() (err error) { info, err = f.file.Stat(); return err }, nil)
	return info, err
}

func (f *faultyFile) Chmod(mode fs.FileMode) error {
	return f.on.Do("File.Chmod", f.name, func() error { return f.file.Chmod(mode) }, nil)
}

func (f *faultyFile) Truncate(size int64) error {
	return f.on.Do("File.Truncate", f.name, func() error { return f.file.Truncate(size) }, nil)
}

func (f *faultyFile) Sync() error {
	return f.on.Do("File.Sync", f.name, f.file.Sync, nil)
}

func (f *faultyFile) Close() error {
	err := f.on.Do("File.Close", f.name, f.file.Close, nil)
	if err != nil {
		_ = f.file.Close() // the test's own process must not run out of files
	}
	return err
}
