// Package source reads text that a person wrote, YAML above all, and keeps for
// each value where it stands, so that whatever is wrong can be said as
// file:line:column, with what was expected and how to mend it.
//
// It is strict: it takes values as they were written and guesses nothing. A
// date, 0x1F, 007 and 1_000 without quotes stay text, because YAML would make
// something else of them; yes and no stay text, too. It refuses what reads
// differently than it looks: duplicate keys, keys that are no text, aliases
// that multiply, a second document, control characters, git's conflict markers.
//
// It knows no file format and no key: what a value means is for its callers.
package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Position is a place in a file. Line and Column count from 1, the column in
// characters; a Line of 0 stands for the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// String returns file:line:column, and the file alone where there is no line. A
// file name that could not be printed as it stands comes in quotes.
func (p Position) String() string {
	file := p.File
	if strings.ContainsFunc(file, func(r rune) bool { return !strconv.IsPrint(r) }) {
		file = strconv.Quote(file)
	}
	if p.Line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

func (p Position) compare(q Position) int {
	return cmp.Or(
		strings.Compare(p.File, q.File),
		cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Column, q.Column),
	)
}

// A Problem is one thing that is wrong in a file, and how to mend it.
type Problem struct {
	Position
	Message string
}

// Problemf makes a problem at p. Text from a file belongs in a %q.
func (p Position) Problemf(format string, args ...any) Problem {
	return Problem{p, fmt.Sprintf(format, args...)}
}

// Error returns the position, a colon, and the message.
func (p Problem) Error() string {
	if p.Position == (Position{}) {
		return p.Message
	}
	return p.Position.String() + ": " + p.Message
}

// Problems are all that is wrong in a file, or in many.
type Problems []Problem

// Sort orders by file, line, column and message.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(a.compare(b.Position), strings.Compare(a.Message, b.Message))
	})
}

// Error returns one problem per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the problems as an error, nil where there is none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}
