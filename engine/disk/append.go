package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// An Appender adds to the end of one file. What Append has returned from
// without an error is on disk.
type Appender struct {
	path   string
	file   File
	size   int64 // of what is known to be good
	broken error // why nothing can be appended any more
}

// OpenAppender opens a regular file for appending behind its first size bytes,
// and cuts off what follows them. A file that is not there is created with
// mode, and its entry put on disk.
func OpenAppender(fsys FS, path string, size int64, mode fs.FileMode) (*Appender, error) {
	create := false
	info, err := regular(fsys, path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && size == 0:
		create = true
	case err != nil:
		return nil, fmt.Errorf("append: %w", err)
	case info.Size() < size:
		return nil, fmt.Errorf("append to %s: the file holds %d bytes and should hold %d; it was changed meanwhile", path, info.Size(), size)
	}
	f, err := fsys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, mode)
	if err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	a := &Appender{path: path, file: f, size: size}
	if create {
		err = fsys.SyncDir(filepath.Dir(path))
	} else if info.Size() > size {
		err = a.cut()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("append to %s: %w", path, err), f.Close())
	}
	return a, nil
}

// Append writes data behind everything that was appended before, and puts it
// on disk. After an error the file ends where it ended before, as far as that
// could be brought about; where it could not, or where the system failed to
// say whether the data is on disk, every later call fails too.
func (a *Appender) Append(data []byte) error {
	if a.broken != nil {
		return fmt.Errorf("append to %s: an earlier write failed, open the file again: %w", a.path, a.broken)
	}
	if _, err := a.file.Write(data); err != nil {
		if cutErr := a.cut(); cutErr != nil {
			a.broken = err
		}
		return fmt.Errorf("append to %s: %w%s", a.path, err, mend(err))
	}
	if err := a.file.Sync(); err != nil {
		// A second fsync may report success for data that the first one lost.
		a.broken = err
		_ = a.cut()
		return fmt.Errorf("append to %s: %w", a.path, err)
	}
	a.size += int64(len(data))
	return nil
}

// Size returns how many bytes of the file are known to be on disk.
func (a *Appender) Size() int64 { return a.size }

// Close closes the file.
func (a *Appender) Close() error { return a.file.Close() }

func (a *Appender) cut() error {
	return errors.Join(a.file.Truncate(a.size), a.file.Sync())
}
