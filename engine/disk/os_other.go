//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// noFollow is empty: the check before the open must do.
const noFollow = 0

// syncDir does nothing: Windows has no fsync of a folder, and its journal
// keeps renames in order.
func syncDir(string) error { return nil }

// noLinks reports whether an error of Link says that the file system has no
// hard links: Windows says ERROR_INVALID_FUNCTION on FAT.
func noLinks(err error) bool {
	const invalidFunction = syscall.Errno(1)
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) || errors.Is(err, invalidFunction)
}

// removesOpenFiles says that a lock file cannot be removed while it is locked.
const removesOpenFiles = false
