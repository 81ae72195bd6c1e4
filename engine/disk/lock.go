package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// LockSuffix ends the name of every lock file, so that one left behind by a
// crash is known for what it is, and can be ignored by git. A file that is left
// locks nothing: the lock is the system's, and ends with the process.
const LockSuffix = ".docket-lock"

type osLock struct {
	flock *flock.Flock
}

func lockFile(name string) (Lock, error) {
	// The holder removes the file when it lets go, so a lock may turn out to be
	// on a file that is no longer there. Then another attempt is due.
	for range 100 {
		if _, err := regular(OS{}, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("lock: %w", err)
		}
		l := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))
		locked, err := l.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w%s", name, err, mend(err))
		}
		if !locked {
			return nil, &HeldError{Path: name, PID: holder(name)}
		}
		if current(l, name) {
			// Only for the message to others, so that an error costs nothing
			// but that. Windows lets nobody read it while the lock is held.
			_ = os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
			return &osLock{l}, nil
		}
		if err := l.Unlock(); err != nil {
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
	}
	return nil, fmt.Errorf("lock %s: other processes take and leave it all the time; try again", name)
}

// current reports whether the locked file is the one at name.
func current(l *flock.Flock, name string) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(name)
	return err == nil && os.SameFile(held, there)
}

// holder returns the process id in a lock file, 0 where there is none yet.
func holder(name string) int {
	text, err := os.ReadFile(name)
	if err != nil || len(text) > 20 {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}

// Release lets go of the lock. A second call does nothing.
func (l *osLock) Release() error {
	if !l.flock.Locked() {
		return nil
	}
	if removesOpenFiles {
		// Before the lock ends, so that nobody else's file is removed.
		if err := os.Remove(l.flock.Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("unlock: %w", err), l.flock.Unlock())
		}
	}
	if err := l.flock.Unlock(); err != nil {
		return fmt.Errorf("unlock %s: %w", l.flock.Path(), err)
	}
	return nil
}
