package disk

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// TempSuffix ends the name of every temporary file, so that one left behind by
// a crash is known for what it is, and can be ignored by git.
const TempSuffix = ".docket-tmp"

// Write puts data at path in place of what is there, atomically: after a crash
// the old content is there or the new one, and after Write has returned
// without an error it is the new one. A file that exists keeps its mode, a new
// one gets mode (less the process's umask). The folder must exist.
//
// An error says that the old content is still there, unless only the folder's
// fsync failed: then the new content is in place and may not survive a loss of
// power.
func Write(fsys FS, path string, data []byte, mode fs.FileMode) error {
	keep := false
	switch info, err := regular(fsys, path); {
	case err == nil:
		mode, keep = info.Mode().Perm(), true
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write: %w", err)
	}
	return place(fsys, path, data, mode, keep, fsys.Rename)
}

// Create puts data at path where nothing is, atomically: after a crash the
// whole file is there or none. Where something is there already the error is
// fs.ErrExist and nothing was written. The file gets mode, less the process's
// umask.
func Create(fsys FS, path string, data []byte, mode fs.FileMode) error {
	return create(fsys, path, data, mode, false)
}

// CreateAs is Create, and gives the file mode whatever the umask.
func CreateAs(fsys FS, path string, data []byte, mode fs.FileMode) error {
	return create(fsys, path, data, mode, true)
}

func create(fsys FS, path string, data []byte, mode fs.FileMode, chmod bool) error {
	// Looked at first only to spare the work; the link decides.
	switch _, err := fsys.Lstat(path); {
	case err == nil:
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("create: %w", err)
	}
	return place(fsys, path, data, mode, chmod, func(temp, path string) error {
		err := fsys.Link(temp, path)
		switch {
		case err == nil:
			_ = fsys.Remove(temp) // done is done: Clean takes what stays behind
			return nil
		case !noLinks(err):
			return err
		}
		// A file system without links, such as FAT: between these two calls
		// another process could still create the file, which callers that
		// compete rule out with a lock.
		if _, err := fsys.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
		}
		return fsys.Rename(temp, path)
	})
}

// place writes a temporary file and has move put it at path.
func place(fsys FS, path string, data []byte, mode fs.FileMode, chmod bool, move func(temp, path string) error) error {
	folder := filepath.Dir(path)
	temp := filepath.Join(folder, tempPrefix(path)+rand.Text()[:10]+TempSuffix)
	f, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write %s: %w%s", path, err, mend(err))
	}
	err = fill(f, data, mode, chmod)
	if err == nil {
		err = move(temp, path)
	}
	if err != nil {
		_ = fsys.Remove(temp) // the first error is the one to tell
		return fmt.Errorf("write %s: %w%s", path, err, mend(err))
	}
	if err := fsys.SyncDir(folder); err != nil {
		return fmt.Errorf("write %s: it is in place, but its folder could not be put on disk: %w", path, err)
	}
	return nil
}

// mend says what to do about an error of a write, "" where the system's own words
// must do.
func mend(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "; make room and say the same again"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return "; see who may write there"
	case errors.Is(err, syscall.EIO):
		return "; the disk fails, look at it before more is written"
	}
	return ""
}

func fill(f File, data []byte, mode fs.FileMode, chmod bool) error {
	_, err := f.Write(data)
	if err == nil && chmod { // a mode that the umask would narrow
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// tempPrefix begins the names of all temporary files of one path.
func tempPrefix(path string) string {
	base := filepath.Base(path)
	return "." + base[:min(len(base), 120)] + "."
}

// Clean removes the temporary files that crashes have left of path. The caller
// holds the lock under which path is written, for the files of a writer at
// work look the same.
func Clean(fsys FS, path string) error {
	folder := filepath.Dir(path)
	entries, err := fsys.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("clean %s: %w", folder, err)
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, tempPrefix(path)) || !strings.HasSuffix(name, TempSuffix) || !e.Type().IsRegular() {
			continue
		}
		// Another path may begin alike: a.jsonl and a.jsonl.b.
		middle := strings.TrimSuffix(name[len(tempPrefix(path)):], TempSuffix)
		if strings.Contains(middle, ".") {
			continue
		}
		if err := fsys.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clean %s: %w", folder, err)
		}
	}
	return nil
}

// CreateClean is Create under a lock of its own, beside the file, and takes what
// crashes have left of path: for files that no other lock guards. The error is a
// *HeldError where another process creates it at this moment.
func CreateClean(fsys FS, path string, data []byte, mode fs.FileMode) (err error) {
	lock, err := fsys.Lock(filepath.Join(filepath.Dir(path), "."+strings.TrimPrefix(filepath.Base(path), ".")+LockSuffix))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if err := Clean(fsys, path); err != nil {
		return err
	}
	return Create(fsys, path, data, mode)
}

// MakeFolders creates folder, and what is missing between root and it, each
// with mode, and puts every new entry on disk. Root must exist and contain
// folder. It refuses a link, or anything else that is no folder, on the way.
func MakeFolders(fsys FS, root, folder string, mode fs.FileMode) error {
	rel, err := filepath.Rel(root, folder)
	if err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("the folder %s does not lie below %s", folder, root)
	}
	at := root
	for _, name := range strings.Split(rel, string(filepath.Separator)) {
		parent := at
		at = filepath.Join(at, name)
		if name == "." {
			continue
		}
		info, err := fsys.Lstat(at)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a symbolic link; docket writes into real folders only", at)
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is in the way: a folder is needed there", at)
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("make folder: %w", err)
		}
		if err := fsys.Mkdir(at, mode); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make folder: %w%s", err, mend(err))
		}
		if err := fsys.SyncDir(parent); err != nil {
			return fmt.Errorf("make folder %s: %w", at, err)
		}
	}
	return nil
}

// MakeAll creates folder, and what is missing above it, each with mode, and puts
// every new entry on disk. Unlike MakeFolders it takes the folders that are
// there as they are, links among them: it is for a place that a person named.
func MakeAll(fsys FS, folder string, mode fs.FileMode) error {
	at := filepath.Clean(folder)
	for {
		info, err := fsys.Lstat(at)
		if err == nil && !info.IsDir() && info.Mode()&fs.ModeSymlink == 0 {
			return fmt.Errorf("%s is in the way: a folder is needed there", at)
		}
		if err == nil {
			break
		}
		parent := filepath.Dir(at)
		if !errors.Is(err, fs.ErrNotExist) || parent == at {
			return fmt.Errorf("make folder: %w", err)
		}
		at = parent
	}
	return MakeFolders(fsys, at, folder, mode)
}
