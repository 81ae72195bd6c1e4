// Package resultstest breaks the system calls that SQLite makes for a results
// store, as package disktest breaks those that docket makes itself: a write, a
// truncation, an fsync, a removal, the making of a file.
//
// It stands between SQLite and the system in the whole process, and lets all
// pass but what lies below a folder that a test named. Only tests import it.
package resultstest

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"docket/engine/disk/disktest"
)

// Beside makes the calls of stores below dir pass through faults, and tells the
// mirror what was put on disk, until the function that it returns is called.
func Beside(dir string, faults *disktest.Faults, mirror *disktest.Mirror) (undo func()) {
	install()
	w := &watched{dir + string(filepath.Separator), faults, mirror}
	between.mu.Lock()
	defer between.mu.Unlock()
	between.folders = append(between.folders, w)
	return func() {
		between.mu.Lock()
		defer between.mu.Unlock()
		for i, other := range between.folders {
			if other == w {
				between.folders = append(between.folders[:i:i], between.folders[i+1:]...)
				return
			}
		}
	}
}

type watched struct {
	below  string
	faults *disktest.Faults
	mirror *disktest.Mirror
}

// A layer stands between SQLite and the system. It is one for the process, as
// the table that SQLite has of its system is.
type layer struct {
	once   sync.Once
	open   openFunc // SQLite's own
	remove removeFunc

	mu      sync.Mutex
	folders []*watched
	files   map[uintptr]openFile // by the address that SQLite has of them
	patched map[uintptr]uintptr  // what takes the place of a table of SQLite's own, by address
}

type methods = sqlite3.Tsqlite3_io_methods

// An openFile is a file of a folder that is watched.
type openFile struct {
	path string
	own  *methods // SQLite's, of which those of databases differ from those of journals
}

var between = layer{files: map[uintptr]openFile{}, patched: map[uintptr]uintptr{}}

