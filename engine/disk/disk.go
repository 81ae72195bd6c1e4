// Package disk puts bytes on a disk so that a crash, at any moment, leaves the
// old file or the new one and never a third: a temporary file in the same
// folder, its fsync, a rename, the folder's fsync.
//
// The package refuses to write through a symbolic link or over anything but a
// regular file, and to report a write as done before the system says that it
// is on disk. It knows nothing of what the bytes mean.
//
// Every system call goes through FS, so that a test can fail, or end the
// process, between any two of them. Package disktest holds such file systems.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// FS is what docket asks of a file system: one method for each system call
// that writing needs. Errors are those of package os.
type FS interface {
	Lstat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	// OpenFile follows no symbolic link in the last element of name, where the
	// system can be asked for that.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Mkdir(name string, perm fs.FileMode) error
	Link(oldname, newname string) error
	Rename(oldname, newname string) error
	Remove(name string) error
	// SyncDir puts the folder's entries on disk.
	SyncDir(name string) error
	// Lock takes the exclusive lock that the file name stands for, creating the
	// file, or fails at once with a *HeldError. The system lets go of the lock
	// when the process ends, however it ends.
	Lock(name string) (Lock, error)
}

// A File is an open file of an FS.
type File interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Truncate(size int64) error
	Sync() error
}

// A Lock is held until it is released.
type Lock interface {
	Release() error
}

// A HeldError says that another process, or another part of this one, holds a
// lock.
type HeldError struct {
	Path string // of the lock file
	PID  int    // of the holder; 0 where it could not be read
}

// Error names the holder as far as it is known.
func (e *HeldError) Error() string {
	switch e.PID {
	case 0:
		return fmt.Sprintf("another docket is at work here (%s is locked); wait for it or close it", e.Path)
	case os.Getpid():
		return fmt.Sprintf("this docket is at work here already (%s is locked)", e.Path)
	}
	return fmt.Sprintf("another docket, process %d, is at work here (%s is locked); wait for it or close it", e.PID, e.Path)
}

// Read returns the content of a regular file. It refuses links, other kinds of
// files, and more than limit bytes.
func Read(fsys FS, path string, limit int64) ([]byte, error) {
	if _, err := regular(fsys, path); err != nil {
		return nil, err
	}
	f, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s holds %d bytes, more than the %d that docket reads", path, info.Size(), limit)
	}
	// One byte more than the size, to see the end without a second buffer.
	data := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", path, err)
		case int64(len(data)) > limit:
			return nil, fmt.Errorf("%s grew past the %d bytes that docket reads", path, limit)
		case len(data) == cap(data): // the file grew while it was read
			data = append(data, 0)[:len(data)]
		}
	}
}

// regular returns what is at path, and refuses anything but a regular file.
func regular(fsys FS, path string) (fs.FileInfo, error) {
	info, err := fsys.Lstat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a symbolic link; docket follows none here", path)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, not a file", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return info, nil
}
