package pair

import (
	"strings"

	"docket/tui/style"
)

// Match pairs a line of an old text with one of a new text; -1 is none.
type Match struct {
	Old, New int
	Same     bool
}

// Align pairs the lines of two texts: equal lines in order, and between them
// the first changed line with the first changed line, and so on.
func Align(before, after []string) []Match {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	keepA, keepB := make([]bool, len(before)), make([]bool, len(after))
	for i := range len(before) {
		keepA[i] = i < head || i >= len(before)-tail
	}
	for i := range len(after) {
		keepB[i] = i < head || i >= len(after)-tail
	}
	subsequence(before[head:len(before)-tail], after[head:len(after)-tail], keepA[head:], keepB[head:])
	matches := make([]Match, 0, max(len(before), len(after)))
	i, j := 0, 0
	for i < len(before) || j < len(after) {
		changedA, changedB := i < len(before) && !keepA[i], j < len(after) && !keepB[j]
		switch {
		case changedA && changedB:
			matches = append(matches, Match{i, j, false})
			i, j = i+1, j+1
		case changedA:
			matches = append(matches, Match{i, -1, false})
			i++
		case changedB:
			matches = append(matches, Match{-1, j, false})
			j++
		default:
			matches = append(matches, Match{i, j, true})
			i, j = i+1, j+1
		}
	}
	return matches
}

// Lines is a Source that shows two texts line beside line. Before and After
// give a line in its roles, when it comes into sight.
type Lines struct {
	Matches       []Match
	Before, After func(line int) style.Line
}

// Texts returns the Source of two plain texts.
func Texts(before, after string) Lines {
	a, b := split(before), split(after)
	plain := func(lines []string) func(int) style.Line {
		return func(i int) style.Line { return style.Of(style.Plain, lines[i]) }
	}
	return Lines{Matches: Align(a, b), Before: plain(a), After: plain(b)}
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Len is the number of lines beside each other.
func (l Lines) Len() int { return len(l.Matches) }

// Same reports whether both sides are equal.
func (l Lines) Same(i int) bool { return l.Matches[i].Same }

// Row returns a line with its counterpart.
func (l Lines) Row(i int) Row {
	m := l.Matches[i]
	row := Row{Kind: Changed}
	switch {
	case m.Same:
		row.Kind = Same
	case m.New < 0:
		row.Kind = Lost
	case m.Old < 0:
		row.Kind = Added
	}
	if m.Old >= 0 {
		row.Old = l.Before(m.Old)
	}
	if m.New >= 0 {
		row.New = l.After(m.New)
	}
	return row
}