type (
	openFunc     = func(tls *libc.TLS, vfs, path, file uintptr, flags int32, out uintptr) int32
	removeFunc   = func(tls *libc.TLS, vfs, path uintptr, andFolder int32) int32
	writeFunc    = func(tls *libc.TLS, file, data uintptr, n int32, at int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     = func(tls *libc.TLS, file uintptr, flags int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
)

// at is the value that C has at an address.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// function is the Go function that a pointer to a function of C means.
func function[F any](pointer uintptr) F {
	return *(*F)(unsafe.Pointer(&struct{ uintptr }{pointer}))
}

// pointer is the reverse of function, for functions that are never freed.
func pointer[F any](f *F) uintptr { return *(*uintptr)(unsafe.Pointer(f)) }

// The functions that take the place of SQLite's, where they stay for good.
var (
	opens     openFunc     = (&between).opened
	removes   removeFunc   = (&between).removed
	writes    writeFunc    = (&between).written
	truncates truncateFunc = (&between).truncated
	syncs     syncFunc     = (&between).synced
	closes    closeFunc    = (&between).closed
)

// install puts the layer in.
func install() {
	between.once.Do(func() {
		tls := libc.NewTLS()
		defer tls.Close()
		sqlite3.Xsqlite3_initialize(tls)
		vfs := at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
		between.open, between.remove = function[openFunc](vfs.FxOpen), function[removeFunc](vfs.FxDelete)
		vfs.FxOpen, vfs.FxDelete = pointer(&opens), pointer(&removes)
	})
}

// of finds who watches a path.
func (l *layer) of(path string) *watched {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.folders {
		if strings.HasPrefix(path, w.below) {
			return w
		}
	}
	return nil
}

func (l *layer) file(file uintptr) (openFile, *watched) {
	l.mu.Lock()
	f := l.files[file]
	l.mu.Unlock()
	return f, l.of(f.path)
}

// failure is the code by which SQLite calls what went wrong.
func failure(err error, code int32) int32 {
	switch {
	case err == nil:
		return sqlite3.SQLITE_OK
	case errors.Is(err, syscall.ENOSPC) && code == sqlite3.SQLITE_IOERR_WRITE:
		return sqlite3.SQLITE_FULL
	}
	return code
}

// A refusal is the code of a call that SQLite's own function failed.
type refusal int32

// Error says nothing, since nobody sees it.
func (refusal) Error() string { return "refused" }

// do makes a call through the faults of a folder.
func (w *watched) do(op, path string, code int32, call func() int32, half func()) int32 {
	err := w.faults.Do(op, path, func() error {
		if rc := call(); rc != sqlite3.SQLITE_OK {
			return refusal(rc)
		}
		return nil
	}, half)
	var own refusal
	if errors.As(err, &own) {
		return int32(own)
	}
	return failure(err, code)
}

func (l *layer) opened(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	path := ""
	if name != 0 {
		path = libc.GoString(name)
	}
	w := l.of(path)
	if w == nil {
		return l.open(tls, vfs, name, file, flags, out)
	}
	op := "OpenFile"
	if flags&sqlite3.SQLITE_OPEN_CREATE != 0 {
		op = "Create"
	}
	ok := false
	rc := w.do(op, path, sqlite3.SQLITE_CANTOPEN, func() int32 {
		rc := l.open(tls, vfs, name, file, flags, out)
		ok = rc == sqlite3.SQLITE_OK
		return rc
	}, nil)
	table := &at[sqlite3.Tsqlite3_file](file).FpMethods
	if rc != sqlite3.SQLITE_OK {
		if ok {
			function[closeFunc](at[methods](*table).FxClose)(tls, file)
		}
		*table = 0 // SQLite closes what has methods
		return rc
	}
	if op == "Create" {
		w.mirror.Wrote(path)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	own := at[methods](*table)
	patched := l.patched[*table]
	if patched == 0 {
		// In SQLite's memory, where it looks for its own, and never freed.
		patched = sqlite3.Xsqlite3_malloc(tls, int32(unsafe.Sizeof(*own)))
		with := at[methods](patched)
		*with = *own
		with.FxWrite, with.FxTruncate, with.FxSync, with.FxClose = pointer(&writes), pointer(&truncates), pointer(&syncs), pointer(&closes)
		l.patched[*table] = patched
	}
	l.files[file] = openFile{path, own}
	*table = patched
	return rc
}

func (l *layer) removed(tls *libc.TLS, vfs, name uintptr, andFolder int32) int32 {
	path := libc.GoString(name)
	w := l.of(path)
	if w == nil {
		return l.remove(tls, vfs, name, andFolder)
	}
	return w.do("Remove", path, sqlite3.SQLITE_IOERR_DELETE, func() int32 {
		rc := l.remove(tls, vfs, name, andFolder)
		if rc == sqlite3.SQLITE_OK {
			w.mirror.Removed(path)
			if andFolder != 0 {
				return w.syncDir(path)
			}
		}
		return rc
	}, nil)
}

func (l *layer) written(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	f, w := l.file(file)
	write := function[writeFunc](f.own.FxWrite)
	if w == nil {
		return write(tls, file, data, n, offset)
	}
	return w.do("File.Write", f.path, sqlite3.SQLITE_IOERR_WRITE,
		func() int32 { return write(tls, file, data, n, offset) },
		func() { write(tls, file, data, n/2, offset) })
}

func (l *layer) truncated(tls *libc.TLS, file uintptr, size int64) int32 {
	f, w := l.file(file)
	truncate := function[truncateFunc](f.own.FxTruncate)
	if w == nil {
		return truncate(tls, file, size)
	}
	return w.do("File.Truncate", f.path, sqlite3.SQLITE_IOERR_TRUNCATE, func() int32 { return truncate(tls, file, size) }, nil)
}

// synced puts a file on the disk of the mirror, and waits for no other.
func (l *layer) synced(tls *libc.TLS, file uintptr, flags int32) int32 {
	f, w := l.file(file)
	if w == nil {
		return function[syncFunc](f.own.FxSync)(tls, file, flags)
	}
	return w.do("File.Sync", f.path, sqlite3.SQLITE_IOERR_FSYNC, func() int32 {
		if w.mirror.Synced(f.path) != nil {
			return sqlite3.SQLITE_IOERR_FSYNC
		}
		// With the first fsync of a journal SQLite puts its entry on disk, too.
		if strings.HasSuffix(f.path, "-wal") || strings.HasSuffix(f.path, "-journal") {
			return w.syncDir(f.path)
		}
		return sqlite3.SQLITE_OK
	}, nil)
}

func (w *watched) syncDir(path string) int32 {
	if w.mirror.SyncDir(filepath.Dir(path)) != nil {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	return sqlite3.SQLITE_OK
}

func (l *layer) closed(tls *libc.TLS, file uintptr) int32 {
	l.mu.Lock()
	own := l.files[file].own
	delete(l.files, file)
	l.mu.Unlock()
	return function[closeFunc](own.FxClose)(tls, file)
}
