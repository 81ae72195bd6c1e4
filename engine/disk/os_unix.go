//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const noFollow = syscall.O_NOFOLLOW

// syncDir passes over file systems that have no fsync of a folder and say so:
// there is nothing more that could be done on them.
func syncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}

// noLinks reports whether an error of Link says that the file system has no
// hard links: Linux says EPERM on FAT.
func noLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EMLINK)
}

// removesOpenFiles says that a lock file can be removed while it is locked.
const removesOpenFiles = true
