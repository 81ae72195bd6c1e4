// Package safetext is the only way from text that docket did not write to
// something a terminal may show.
//
// Outputs of models, case files, ids, git subjects and reasons can hold bytes
// that move the cursor, rename the window, hide text or turn its direction
// round. This package shows them and deletes nothing, since an invisible
// character can be the very change under review: an escape becomes <ESC>, a
// carriage return <CR>, a right-to-left override <U+202E>, a byte that is no
// UTF-8 <0xFF>. The tokens are ASCII, so that they read the same on every
// terminal and in a log.
//
// It measures nothing but tab stops, wraps nothing and colours nothing. It
// does not repair text either: what it returns is for eyes, never for
// comparing or for writing back.
package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// tabStop is the distance between tab stops in Block, in columns.
const tabStop = 8

// Line returns s as one printable line of valid UTF-8. Control characters
// (line ends and tabs included), bidirectional controls, zero-width and other
// invisible characters and bytes that are no UTF-8 become visible tokens.
// Joiners and variation selectors stay where a script or an emoji needs them.
// Line(Line(s)) is Line(s).
func Line(s string) string {
	clean := cleanPrefix(s, false)
	if clean == len(s) {
		return s
	}
	w := writer{tabs: false}
	w.grow(s, clean)
	w.text(s, clean)
	return w.out.String()
}

// Block returns s as printable lines of valid UTF-8: line feeds stay, tabs
// are expanded to stops of 8 columns, everything else is treated as in Line.
// A carriage return is visible even before a line feed, since a change of
// line ends would otherwise look like no change.
func Block(s string) string {
	clean := cleanPrefix(s, true)
	if clean == len(s) {
		return s
	}
	w := writer{tabs: true}
	w.grow(s, clean)
	w.text(s, clean)
	return w.out.String()
}

// cleanPrefix returns how many bytes of s, from its start, are printable ASCII
// (and line feeds, where they are kept). It stops one byte early before a byte
// outside ASCII, because a mark may belong to the letter before it.
func cleanPrefix(s string, keepLineFeeds bool) int {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 0x20 && c < 0x7f, c == '\n' && keepLineFeeds:
		case c >= utf8.RuneSelf && i > 0:
			return i - 1
		default:
			return i
		}
	}
	return len(s)
}

// writer builds the safe text and knows what stands before the next rune.
type writer struct {
	out  strings.Builder
	tabs bool // expand tabs and keep line feeds

	base    rune // the last rune that takes up space; 0 at the start of a line
	marks   int  // combining marks written since base
	joins   int  // joiners written in the present emoji
	chosen  bool // base already has its variation selector
	joined  bool // the last rune written was a joiner between emoji
	lineAt  int  // where the present line starts in out
	changed int  // column of lineAt after an expanded tab
}

func (w *writer) grow(s string, clean int) {
	w.out.Grow(len(s) + len(s)/8 + 16)
	w.out.WriteString(s[:clean])
	if clean > 0 {
		w.base = rune(s[clean-1])
		if w.base == '\n' {
			w.base = 0
		}
	}
	w.lineAt = strings.LastIndexByte(s[:clean], '\n') + 1
}

// text writes s from the given byte on.
func (w *writer) text(s string, from int) {
	for i := from; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			w.ascii(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			w.token(invalidToken(s[i]))
			i++
			continue
		}
		if r == blackFlag {
			if n := flagTags(s[i+size:]); n > 0 {
				w.out.WriteString(s[i : i+size+n])
				w.base, w.marks, w.joins, w.chosen, w.joined = r, 0, 0, true, false
				i += size + n
				continue
			}
		}
		w.rune(r, s[i:i+size], s[i+size:])
		i += size
	}
}

func (w *writer) ascii(c byte) {
	switch {
	case c >= 0x20 && c < 0x7f:
		w.out.WriteByte(c)
		w.start(rune(c))
	case c == '\n' && w.tabs:
		w.out.WriteByte(c)
		w.start(0)
		w.lineAt, w.changed = w.out.Len(), 0
	case c == '\t' && w.tabs:
		line := w.out.String()[w.lineAt:]
		column := w.changed + uniseg.StringWidth(line)
		spaces := tabStop - column%tabStop
		for range spaces {
			w.out.WriteByte(' ')
		}
		// The rest of the line is measured from here, so that a line of
		// tabs alone stays linear.
		w.lineAt, w.changed = w.out.Len(), column+spaces
		w.start(' ')
	default:
		w.token(controlToken(rune(c)))
	}
}

// rune writes one rune from outside ASCII, whose bytes are enc and which rest
// follows.
func (w *writer) rune(r rune, enc, rest string) {
	switch classify(r) {
	case visible:
		if !w.joined {
			w.joins = 0
		}
		w.out.WriteString(enc)
		w.base, w.marks, w.chosen, w.joined = r, 0, false, false
	case mark:
		if w.marks >= maxMarks {
			w.token(runeToken(r))
			w.marks = maxMarks // the rest of the stack is shown as tokens too
			return
		}
		if w.base == 0 {
			w.token(runeToken(r))
			return
		}
		w.marks++
		w.joined = false
		w.out.WriteString(enc)
	case modifier:
		if w.marks > 0 || !pictographic(w.base) {
			w.token(runeToken(r))
			return
		}
		w.marks++
		w.joined = false
		w.out.WriteString(enc)
	case prefix:
		if next, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(next) {
			w.token(runeToken(r))
			return
		}
		w.out.WriteString(enc)
		w.start(r)
	case selector:
		if w.chosen || w.marks > 0 || !selects(w.base, r, rest) {
			w.token(runeToken(r))
			return
		}
		w.chosen = true
		w.out.WriteString(enc)
	case joiner:
		next, _ := utf8.DecodeRuneInString(rest)
		if !w.joined && w.joins < maxJoins && r == zwj && pictographic(w.base) && pictographic(next) {
			w.joins++
			w.joined = true
			w.out.WriteString(enc)
			return
		}
		if !w.joined && usesJoiners(w.base) && usesJoiners(next) {
			w.joined = true
			w.out.WriteString(enc)
			return
		}
		w.token(runeToken(r))
	default:
		w.token(runeToken(r))
	}
}

// token writes what stands for something that must not reach a terminal.
func (w *writer) token(t string) {
	w.out.WriteString(t)
	w.start('>')
}

func (w *writer) start(base rune) {
	w.base, w.marks, w.joins, w.chosen, w.joined = base, 0, 0, false, false
}
