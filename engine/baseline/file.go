package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/disk"
	"docket/engine/jsonl"
)

// A Raw is one line of a case as it stands in the file, without its line end.
type Raw struct {
	ID    string
	Bytes []byte // part of the file's data: must not be changed
}

// A File is a baseline that was read. It is not changed by anything; Write
// gives a new one.
type File struct {
	Path        string
	Header      Header
	HeaderBytes []byte // the first line as it stands, without its line end
	Lines       []Raw  // in the order of the file; the first stands on line 2

	sorted bool // strictly, by the bytes of the id
	data   []byte
	hash   func() string
}

// MaxSize is the largest baseline that is read, in bytes: a million cases.
const MaxSize = 500_000_000

// Read reads and parses the baseline at path. Where there is none the error is
// fs.ErrNotExist.
func Read(fsys disk.FS, path string) (*File, error) {
	if err := checkFolders(fsys, path); err != nil {
		return nil, err
	}
	data, err := disk.Read(fsys, path, MaxSize)
	if err != nil {
		return nil, fmt.Errorf("the baseline cannot be read: %w", err)
	}
	return Parse(path, data)
}

// Open reads the baseline of a suite and mode below root, and refuses one whose
// header names another suite or mode.
func Open(fsys disk.FS, root, suite, mode string) (*File, error) {
	path, err := Path(root, suite, mode)
	if err != nil {
		return nil, err
	}
	return Read(fsys, path)
}

