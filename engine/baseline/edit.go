package baseline

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// An Edit is what changes in a baseline. Everything else stays byte for byte.
type Edit struct {
	// Replace holds, by case id, the lines to put in place of the cases' own,
	// or to add: one JSON object each, without line end, whose id is the key.
	// Keys of the old line that this version does not know and the new line
	// lacks are kept.
	Replace map[string][]byte
	// Remove lists cases whose lines disappear. An id that the file lacks is
	// passed over.
	Remove []string
	// Header replaces the first line, without line end; nil leaves it.
	Header []byte
}

// merge returns the lines of the file after an edit, sorted.
func (f *File) merge(e Edit) ([]Raw, error) {
	old := f.Lines
	if !f.sorted {
		old = slices.Clone(old)
		slices.SortFunc(old, byID)
	}
	remove := make(map[string]bool, len(e.Remove))
	for _, id := range e.Remove {
		if _, ok := e.Replace[id]; ok {
			return nil, fmt.Errorf("the case %q cannot be both replaced and removed", id)
		}
		remove[id] = true
	}
	ids := slices.Sorted(maps.Keys(e.Replace))
	merged := make([]Raw, 0, len(old)+len(ids))
	touched := make([]touch, 0, len(ids))
	replace := func(id string, old []byte) {
		touched = append(touched, touch{at: len(merged), line: e.Replace[id], old: old})
		merged = append(merged, Raw{ID: id})
	}
	for _, line := range old {
		for len(ids) > 0 && ids[0] < line.ID {
			replace(ids[0], nil)
			ids = ids[1:]
		}
		switch {
		case len(ids) > 0 && ids[0] == line.ID:
			replace(ids[0], line.Bytes)
			ids = ids[1:]
		case !remove[line.ID]:
			merged = append(merged, line)
		}
	}
	for _, id := range ids {
		replace(id, nil)
	}
	return merged, f.fill(merged, touched)
}

// A touch is a line that an edit brings, and where it goes.
type touch struct {
	at        int
	line, old []byte
}

// fill checks the touched lines and puts them in their places. Parsing them is
// most of the work of a large first baseline, so it is shared among the
// processors; the first error in the order of the lines is returned.
func (f *File) fill(merged []Raw, touched []touch) error {
	const atLeast = 256 // lines that are worth another goroutine
	workers := max(1, min(runtime.GOMAXPROCS(0), len(touched)/atLeast))
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		share := touched[len(touched)*w/workers : len(touched)*(w+1)/workers]
		wg.Go(func() {
			for _, t := range share {
				raw, err := f.replacement(merged[t.at].ID, t.line, t.old)
				if err != nil {
					errs[w] = err
					return
				}
				merged[t.at] = raw
			}
		})
	}
	wg.Wait()
	return cmp.Or(errs...)
}

func byID(a, b Raw) int { return strings.Compare(a.ID, b.ID) }

// replacement checks a new line and gives it the unknown keys of the old one.
func (f *File) replacement(id string, line, old []byte) (Raw, error) {
	if old != nil && bytes.Equal(line, old) {
		return Raw{ID: id, Bytes: old}, nil
	}
	parsed, err := ParseLine(line)
	switch {
	case err != nil:
		return Raw{}, fmt.Errorf("the new line of the case %q is not valid: %w", id, err)
	case parsed.ID != id:
		return Raw{}, fmt.Errorf("the new line of the case %q has the id %q", id, parsed.ID)
	case bytes.IndexByte(line, '\n') >= 0:
		return Raw{}, fmt.Errorf("the new line of the case %q has a line break in it", id)
	}
	if old != nil {
		line, err = KeepUnknown(line, &parsed, old)
		if err != nil {
			return Raw{}, fmt.Errorf("the line of the case %q in %s: %w", id, f.Path, err)
		}
	}
	return Raw{ID: id, Bytes: line}, nil
}

// KeepUnknown returns the new line with those keys of the old one that this
// version does not know and that the new one lacks. Parsed is the new line
// parsed.
func KeepUnknown(line []byte, parsed *Line, old []byte) ([]byte, error) {
	before, err := ParseLine(old)
	if err != nil {
		return nil, err
	}
	var lost []Member
	for _, m := range before.Extra {
		if !slices.ContainsFunc(parsed.Extra, func(have Member) bool { return have.Key == m.Key }) {
			lost = append(lost, m)
		}
	}
	if len(lost) == 0 {
		return line, nil
	}
	end := bytes.LastIndexByte(line, '}')
	return append(appendExtra(slices.Clone(line[:end]), lost), '}'), nil
}

// checkHeader refuses a new header for another suite, mode or format.
func (f *File) checkHeader(header []byte) error {
	h, err := ParseHeader(header)
	if err != nil {
		return fmt.Errorf("the new header is not valid: %w", err)
	}
	if bytes.IndexByte(header, '\n') >= 0 {
		return errors.New("the new header has more than one line")
	}
	return (&File{Path: f.Path, Header: h}).Belongs(f.Header.Suite, f.Header.Mode)
}

// sameLines reports whether an edit left every line as it was; the order of a
// file that is not sorted is no reason to write.
func sameLines(old, merged []Raw) bool {
	if len(old) != len(merged) {
		return false
	}
	same := func(a, b Raw) bool { return a.ID == b.ID && bytes.Equal(a.Bytes, b.Bytes) }
	if slices.EqualFunc(old, merged, same) {
		return true
	}
	if slices.IsSortedFunc(old, byID) {
		return false
	}
	sorted := slices.Clone(old)
	slices.SortFunc(sorted, byID)
	return slices.EqualFunc(sorted, merged, same)
}

func join(header []byte, lines []Raw) []byte {
	size := len(header) + 1
	for _, l := range lines {
		size += len(l.Bytes) + 1
	}
	data := make([]byte, 0, size)
	data = append(append(data, header...), '\n')
	for _, l := range lines {
		data = append(append(data, l.Bytes...), '\n')
	}
	return data
}
