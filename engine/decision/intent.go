package decision

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/disk"
)

// intents is the folder of local state that holds, for each suite, the step
// that is being done to its cases.
const intents = ".docket/retiring"

// An intent is a step over several files, written whole before the first of
// them is touched: from then on the step happens, if need be by the next
// command. It goes when all is done.
type intent struct {
	Format int       `json:"format"`
	Suite  string    `json:"suite"`
	Name   string    `json:"name"`   // of the decision file; "" where nothing is recorded
	Record []byte    `json:"record"` // what it holds
	Edits  []Rewrite `json:"edits"`
}

// intentPath is where the intent of a suite lies below root.
func intentPath(root, suite string) string {
	return filepath.Join(root, filepath.FromSlash(intents), suite+".json")
}

// A Rewrite is a file that gets other bytes, and is left alone where it holds
// something else by now than what was read.
type Rewrite struct {
	Path string `json:"path"` // relative to the folder of .docket.yaml, with slashes
	Old  []byte `json:"old"`
	New  []byte `json:"new"`
}

// Pending reports whether a step that somebody began on a suite of this folder
// is not done: one look at one folder.
func Pending(fsys disk.FS, root string) ([]string, error) {
	entries, err := fsys.ReadDir(filepath.Join(root, filepath.FromSlash(intents)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("a retirement that was cut short cannot be looked for: %w", err)
	}
	var suites []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && !strings.HasPrefix(name, ".") && e.Type().IsRegular() {
			suites = append(suites, name)
		}
	}
	return suites, nil
}

