package decision

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/disk"
)

// A Retirement is one step in which cases go, and others are edited: all of it
// happens, or none. Decisions are of Retire, with CaseFile set, and of Keep.
type Retirement struct {
	FS          disk.FS
	Root, Suite string
	Run         string // as NewID makes them: names the decision file, and is no run
	Decisions   []Decision
	Edits       []Rewrite
}

// Done says what a step did. Paths are relative to the folder of .docket.yaml,
// but for File.
type Done struct {
	File     string   // the decision file, "" where nothing was recorded
	Retired  []string // ids
	Restored []string
	Kept     []string
	Removed  []string // files that went, the cases' own among them
	Created  []string // files that came back
	Edited   []string // files that were rewritten
	Lines    []Lines  // baseline lines that went or came back
	// Notes name what was left as it is, since somebody changed it meanwhile.
	Notes []string
}

// Lines counts the lines of one baseline that a step took or brought.
type Lines struct {
	Mode  string
	Count int
}

// ErrStale says that something is another by now than when it was decided on.
var ErrStale = errors.New("changed since it was decided on")

// Reseal fills in the lines that a case has in the baselines of a suite, in
// every mode, for the decision that retires it.
func Reseal(fsys disk.FS, root, suite string, d *Decision) error {
	d.Mode, d.Lines = Everything, nil
	for _, mode := range baseline.Modes() {
		f, err := baseline.Open(fsys, root, suite, mode)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if line := lineOf(f, d.Case); line != nil {
			if d.Lines == nil {
				d.Lines = map[string][]byte{}
			}
			d.Lines[mode] = bytes.Clone(line)
		}
	}
	return nil
}

// Apply takes the cases out: their files, the fixtures that went with them,
// and their lines in every mode. The order is the intent, the record, the
// lines, the fixtures, the case's own file, the edits; what a crash cuts short
// the next command completes, see Resume. Where a file or a line is another
// than its decision holds, the error wraps ErrStale and nothing was changed.
func (r *Retirement) Apply() (done Done, err error) {
	if err := baseline.CheckSuiteName(r.Suite); err != nil {
		return Done{}, err
	}
	s, err := begin(r.FS, r.Root, r.Suite)
	if err != nil {
		return Done{}, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	in := intent{Edits: r.Edits}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if err := d.check(); err != nil {
			return Done{}, err
		}
		switch {
		case d.Verdict == Keep:
		case d.Verdict != Retire || d.CaseFile == nil:
			return Done{}, fmt.Errorf("the decision on the case %q does not retire the whole case", d.Case)
		default:
			if err := s.unchanged(d); err != nil {
				return Done{}, err
			}
		}
	}
	for i := range r.Edits {
		path, err := s.place(r.Edits[i].Path)
		if err != nil {
			return Done{}, err
		}
		if now, err := s.read(path); err != nil || !bytes.Equal(now, r.Edits[i].Old) {
			return Done{}, errors.Join(fmt.Errorf("%s: %w", r.Edits[i].Path, ErrStale), err)
		}
	}
	if len(r.Decisions) > 0 {
		if in.Name, err = FileName(r.Run, 1); err != nil {
			return Done{}, err
		}
		in.Record = recordOf(r.Suite, r.Decisions)
	}
	return s.commit(&in)
}

// recordOf is a decision file of decisions that no run stands behind.
func recordOf(suite string, decisions []Decision) []byte {
	data := append(baseline.AppendHeader(nil, &baseline.Header{Format: baseline.Format, Suite: suite}), '\n')
	for i := range decisions {
		data = append(AppendLine(data, &decisions[i]), '\n')
	}
	return data
}

// unchanged fails where a case is not what its decision holds.
func (s *step) unchanged(d *Decision) error {
	for i, k := range append([]Kept{*d.CaseFile}, d.Fixtures...) {
		path, err := s.place(k.Path)
		if err != nil {
			return err
		}
		now, err := s.read(path)
		if err != nil {
			return err
		}
		if i == 0 && now == nil || now != nil && !bytes.Equal(now, k.Data) {
			return fmt.Errorf("the case %q: %s %w", d.Case, k.Path, ErrStale)
		}
	}
	for mode, w := range s.writers {
		if !bytes.Equal(lineOf(w.File(), d.Case), d.Lines[mode]) {
			return fmt.Errorf("the case %q: its line in the %s baseline %w", d.Case, mode, ErrStale)
		}
	}
	return nil
}

// remove takes a file out that is as it was recorded.
func (s *step) remove(path string, k Kept, done *Done) error {
	now, err := s.read(path)
	if err != nil {
		return err
	}
	if now != nil && !bytes.Equal(now, k.Data) {
		done.Notes = append(done.Notes, k.Path+" is another by now and was left")
		return nil
	}
	if now != nil {
		if err := s.fsys.Remove(path); err != nil {
			return err
		}
		if err := s.fsys.SyncDir(filepath.Dir(path)); err != nil {
			return err
		}
	}
	if !slices.Contains(done.Removed, k.Path) {
		done.Removed = append(done.Removed, k.Path)
	}
	return nil
}

// line counts a line of a mode.
func (d *Done) line(mode string) {
	for i := range d.Lines {
		if d.Lines[i].Mode == mode {
			d.Lines[i].Count++
			return
		}
	}
	d.Lines = append(d.Lines, Lines{mode, 1})
}

// place is where a file of the repository lies on disk. It refuses a path that
// leads out of the folder, also by a link on the way, into a hidden folder such
// as .git, or that means another file elsewhere.
func (s *step) place(name string) (string, error) {
	native := filepath.FromSlash(name)
	if name == "" || strings.ContainsAny(name, "\\\x00") || !filepath.IsLocal(native) || filepath.ToSlash(filepath.Clean(native)) != name {
		return "", fmt.Errorf("%q is not a path inside the repository", name)
	}
	at := s.root
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ".") {
			return "", fmt.Errorf("%q lies in a hidden place, where no case is", name)
		}
		at = filepath.Join(at, part)
		info, err := s.fsys.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink != 0:
			return "", fmt.Errorf("%s is a symbolic link, and docket removes and writes real files only", at)
		case i < len(parts)-1 && !info.IsDir():
			return "", fmt.Errorf("%s is in the way: a folder is needed there", at)
		}
	}
	return at, nil
}

// read returns what a file holds, nil where there is none.
func (s *step) read(path string) ([]byte, error) {
	data, err := disk.Read(s.fsys, path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if data == nil {
		data = []byte{}
	}
	return data, err
}

// moment is the time of a decision as decision files hold it.
func moment(at time.Time) time.Time { return at.UTC().Truncate(time.Millisecond) }
