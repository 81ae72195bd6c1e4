// Package jsonl reads one line of JSON strictly, member by member, and says
// where something is wrong in it. Baselines, decisions and journals are files
// of such lines.
//
// The package refuses to guess: a duplicate key, a value of another type than
// the one asked for, invalid UTF-8 and trailing data are errors with a
// position. It builds no generic value where the caller wants a typed one, and
// it never writes.
package jsonl

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Error is one thing that is wrong in a text, with its place.
type Error struct {
	File    string // "" where the text has no name
	Line    int    // from 1; 0 where only one line was looked at
	Column  int    // in characters, from 1; 0 where the whole line is meant
	Message string
}

// Error returns the place as file:line:column, as far as it is known, and the
// message.
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.File != "" && e.Line > 0 && e.Column > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Column)
	case e.File != "" && e.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	case e.File != "":
		fmt.Fprintf(&b, "%s: ", e.File)
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d: ", e.Line)
	case e.Column > 0:
		fmt.Fprintf(&b, "column %d: ", e.Column)
	}
	b.WriteString(e.Message)
	return b.String()
}

// In returns the error with the name of the file and the number of the line in
// it, and any other error as it is.
func In(file string, line int, err error) error {
	if e, ok := err.(*Error); ok {
		placed := *e
		placed.File, placed.Line = file, line
		return &placed
	}
	return fmt.Errorf("%s:%d: %w", file, line, err)
}

// Diagnose says what is wrong with a line that cannot be JSON written by
// docket, in one sentence; "" where nothing is known about it. It knows the
// accidents that happen to checked-in files: merge conflicts, line ends and
// byte-order marks of another system, blank lines, binary content.
func Diagnose(line []byte) string {
	s := string(line[:min(len(line), 16)])
	switch {
	case len(line) == 0:
		return "the line is blank; each line must hold one JSON object"
	case IsConflictMarker(line):
		return "a conflict marker of git; resolve the conflict by case id first"
	case strings.HasPrefix(s, "\ufeff"):
		return "the file begins with a byte-order mark; save it as UTF-8 without one"
	case strings.HasPrefix(s, "\xff\xfe"), strings.HasPrefix(s, "\xfe\xff"):
		return "the file is UTF-16; save it as UTF-8"
	case line[len(line)-1] == '\r':
		return "the line ends as on Windows (CR LF); say `text eol=lf` for this file in .gitattributes and check it out again"
	}
	for _, c := range line {
		if c == 0 {
			return "the line holds a NUL byte; the file is damaged or no text"
		}
	}
	if !utf8.Valid(line) {
		return "the line is not valid UTF-8"
	}
	return ""
}

// IsConflictMarker reports whether a line is one of those that git puts around
// the sides of a conflict, in any of its styles. No line of JSON is one.
func IsConflictMarker(line []byte) bool {
	for _, marker := range [...]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if strings.HasPrefix(string(line[:min(len(line), len(marker))]), marker) {
			return true
		}
	}
	return false
}