// Resume completes the step that a crash cut short on a suite, and says what it
// did; false where there is none. Where another process is at work on it the
// error is a *disk.HeldError.
func Resume(fsys disk.FS, root, suite string) (done Done, resumed bool, err error) {
	if err := baseline.CheckSuiteName(suite); err != nil {
		return Done{}, false, err
	}
	s, err := begin(fsys, root, suite)
	if err != nil {
		return Done{}, false, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	path := intentPath(root, suite)
	data, err := disk.Read(fsys, path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return Done{}, false, nil
	}
	if err != nil {
		return Done{}, false, fmt.Errorf("what was cut short cannot be read: %w", err)
	}
	in, err := parseIntent(path, suite, data)
	if err != nil {
		return Done{}, false, err
	}
	done, err = s.complete(in)
	return done, err == nil, err
}

// parseIntent reads what was to be done to a suite. One that asks for nothing is
// damaged as one that cannot be read is, since none such is written.
func parseIntent(path, suite string, data []byte) (*intent, error) {
	var in intent
	if err := json.Unmarshal(data, &in); err != nil || in.Suite != suite || in.Format != 1 || in.Name == "" && len(in.Edits) == 0 {
		return nil, fmt.Errorf("%s does not say what was cut short: look with `git status` at what changed, and remove the file", path)
	}
	return &in, nil
}

// A step holds the locks under which cases go and come back: that of the suite
// and those of its baselines, so that nobody writes them meanwhile.
type step struct {
	fsys        disk.FS
	root, suite string
	lock        disk.Lock
	writers     map[string]*baseline.Writer // by mode, of the baselines that are there
}

func begin(fsys disk.FS, root, suite string) (_ *step, err error) {
	s := &step{fsys: fsys, root: root, suite: suite, writers: map[string]*baseline.Writer{}}
	folder := filepath.Dir(intentPath(root, suite))
	if err := disk.MakeFolders(fsys, root, folder, 0o700); err != nil {
		return nil, err
	}
	if s.lock, err = fsys.Lock(filepath.Join(folder, "."+suite+disk.LockSuffix)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := disk.Clean(fsys, intentPath(root, suite)); err != nil {
		return nil, err
	}
	for _, mode := range baseline.Modes() {
		path, err := baseline.Path(root, suite, mode)
		if err != nil {
			return nil, err
		}
		switch _, err := fsys.Lstat(path); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		w, err := baseline.Lock(fsys, path)
		if err != nil {
			return nil, err
		}
		if w.File() == nil { // it went between the two calls
			if err := w.Close(); err != nil {
				return nil, err
			}
			continue
		}
		s.writers[mode] = w
	}
	return s, nil
}

func (s *step) close() error {
	var errs []error
	for _, w := range s.writers {
		errs = append(errs, w.Close())
	}
	return errors.Join(append(errs, s.lock.Release())...)
}

// commit puts the intent on disk, and then does it.
func (s *step) commit(in *intent) (Done, error) {
	in.Format, in.Suite = 1, s.suite
	if in.Name == "" && len(in.Edits) == 0 {
		return Done{}, nil
	}
	data, err := json.Marshal(in)
	if err != nil {
		return Done{}, err
	}
	path := intentPath(s.root, s.suite)
	if _, err := s.fsys.Lstat(path); err == nil {
		return Done{}, fmt.Errorf("%s holds a step that was cut short: run `docket lint`, which completes it, and then this again", path)
	}
	if err := disk.Write(s.fsys, path, data, 0o600); err != nil {
		return Done{}, fmt.Errorf("nothing was changed: %w", err)
	}
	done, err := s.complete(in)
	if err != nil {
		return done, fmt.Errorf("this is begun and not done yet; the next command of docket completes it: %w", err)
	}
	return done, nil
}

// complete does what an intent says, as far as it is not done yet, and removes
// the intent.
func (s *step) complete(in *intent) (Done, error) {
	var done Done
	if in.Name != "" {
		if _, _, ok := ParseFileName(in.Name); !ok {
			return done, fmt.Errorf("%q is not the name of a decision file", in.Name)
		}
		past, err := parseFile(in.Name, "", in.Record)
		if err != nil {
			return done, err
		}
		if done.File, err = s.record(in); err != nil {
			return done, err
		}
		if err := s.lines(past, &done); err != nil {
			return done, err
		}
		for i := range past {
			if err := s.files(&past[i].Decision, &done); err != nil {
				return done, err
			}
		}
	}
	for i := range in.Edits {
		if err := s.rewrite(&in.Edits[i], &done); err != nil {
			return done, err
		}
	}
	path := intentPath(s.root, s.suite)
	if err := s.fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, err
	}
	return done, s.fsys.SyncDir(filepath.Dir(path))
}

// lines takes the lines of retired cases out of the baselines, and puts those of
// restored ones back: one write for each mode.
func (s *step) lines(past []Past, done *Done) error {
	edits := map[string]*baseline.Edit{}
	for i := range past {
		d := &past[i].Decision
		for _, mode := range slices.Sorted(maps.Keys(d.Lines)) {
			w, line := s.writers[mode], d.Lines[mode]
			if w == nil {
				done.Notes = append(done.Notes, fmt.Sprintf("there is no %s baseline any more, so the line of case %q stays in the record", mode, d.Case))
				continue
			}
			now := lineOf(w.File(), d.Case)
			if now != nil && !bytes.Equal(now, line) {
				done.Notes = append(done.Notes, fmt.Sprintf("the line of case %q in the %s baseline is another by now and was left", d.Case, mode))
				continue
			}
			if edits[mode] == nil {
				edits[mode] = &baseline.Edit{Replace: map[string][]byte{}}
			}
			switch e := edits[mode]; {
			case d.Verdict == Retire && now != nil:
				e.Remove = append(e.Remove, d.Case)
			case d.Verdict == Restore && now == nil:
				e.Replace[d.Case] = line
			}
			done.line(mode)
		}
	}
	for _, mode := range slices.Sorted(maps.Keys(edits)) {
		if _, err := s.writers[mode].Write(*edits[mode]); err != nil {
			return err
		}
	}
	return nil
}

// files removes the files of a retired case, or brings those of a restored one
// back: the fixtures, and then the case's own.
func (s *step) files(d *Decision, done *Done) error {
	switch {
	case d.Verdict == Keep:
		done.Kept = append(done.Kept, d.Case)
		return nil
	case d.CaseFile == nil || d.Verdict != Retire && d.Verdict != Restore:
		return fmt.Errorf("the decision to %s the case %q is not on the whole case", d.Verdict, d.Case)
	}
	for _, k := range append(slices.Clone(d.Fixtures), *d.CaseFile) {
		path, err := s.place(k.Path)
		if err != nil {
			return err
		}
		if d.Verdict == Retire {
			err = s.remove(path, k, done)
		} else {
			err = s.create(path, k, done)
		}
		if err != nil {
			return err
		}
	}
	if d.Verdict == Retire {
		done.Retired = append(done.Retired, d.Case)
	} else {
		done.Restored = append(done.Restored, d.Case)
	}
	return nil
}

// record puts the decision file in its place, unless it is there.
func (s *step) record(in *intent) (string, error) {
	folder := Folder(s.root, s.suite)
	if err := disk.MakeFolders(s.fsys, s.root, folder, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(folder, in.Name)
	if err := disk.Clean(s.fsys, path); err != nil {
		return "", err
	}
	err := disk.Create(s.fsys, path, in.Record, 0o644)
	if !errors.Is(err, fs.ErrExist) {
		return path, err
	}
	there, err := disk.Read(s.fsys, path, maxSize)
	if err == nil && !bytes.Equal(there, in.Record) {
		err = fmt.Errorf("%s holds other decisions (%s) than those that were to be recorded", path, canonical.HashBytes(there))
	}
	return path, err
}

// rewrite gives a file its new bytes.
func (s *step) rewrite(r *Rewrite, done *Done) error {
	path, err := s.place(r.Path)
	if err != nil {
		return err
	}
	now, err := s.read(path)
	switch {
	case err != nil:
		return err
	case now != nil && bytes.Equal(now, r.New):
	case now == nil || !bytes.Equal(now, r.Old):
		done.Notes = append(done.Notes, fmt.Sprintf("%s is another by now and was left as it is", r.Path))
		return nil
	default:
		if err := disk.Clean(s.fsys, path); err != nil {
			return err
		}
		if err := disk.Write(s.fsys, path, r.New, 0o644); err != nil {
			return err
		}
	}
	done.Edited = append(done.Edited, r.Path)
	return nil
}
