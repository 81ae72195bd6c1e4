package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"docket/engine/canonical"
	"docket/engine/disk"
)

// A Receipt says what a write did, counted in the file as it was read back
// from the disk.
type Receipt struct {
	// File is the baseline as read back; where nothing was written, as it was.
	File                     *File
	Added, Replaced, Removed int
	Untouched                int  // lines that are the same bytes before and after
	HeaderReplaced           bool // the baseline was captured anew
	Written                  bool // false where the edit changes nothing
}

// A ChangedError says that the file on disk is no longer the one that was
// read, so that nothing was written.
type ChangedError struct {
	Path     string
	Was, Is  string // hashes as of File.Hash; Is is "" where the file is gone
	Appeared bool   // a file that was to be new is there
}

// Error says what to do about it.
func (e *ChangedError) Error() string {
	switch {
	case e.Appeared:
		return fmt.Sprintf("%s has appeared meanwhile (it is %s); nothing was written, start again from it", e.Path, e.Is)
	case e.Is == "":
		return fmt.Sprintf("%s is gone; it was %s when it was read; nothing was written", e.Path, e.Was)
	}
	return fmt.Sprintf("%s was changed by somebody else: it was %s when it was read and is %s now; nothing was written, review again", e.Path, e.Was, e.Is)
}

// A Writer holds the lock of one baseline, so that no other docket writes it.
type Writer struct {
	fsys disk.FS
	path string
	lock disk.Lock
	file *File
}

// Lock takes the lock of the baseline at path and reads the file under it. It
// fails with a *disk.HeldError where another holds it. The file may be absent;
// its folder must not be.
func Lock(fsys disk.FS, path string) (*Writer, error) {
	if err := checkFolders(fsys, path); err != nil {
		return nil, err
	}
	lock, err := fsys.Lock(lockPath(path))
	if err != nil {
		return nil, fmt.Errorf("the baseline cannot be written: %w", err)
	}
	w := &Writer{fsys: fsys, path: path, lock: lock}
	if err := disk.Clean(fsys, path); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	w.file, err = Read(fsys, path)
	if err != nil && !isNotExist(err) {
		return nil, errors.Join(err, lock.Release())
	}
	return w, nil
}

func lockPath(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+disk.LockSuffix)
}

// File returns the baseline as it stands on disk, nil where there is none.
func (w *Writer) File() *File { return w.file }

// Close lets go of the lock.
func (w *Writer) Close() error { return w.lock.Release() }

// Write changes the file and reads it back. An edit that changes nothing
// writes nothing.
func (w *Writer) Write(e Edit) (Receipt, error) {
	old := w.file
	if old == nil {
		return Receipt{}, &ChangedError{Path: w.path}
	}
	lines, err := old.merge(e)
	if err != nil {
		return Receipt{}, err
	}
	header := old.HeaderBytes
	if e.Header != nil && !bytes.Equal(e.Header, header) {
		if err := old.checkHeader(e.Header); err != nil {
			return Receipt{}, err
		}
		header = e.Header
	} else if sameLines(old.Lines, lines) {
		return Receipt{File: old, Untouched: len(lines)}, nil
	}
	data := join(header, lines)
	if err := disk.Write(w.fsys, w.path, data, 0o644); err != nil {
		return Receipt{}, err
	}
	return w.verify(data)
}

// Create writes a first baseline.
func (w *Writer) Create(header []byte, lines map[string][]byte) (Receipt, error) {
	if w.file != nil {
		return Receipt{}, &ChangedError{Path: w.path, Is: w.file.Hash(), Appeared: true}
	}
	empty := &File{Path: w.path, sorted: true}
	merged, err := empty.merge(Edit{Replace: lines})
	if err != nil {
		return Receipt{}, err
	}
	data := join(header, merged)
	if _, err := Parse(w.path, data); err != nil {
		return Receipt{}, fmt.Errorf("the new baseline would not be valid: %w", err)
	}
	if err := disk.Create(w.fsys, w.path, data, 0o644); err != nil {
		return Receipt{}, err
	}
	w.file = empty
	return w.verify(data)
}

// verify reads the file back and counts in it what became of the old lines.
func (w *Writer) verify(want []byte) (Receipt, error) {
	file, err := Read(w.fsys, w.path)
	if err != nil {
		return Receipt{}, fmt.Errorf("the baseline was written and cannot be read back: %w", err)
	}
	if !bytes.Equal(file.data, want) {
		return Receipt{}, fmt.Errorf("the baseline was written and %s holds something else now (%s, not %s)", w.path, file.Hash(), canonical.HashBytes(want))
	}
	r := Receipt{File: file, Written: true, HeaderReplaced: !bytes.Equal(file.HeaderBytes, w.file.HeaderBytes)}
	kept := 0
	for at, line := range matched(w.file, file) {
		switch {
		case at < 0:
			r.Added++
		case bytes.Equal(w.file.Lines[at].Bytes, line):
			r.Untouched++
			kept++
		default:
			r.Replaced++
			kept++
		}
	}
	r.Removed = len(w.file.Lines) - kept
	w.file = file
	return r, nil
}

// matched yields, for each line of now, the index in before of the line with
// its id, -1 where there is none.
func matched(before, now *File) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		next := 0 // in before, as long as both are sorted
		for _, line := range now.Lines {
			at := -1
			if before.sorted {
				for next < len(before.Lines) && before.Lines[next].ID < line.ID {
					next++
				}
				if next < len(before.Lines) && before.Lines[next].ID == line.ID {
					at = next
				}
			} else if i, ok := before.Find(line.ID); ok {
				at = i
			}
			if !yield(at, line.Bytes) {
				return
			}
		}
	}
}

// Write changes the file on disk as Writer.Write does, under its lock, and
// only if it is still the one that was read: else the error is a *ChangedError
// with both hashes.
func (f *File) Write(fsys disk.FS, e Edit) (receipt Receipt, err error) {
	w, err := Lock(fsys, f.Path)
	if err != nil {
		return Receipt{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := f.Unchanged(w.File()); err != nil {
		return Receipt{}, err
	}
	return w.Write(e)
}

// Unchanged fails with a *ChangedError where now, which may be nil, is not the
// file that f was read from, byte for byte.
func (f *File) Unchanged(now *File) error {
	switch {
	case now == nil:
		return &ChangedError{Path: f.Path, Was: f.Hash()}
	case !bytes.Equal(f.data, now.data):
		return &ChangedError{Path: f.Path, Was: f.Hash(), Is: now.Hash()}
	}
	return nil
}

// Create writes the first baseline of a suite and mode below root, folders
// included, and fails with a *ChangedError where there is one.
func Create(fsys disk.FS, root string, header *Header, lines map[string][]byte) (receipt Receipt, err error) {
	path, err := Path(root, header.Suite, header.Mode)
	if err != nil {
		return Receipt{}, err
	}
	if err := disk.MakeFolders(fsys, root, filepath.Dir(path), 0o755); err != nil {
		return Receipt{}, err
	}
	w, err := Lock(fsys, path)
	if err != nil {
		return Receipt{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return w.Create(AppendHeader(nil, header), lines)
}
