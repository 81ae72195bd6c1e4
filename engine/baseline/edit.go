package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	for _, line := range old {
		for len(ids) > 0 && ids[0] < line.ID {
			added, err := f.replacement(ids[0], e.Replace[ids[0]], nil)
			if err != nil {
				return nil, err
			}
			merged, ids = append(merged, added), ids[1:]
		}
		switch {
		case len(ids) > 0 && ids[0] == line.ID:
			replaced, err := f.replacement(ids[0], e.Replace[ids[0]], line.Bytes)
			if err != nil {
				return nil, err
			}
			merged, ids = append(merged, replaced), ids[1:]
		case !remove[line.ID]:
			merged = append(merged, line)
		}
	}
	for _, id := range ids {
		added, err := f.replacement(id, e.Replace[id], nil)
		if err != nil {
			return nil, err
		}
		merged = append(merged, added)
	}
	return merged, nil
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
		return Raw{}, fmt.Errorf("the new line of the case %q spans lines", id)
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
		return errors.New("the new header spans lines")
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
