package migration

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"docket/engine/disk"
)

// maxFile is the size of the largest file that is read back.
const maxFile = 64 << 20

// A Written is what is on disk after a write, as read back from there.
type Written struct {
	Cases, Fixtures []string
	Contracts       []string
	Report, Log     string
	Records         Log // of this write
	All             Log // of every migration of the suite
}

// ReadLog reads the log of a suite; one that is not there is empty.
func ReadLog(fsys disk.FS, root string, t Target) (Log, error) {
	data, err := disk.Read(fsys, native(root, t.LogPath()), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ParseLog(t.LogPath(), data)
}

func native(root, name string) string { return filepath.Join(root, filepath.FromSlash(name)) }

// Write puts a work on disk: fixtures, cases, the contract, the report, and the
// log last, each whole or not at all. Nothing that is there is written over,
// but for the log and for a report that nobody edited. A write that was cut
// short is completed by the same write again, since a file that has the bytes it
// should have is left as it is, and what is not in the log counts as undecided.
func (w *Work) Write(fsys disk.FS, root string, t Target) (*Written, error) {
	if len(w.Troubles) > 0 {
		return nil, fmt.Errorf("nothing was written: %s", w.Troubles[0].Message)
	}
	lockFolder := native(root, t.Cases)
	if err := disk.MakeFolders(fsys, root, lockFolder, 0o755); err != nil {
		return nil, err
	}
	lock, err := fsys.Lock(native(root, t.LogPath()) + disk.LockSuffix)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	old, err := ReadLog(fsys, root, t)
	if err != nil {
		return nil, err
	}
	out := &Written{Report: t.ReportPath(1), Log: t.LogPath()}
	if err := w.Free(fsys, root); err != nil {
		return nil, err
	}
	if err := w.begin(fsys, root, t); err != nil {
		return nil, fmt.Errorf("nothing was written: %w", err)
	}
	for _, f := range w.Fixtures {
		if err := create(fsys, root, f); err != nil {
			return nil, err
		}
		out.Fixtures = append(out.Fixtures, f.Path)
	}
	for _, f := range w.Cases {
		if err := create(fsys, root, f); err != nil {
			return nil, err
		}
		out.Cases = append(out.Cases, f.Path)
	}
	for _, c := range w.Contracts {
		name, err := first(fsys, root, func(n int) string { return t.ContractPath(c.Of, n) }, c.YAML(), nil)
		if err != nil {
			return nil, err
		}
		out.Contracts = append(out.Contracts, name)
	}
	all := append(old[:len(old):len(old)], w.Records.without(old)...)
	if out.Report, err = first(fsys, root, t.ReportPath, all.Report(t.Suite), Sealed); err != nil {
		return nil, err
	}
	if err := disk.Clean(fsys, native(root, t.LogPath())); err != nil {
		return nil, err
	}
	if err := disk.Write(fsys, native(root, t.LogPath()), all.Append(nil), 0o644); err != nil {
		return nil, fmt.Errorf("%s was not written: %w", t.LogPath(), err)
	}
	if err := t.ended(fsys, root); err != nil {
		return nil, err
	}
	return out, w.readBack(fsys, root, t, out)
}

// without drops the records of tests that a log has.
func (l Log) without(known Log) Log {
	decided := known.Decided()
	var out Log
	for i := range l {
		if !decided(l[i].Test, l[i].Source) {
			out = append(out, l[i])
		}
	}
	return out
}

// Free refuses the whole write where a file of it is there with other bytes.
func (w *Work) Free(fsys disk.FS, root string) error {
	for _, f := range append(w.Fixtures[:len(w.Fixtures):len(w.Fixtures)], w.Cases...) {
		there, same, err := compare(fsys, root, f.Path, f.Data)
		switch {
		case err != nil:
			return err
		case there && !same:
			return fmt.Errorf("nothing was written: %s is there already and holds something else: give the case another id", f.Path)
		}
	}
	return nil
}

// compare looks at what lies at a path.
func compare(fsys disk.FS, root, name string, data []byte) (there, same bool, err error) {
	have, err := disk.Read(fsys, native(root, name), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	if err != nil {
		return true, false, fmt.Errorf("nothing was written over %s: %w", name, err)
	}
	return true, bytes.Equal(have, data), nil
}

// create writes a file that is not there yet.
func create(fsys disk.FS, root string, f File) error {
	there, same, err := compare(fsys, root, f.Path, f.Data)
	if err != nil || there && same {
		return err
	}
	if err := disk.MakeFolders(fsys, root, filepath.Dir(native(root, f.Path)), 0o755); err != nil {
		return err
	}
	if err := disk.Clean(fsys, native(root, f.Path)); err != nil {
		return err
	}
	if err := disk.Create(fsys, native(root, f.Path), f.Data, 0o644); err != nil {
		return fmt.Errorf("%s was not written: %w", f.Path, err)
	}
	return nil
}

// first writes data to the first of numbered paths that is free or holds the
// same already. Ours reports content that may be replaced; nil says that none
// may.
func first(fsys disk.FS, root string, name func(n int) string, data []byte, ours func([]byte) bool) (string, error) {
	for n := 1; ; n++ {
		p := name(n)
		have, err := disk.Read(fsys, native(root, p), maxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return p, create(fsys, root, File{Path: p, Data: data})
		case err != nil:
			return "", fmt.Errorf("%s cannot be looked at: %w", p, err)
		case bytes.Equal(have, data):
			return p, nil
		case ours != nil && ours(have):
			return p, disk.Write(fsys, native(root, p), data, 0o644)
		}
	}
}

// readBack reads every file again and compares: what is said of a write is said
// of what is on disk.
func (w *Work) readBack(fsys disk.FS, root string, t Target, out *Written) error {
	files := append(w.Fixtures[:len(w.Fixtures):len(w.Fixtures)], w.Cases...)
	for i, c := range w.Contracts {
		files = append(files, File{Path: out.Contracts[i], Data: c.YAML()})
	}
	for _, f := range files {
		if there, same, err := compare(fsys, root, f.Path, f.Data); err != nil || !there || !same {
			return fmt.Errorf("%s does not hold what was written: look at %s, and run this again", f.Path, path.Dir(f.Path))
		}
	}
	all, err := ReadLog(fsys, root, t)
	if err != nil {
		return err
	}
	out.All = all
	decided := all.Decided()
	for i := range w.Records {
		if !decided(w.Records[i].Test, w.Records[i].Source) {
			return fmt.Errorf("%s lacks the decision on %q: run this again", t.LogPath(), w.Records[i].Test)
		}
	}
	out.Records = w.Records
	return nil
}