// Parse splits a baseline into its lines. It checks the header strictly, and
// of every other line that it has the form of one, and that its id stands in
// the file once. Errors are *jsonl.Error with the line number, one sentence
// each. Lines out of order are no error; Lint tells them. The data must not be
// changed afterwards.
//
// Where name is a path as Path makes them, the header must name the same suite
// and mode.
func Parse(name string, data []byte) (*File, error) {
	f := &File{Path: name, data: data}
	f.hash = sync.OnceValue(func() string { return canonical.HashBytes(data) })
	if len(data) == 0 {
		return nil, &jsonl.Error{File: name, Line: 1, Message: "the file is empty; a baseline begins with a header line"}
	}
	end := bytes.IndexByte(data, '\n')
	if end < 0 {
		return nil, f.truncated(1, data)
	}
	f.HeaderBytes = data[:end:end]
	if why := headerTrouble(f.HeaderBytes); why != "" {
		return nil, &jsonl.Error{File: name, Line: 1, Message: why}
	}
	header, err := ParseHeader(f.HeaderBytes)
	if err != nil {
		return nil, jsonl.In(name, 1, err)
	}
	f.Header = header
	if suite, mode, ok := place(name); ok {
		if err := f.Belongs(suite, mode); err != nil {
			return nil, err
		}
	}
	if err := f.split(data[end+1:]); err != nil {
		return nil, err
	}
	if !f.sorted {
		if err := f.duplicates(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Belongs fails where the header names another suite or mode.
func (f *File) Belongs(suite, mode string) error {
	switch {
	case f.Header.Suite != suite:
		return &jsonl.Error{File: f.Path, Line: 1, Message: fmt.Sprintf("the header names the suite %q and the file belongs to %q; docket will not use or overwrite it", f.Header.Suite, suite)}
	case f.Header.Mode != mode:
		return &jsonl.Error{File: f.Path, Line: 1, Message: fmt.Sprintf("the header names the mode %q and the file belongs to %q; docket will not use or overwrite it", f.Header.Mode, mode)}
	}
	return nil
}

// Hash returns the hash of the whole file, as "sha256:" and 64 hex digits. It
// is computed on the first call.
func (f *File) Hash() string { return f.hash() }

// Size returns the file's length in bytes.
func (f *File) Size() int { return len(f.data) }

// Sorted reports whether the lines are in the order in which Write puts them.
func (f *File) Sorted() bool { return f.sorted }

// Line parses the line at an index of Lines strictly; an error names the file
// and the line.
func (f *File) Line(index int) (Line, error) {
	l, err := ParseLine(f.Lines[index].Bytes)
	if err != nil {
		return Line{}, jsonl.In(f.Path, index+2, err)
	}
	return l, nil
}

// Find returns the index in Lines of a case's line.
func (f *File) Find(id string) (int, bool) {
	if f.sorted {
		return slices.BinarySearchFunc(f.Lines, id, func(r Raw, id string) int { return strings.Compare(r.ID, id) })
	}
	at := slices.IndexFunc(f.Lines, func(r Raw) bool { return r.ID == id })
	return at, at >= 0
}

var idPrefix = []byte(`{"id":"`)

// split cuts the lines of the cases and finds their ids. It touches no more of
// a line than its beginning and its last byte, besides looking for its end.
func (f *File) split(data []byte) error {
	f.Lines = make([]Raw, 0, bytes.Count(data, []byte{'\n'}))
	// All ids share one string: a small one each would cost more than the rest.
	ids := make([]byte, 0, 16*cap(f.Lines))
	ends := make([]int, 0, cap(f.Lines))
	f.sorted = true
	last := 0 // where the id before begins in ids
	for number := 2; len(data) > 0; number++ {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return f.truncated(number, data)
		}
		line := data[:end:end]
		data = data[end+1:]
		before := len(ids)
		var err error
		if ids, err = appendID(ids, line); err != nil {
			return jsonl.In(f.Path, number, err)
		}
		if number > 2 && f.sorted {
			switch c := bytes.Compare(ids[last:before], ids[before:]); {
			case c == 0:
				return f.twice(number, number-1, string(ids[before:]))
			case c > 0:
				f.sorted = false
			}
		}
		last = before
		ends = append(ends, len(ids))
		f.Lines = append(f.Lines, Raw{Bytes: line})
	}
	all := string(ids)
	start := 0
	for i, end := range ends {
		f.Lines[i].ID = all[start:end]
		start = end
	}
	return nil
}

// appendID appends the id of a line to dst. Lines that docket wrote begin with
// it.
func appendID(dst, line []byte) ([]byte, error) {
	if !bytes.HasPrefix(line, idPrefix) || line[len(line)-1] != '}' {
		return appendOddID(dst, line)
	}
	rest := line[len(idPrefix):]
	end := bytes.IndexByte(rest, '"')
	if end <= 0 || bytes.IndexByte(rest[:end], '\\') >= 0 || !utf8.Valid(rest[:end]) {
		return appendOddID(dst, line)
	}
	return append(dst, rest[:end]...), nil
}

// appendOddID finds the id of a line that another hand wrote, and says what is
// wrong with one that is none.
func appendOddID(dst, line []byte) ([]byte, error) {
	if why := diagnose(line); why != "" {
		return dst, &jsonl.Error{Message: why}
	}
	id, header := "", false
	r := jsonl.NewReader(line)
	err := r.Object(func(key string) (err error) {
		switch key {
		case "id":
			id, err = r.Text()
			return err
		case "_config":
			header = true
		}
		_, err = r.Skip()
		return err
	})
	if err == nil {
		err = r.End()
	}
	switch {
	case err != nil:
		return dst, err
	case header:
		return dst, &jsonl.Error{Message: "a second header; a baseline holds one, on its first line"}
	case id == "":
		return dst, &jsonl.Error{Message: `the line has no "id"`}
	}
	return append(dst, id...), nil
}

func headerTrouble(line []byte) string {
	if why := diagnose(line); why != "" {
		return why
	}
	if bytes.HasPrefix(line, idPrefix) {
		return `the header is missing: the first line must hold "_config"`
	}
	return ""
}

func (f *File) truncated(number int, line []byte) error {
	why := diagnose(line)
	if why == "" || strings.Contains(why, "CR LF") {
		why = "the last line has no line end, so the file may have been cut short; restore it, or add the line end if the line is whole"
	}
	return &jsonl.Error{File: f.Path, Line: number, Message: why}
}

func (f *File) twice(number, first int, id string) error {
	return &jsonl.Error{File: f.Path, Line: number, Message: fmt.Sprintf("the id %q stands on line %d already; keep one of the two lines", id, first)}
}

func (f *File) duplicates() error {
	lines := make(map[string]int, len(f.Lines))
	for i, l := range f.Lines {
		if first, ok := lines[l.ID]; ok {
			return f.twice(i+2, first, l.ID)
		}
		lines[l.ID] = i + 2
	}
	return nil
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
