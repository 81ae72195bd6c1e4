package baseline

import (
	"bytes"
	"errors"
	"fmt"

	"docket/engine/jsonl"
)

// Lint checks every line of the file strictly, and returns all that is wrong
// or odd with it, in the order of the file: what Parse leaves to the moment
// when a line is used, lines out of order, and lines in another spelling than
// docket's. Each, which may be nil, is called with every line that is sound, so that
// no caller parses them again.
func (f *File) Lint(each func(line *Line)) []*jsonl.Error {
	var found []*jsonl.Error
	add := func(index int, format string, args ...any) {
		found = append(found, &jsonl.Error{File: f.Path, Line: index + 2, Message: fmt.Sprintf(format, args...)})
	}
	var spelling []byte
	for i, raw := range f.Lines {
		if i > 0 && raw.ID < f.Lines[i-1].ID {
			add(i, "the line of %q stands behind that of %q; lines are sorted by the bytes of the id", raw.ID, f.Lines[i-1].ID)
		}
		line, err := f.Line(i)
		if err != nil {
			var e *jsonl.Error
			if errors.As(err, &e) {
				found = append(found, e)
			} else {
				add(i, "%v", err)
			}
			continue
		}
		if spelling = AppendLine(spelling[:0], &line); !bytes.Equal(spelling, raw.Bytes) {
			add(i, "the line of %q is spelt otherwise than docket writes it, so that it compares slower and merges worse", raw.ID)
		}
		if each != nil {
			each(&line)
		}
	}
	return found
}
