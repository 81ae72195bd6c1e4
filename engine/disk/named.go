package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"docket/engine/phrase"
)

// OpenNamed opens a file that a person named, on a command line say. It follows
// links, and refuses a folder, a pipe, which would block, a device, which may
// never end, and a file of more than limit bytes. Errors are sentences that
// begin with the path; what is missing stays recognisable as [fs.ErrNotExist].
func OpenNamed(path string, limit int64) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, cause(err))
	}
	switch {
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, not a file", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file but a pipe, a socket or a device; save what it says in a file", path)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s has %s; files of up to %s are read here, so split it, or leave out what is not needed", path, phrase.Size(info.Size()), phrase.Size(limit))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, cause(err))
	}
	return f, nil
}

// ReadNamed returns the content of a file that [OpenNamed] opens.
func ReadNamed(path string, limit int64) ([]byte, error) {
	f, err := OpenNamed(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", path, cause(err))
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("%s grew past %s while it was read", path, phrase.Size(limit))
	}
	return data, nil
}

// cause drops the name of the system call and the path from an error that is
// quoted beside the path.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Relative spells a path below a folder as people type it: without the folder,
// and with slashes.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
