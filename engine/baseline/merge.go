package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/disk"
	"docket/engine/jsonl"
)

// Versions are the three versions of a baseline that a merge is about.
type Versions struct {
	Base         *File // what both sides began with; nil where there was none
	Ours, Theirs *File
}

// A Merged is what three versions of a baseline became. What it counts, it
// counts in cases.
type Merged struct {
	Data       []byte // the whole file
	Lines      int
	Untouched  int // neither side changed the line
	FromOurs   int // only our side changed, added or removed it
	FromTheirs int // likewise
	Alike      int // both made the same of it
	Conflicts  []Conflict
}

// A Conflict is a case whose line both sides changed, each in another way. The
// merged file holds the line of the base, since to take a side would be to
// decide. A nil line is one that the version does not have.
type Conflict struct {
	ID                 string
	Base, Ours, Theirs []byte
}

// ParseVersion reads one version of a baseline for Merge. It is as strict as
// Parse, except that the last line may lack its line end where it is whole: a
// version that git keeps cannot be mended any more. Empty data is no version,
// and gives nil.
func ParseVersion(name string, data []byte) (*File, error) {
	if len(data) == 0 {
		return nil, nil
	}
	if at := markerLine(data); at > 0 {
		return nil, &jsonl.Error{File: name, Line: at, Message: "a conflict marker of git stands in this version itself, so it was committed unresolved; mend it in a commit on its own branch and merge again"}
	}
	if last := data[bytes.LastIndexByte(data, '\n')+1:]; len(last) > 0 {
		if _, err := ParseLine(last); err == nil {
			data = append(slices.Clip(data), '\n')
		}
	}
	return Parse(name, data)
}

// InConflict reports whether a file holds conflict markers of git, in any of
// its styles (merge, diff3, zdiff3). Only a whole line counts, which can be no
// JSON.
func InConflict(data []byte) bool { return markerLine(data) > 0 }

// markerLine returns the number of the first line that is a conflict marker, 0
// where none is.
func markerLine(data []byte) int {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if jsonl.IsConflictMarker(line) {
			return number
		}
	}
	return 0
}

// Merge joins two descendants of one baseline by case id. A line that one side
// changed is that side's, byte for byte; one that both changed alike is taken
// once; one that both changed differently is a conflict. Lines are sorted by
// id. Swapping the sides gives the same file.
//
// Two lines are alike when what is compared of them, and every key that this
// version does not know, is the same: how often and when they were measured
// makes no conflict, and the line with more samples is taken.
//
// Headers that differ are a *HeaderError unless take names a side.
func Merge(v Versions, take Take) (*Merged, error) {
	header, err := v.header(take)
	if err != nil {
		return nil, err
	}
	m := &Merged{}
	base, ours, theirs := v.Base.byID(), v.Ours.byID(), v.Theirs.byID()
	ids := map[string]struct{}{}
	for _, side := range []map[string]int{base, ours, theirs} {
		for id := range side {
			ids[id] = struct{}{}
		}
	}
	var lines []Raw
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		one := threeLines{
			base:   pick(v.Base, base, id),
			ours:   pick(v.Ours, ours, id),
			theirs: pick(v.Theirs, theirs, id),
		}
		line, err := m.resolve(id, one)
		if err != nil {
			return nil, err
		}
		if line != nil {
			lines = append(lines, Raw{ID: id, Bytes: line})
		}
	}
	m.Lines = len(lines)
	m.Data = join(header, lines)
	return m, nil
}

// byID indexes the lines of a version by case.
func (f *File) byID() map[string]int {
	if f == nil {
		return nil
	}
	index := make(map[string]int, len(f.Lines))
	for i, l := range f.Lines {
		index[l.ID] = i
	}
	return index
}

// A mergeLine is the line of one case in one version.
type mergeLine struct {
	bytes []byte // nil: the version has no line of the case
	file  *File
	at    int
}

func pick(f *File, index map[string]int, id string) mergeLine {
	at, ok := index[id]
	if !ok {
		return mergeLine{}
	}
	return mergeLine{bytes: f.Lines[at].Bytes, file: f, at: at}
}

func (l mergeLine) equal(other mergeLine) bool {
	return (l.bytes == nil) == (other.bytes == nil) && bytes.Equal(l.bytes, other.bytes)
}

// read parses the line strictly; it returns nil for no line.
func (l mergeLine) read() (*Line, error) {
	if l.bytes == nil {
		return nil, nil
	}
	parsed, err := l.file.Line(l.at)
	return &parsed, err
}

