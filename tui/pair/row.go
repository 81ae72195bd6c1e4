// Package pair is the pane that shows old beside new: rows of a name, an old
// value and a new one, with a sign for what became of it.
//
// Rows are asked for when they come into sight, so that a long text costs what
// is visible of it. Values wrap, and what differs inside a value is marked
// word by word. The old value is always on the left, or above. The pane knows
// nothing of what the rows are about, reads no keys and decides nothing.
package pair

import (
	"docket/tui/cells"
	"docket/tui/style"
)

// Kind is what became of a value.
type Kind uint8

// The kinds.
const (
	Same    Kind = iota // both sides are alike; folds under a count
	Changed             // the value is another
	Lost                // only the old side has it
	Added               // only the new side has it
	Wide                // one text over the whole width, in Old; never folds
	Apart               // both sides, shown and not compared; never folds
)

// Row is one line of the comparison. Values may hold line ends.
type Row struct {
	Key      string     // its identity where it can be decided alone, else ""
	Kind     Kind       // what became of it
	Sign     string     // replaces the sign of the kind
	SignRole style.Role // how the sign looks where it is replaced
	Name     string
	Word     string // says in plain mode what the sign says; that of the kind where empty
	Old, New style.Line
	Unmarked bool // what differs inside the values is not marked: each is one thing
}

// Source gives the rows of a pane. Same must be cheap: it is asked for every
// row when the pane opens. Row is asked for when a row comes into sight.
type Source interface {
	Len() int
	Same(i int) bool
	Row(i int) Row
}

// Rows is a Source of rows that are there already.
type Rows []Row

// Len is the number of rows.
func (r Rows) Len() int { return len(r) }

// Same reports whether a row is unchanged.
func (r Rows) Same(i int) bool { return r[i].Kind == Same }

// Row returns a row.
func (r Rows) Row(i int) Row { return r[i] }

// NameWidth is the width of the widest name.
func (r Rows) NameWidth() int {
	width := 0
	for i := range r {
		width = max(width, cells.Width(r[i].Name))
	}
	return width
}

// Content is what a pane shows.
type Content struct {
	Source
	Old, New  string // the headings of the two sides; none where both are empty
	NameWidth int    // the columns that names need; 0 leaves no room for names
	Parts     bool   // rows have keys, and a cursor goes over them
	Whole     bool   // rows that are alike show as well, since a text reads badly in pieces
	Note      string // a sentence above the rows, such as why one side is missing
}

// Prose is a Content of text that has only one side.
func Prose(lines ...style.Line) Content {
	rows := make(Rows, len(lines))
	for i, line := range lines {
		rows[i] = Row{Kind: Wide, Old: line}
	}
	return Content{Source: rows}
}
