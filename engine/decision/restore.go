package decision

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/disk"
)

// A Restoration brings a retired case back from the decision that retired it,
// and from nothing else.
type Restoration struct {
	FS          disk.FS
	Root, Suite string
	Run         string   // as for Retirement
	Folders     []string // where the suite's files lie; nothing is written elsewhere
	Past        Past     // see History.Retired
	By, Reason  string
	At          time.Time
}

// Retired returns the decision that retired a case, if it is the last that was
// said of its being there; false where the case was never retired, or was
// brought back since.
func (h *History) Retired(id string) (Past, bool) {
	for _, i := range slices.Backward(h.byCase[id]) {
		switch p := h.All[i]; p.Verdict {
		case Restore:
			return Past{}, false
		case Retire:
			return p, true
		}
	}
	return Past{}, false
}

// AllRetired returns the ids of all cases that can be restored, sorted.
func (h *History) AllRetired() []string {
	var ids []string
	for id := range h.byCase {
		if p, ok := h.Retired(id); ok && p.CaseFile != nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Kept returns the last decision to keep a case that was proposed for
// deletion.
func (h *History) Kept(id string) (Past, bool) {
	for _, i := range slices.Backward(h.byCase[id]) {
		if p := h.All[i]; p.Verdict == Keep {
			return p, true
		}
	}
	return Past{}, false
}

// Apply writes back the file of the case, its fixtures and its lines, byte for
// byte, and the files with the permissions that they had. It overwrites nothing: where another file, or another line of the
// case, is in the way the error says so and nothing was changed. What a crash
// cuts short the next command completes, see Resume.
func (r *Restoration) Apply() (done Done, err error) {
	p := &r.Past
	if p.CaseFile == nil {
		return Done{}, fmt.Errorf("%s retired the line of the case %q, whose file was gone before: `git log --diff-filter=D --name-only` finds the file", p.place(), p.Case)
	}
	s, err := begin(r.FS, r.Root, r.Suite)
	if err != nil {
		return Done{}, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	d := p.Decision
	d.At, d.By, d.Verdict, d.Reason = moment(r.At), r.By, Restore, r.Reason
	d.Changes = nil
	if err := d.check(); err != nil {
		return Done{}, err
	}
	for _, k := range append([]Kept{*d.CaseFile}, d.Fixtures...) {
		if !below(r.Folders, k.Path) {
			return Done{}, fmt.Errorf("the decision at %s names the file %q, which lies in no folder of the suite (%s): nothing was written", p.place(), k.Path, strings.Join(r.Folders, ", "))
		}
		at, err := s.place(k.Path)
		if err != nil {
			return Done{}, err
		}
		now, err := s.read(at)
		if err != nil {
			return Done{}, err
		}
		if now != nil && !bytes.Equal(now, k.Data) {
			return Done{}, fmt.Errorf("%s is there with another content, and nothing is overwritten: move it away first", k.Path)
		}
	}
	for mode, line := range d.Lines {
		if w := s.writers[mode]; w != nil {
			if now := lineOf(w.File(), d.Case); now != nil && !bytes.Equal(now, line) {
				return Done{}, fmt.Errorf("the %s baseline has another line of the case %q by now, and nothing is overwritten", mode, d.Case)
			}
		}
		if parsed, err := baseline.ParseLine(line); err != nil || parsed.ID != d.Case {
			return Done{}, errors.Join(fmt.Errorf("the decision at %s holds a line for the %s baseline that is not of the case %q", p.place(), mode, d.Case), err)
		}
	}
	name, err := FileName(r.Run, 1)
	if err != nil {
		return Done{}, err
	}
	return s.commit(&intent{Name: name, Record: recordOf(r.Suite, []Decision{d})})
}

// place names the line that holds a decision.
func (p *Past) place() string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }

// below reports whether a file lies in one of the folders.
func below(folders []string, name string) bool {
	for _, folder := range folders {
		if folder = path.Clean(folder); folder == "." || strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return false
}

// create writes a file where none is.
func (s *step) create(at string, k Kept, done *Done) error {
	if err := disk.MakeFolders(s.fsys, s.root, filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if err := disk.Clean(s.fsys, at); err != nil {
		return err
	}
	var err error
	if k.Mode == 0 {
		err = disk.Create(s.fsys, at, k.Data, newFile)
	} else {
		err = disk.CreateAs(s.fsys, at, k.Data, k.Mode)
	}
	if errors.Is(err, fs.ErrExist) {
		now, err := s.read(at)
		if err != nil {
			return err
		}
		if !bytes.Equal(now, k.Data) {
			done.Notes = append(done.Notes, k.Path+" is another by now and was left")
			return nil
		}
	} else if err != nil {
		return err
	}
	if !slices.Contains(done.Created, k.Path) {
		done.Created = append(done.Created, k.Path)
	}
	return nil
}