// checked returns the line's bytes, for a line that a side brought. It is
// parsed first, since it will stand in a file that docket wrote.
func (l mergeLine) checked() ([]byte, error) {
	_, err := l.read()
	return l.bytes, err
}

type threeLines struct{ base, ours, theirs mergeLine }

// resolve returns the line that a case has in the merged file, nil for none,
// and counts it.
func (m *Merged) resolve(id string, l threeLines) ([]byte, error) {
	if l.ours.equal(l.theirs) && l.ours.equal(l.base) {
		m.Untouched++
		return l.base.bytes, nil
	}
	switch {
	case l.ours.equal(l.theirs):
		m.Alike++
		return l.ours.checked()
	case l.base.equal(l.ours):
		m.FromTheirs++
		return l.theirs.checked()
	case l.base.equal(l.theirs):
		m.FromOurs++
		return l.ours.checked()
	}
	base, errBase := l.base.read()
	ours, errOurs := l.ours.read()
	theirs, errTheirs := l.theirs.read()
	if err := errors.Join(errBase, errOurs, errTheirs); err != nil {
		return nil, err
	}
	switch {
	case alike(ours, theirs):
		m.Alike++
		return better(l, ours, theirs), nil
	case alike(base, ours):
		m.FromTheirs++
		return l.theirs.bytes, nil
	case alike(base, theirs):
		m.FromOurs++
		return l.ours.bytes, nil
	}
	m.Conflicts = append(m.Conflicts, Conflict{ID: id, Base: l.base.bytes, Ours: l.ours.bytes, Theirs: l.theirs.bytes})
	return l.base.bytes, nil
}

// alike reports whether two lines, nil for none, differ in no more than how
// they were measured, or spelt.
func alike(a, b *Line) bool {
	if a == nil || b == nil {
		return a == b
	}
	same := func(x, y Member) bool { return x.Key == y.Key && bytes.Equal(x.Value, y.Value) }
	return slices.EqualFunc(a.Extra, b.Extra, same) &&
		bytes.Equal(Key(AppendLine(nil, a)), Key(AppendLine(nil, b)))
}

// better chooses between two lines that are alike, whichever side each is on:
// the one that stands on more samples, then the later, then the first in the
// order of bytes, so that two people who merge get one file.
func better(l threeLines, ours, theirs *Line) []byte {
	switch {
	case ours.Samples != theirs.Samples:
		if ours.Samples > theirs.Samples {
			return l.ours.bytes
		}
	case ours.Captured != theirs.Captured:
		if ours.Captured > theirs.Captured {
			return l.ours.bytes
		}
	case bytes.Compare(l.ours.bytes, l.theirs.bytes) < 0:
		return l.ours.bytes
	}
	return l.theirs.bytes
}

// Write puts the merged file at path in one step, under the baseline's lock,
// and reads it back. It writes only over a file that still holds was; nil says
// that there was none.
func (m *Merged) Write(fsys disk.FS, path string, was []byte) (file *File, err error) {
	if err := checkFolders(fsys, path); err != nil {
		return nil, err
	}
	lock, err := fsys.Lock(lockPath(path))
	if err != nil {
		return nil, fmt.Errorf("the baseline cannot be written: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if err := disk.Clean(fsys, path); err != nil {
		return nil, err
	}
	now, err := disk.Read(fsys, path, MaxSize)
	switch {
	case isNotExist(err):
		if was != nil {
			return nil, fmt.Errorf("%s is gone since it was read; nothing was written", path)
		}
		err = disk.Create(fsys, path, m.Data, 0o644)
	case err != nil:
		return nil, fmt.Errorf("the baseline cannot be read: %w", err)
	case was == nil || !bytes.Equal(now, was):
		return nil, fmt.Errorf("%s was changed by somebody else since it was read; nothing was written, merge again", path)
	default:
		err = disk.Write(fsys, path, m.Data, 0o644)
	}
	if err != nil {
		return nil, err
	}
	if file, err = Read(fsys, path); err != nil {
		return nil, fmt.Errorf("the merged baseline was written and cannot be read back: %w", err)
	}
	if !bytes.Equal(file.data, m.Data) {
		return nil, fmt.Errorf("the merged baseline was written and %s holds something else now", path)
	}
	return file, nil
}

// diagnose is jsonl.Diagnose, with the mend that a baseline has.
func diagnose(line []byte) string {
	if jsonl.IsConflictMarker(line) {
		return "a conflict marker of git; resolve the file by case id with `docket merge`"
	}
	return jsonl.Diagnose(line)
}

// names lists words for a sentence: "model", "model and params".
func names(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
