// Package cells measures and wraps text in columns of a terminal. Every width
// in docket's screens comes from here, since a second opinion on the width of
// one emoji is enough to tear a frame.
//
// It takes text that is safe to show (engine/safetext) and carries no escape
// sequences, except in Clamp, which sees whole styled rows. It knows no
// colours.
package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of columns that s takes up, by grapheme clusters: the
// measure of the library that writes the frame.
func Width(s string) int {
	if ascii(s) {
		return len(s)
	}
	width := 0
	for len(s) > 0 {
		_, size, w := next(s)
		width += w
		s = s[size:]
	}
	return width
}

// Cut returns the longest start of s that fits into width columns, and how
// many it takes up: one less than width where a wide character would straddle
// the edge.
func Cut(s string, width int) (head string, taken int) {
	if width <= 0 {
		return "", 0
	}
	if len(s) <= width && ascii(s) {
		return s, len(s)
	}
	at := 0
	for at < len(s) {
		_, size, w := next(s[at:])
		if taken+w > width {
			break
		}
		taken += w
		at += size
	}
	return s[:at], taken
}

// CutLeft returns the longest end of s that fits into width columns.
func CutLeft(s string, width int) string {
	for over := Width(s) - max(width, 0); over > 0 && len(s) > 0; {
		_, size, w := next(s)
		over -= w
		s = s[size:]
	}
	return s
}

// Fit returns s in at most width columns, ending in the sign more where some
// of it had to go.
func Fit(s string, width int, more string) string {
	if len(s) <= width && ascii(s) {
		return s
	}
	if Width(s) <= width {
		return s
	}
	mw := Width(more)
	if mw > width {
		head, _ := Cut(s, width)
		return head
	}
	head, _ := Cut(s, width-mw)
	return head + more
}

// Pad returns s followed by as many spaces as fill width columns.
func Pad(s string, width int) string {
	if n := width - Width(s); n > 0 {
		return s + Spaces(n)
	}
	return s
}

// Spaces returns n spaces, none where n is negative.
func Spaces(n int) string {
	const blank = "                                                                                                                                "
	if n <= 0 {
		return ""
	}
	if n <= len(blank) {
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}

// Clamp returns a styled row in at most width columns.
func Clamp(row string, width int) string {
	if len(row) <= width || Styled(row) <= width {
		return row
	}
	return ansi.Truncate(row, width, "")
}

// Styled is the width of a row that carries the theme's escape sequences, and
// no others. The general measure of escape sequences costs ten times as much,
// and every row of every frame passes here.
func Styled(row string) int {
	width := 0
	for len(row) > 0 {
		if row[0] == '\x1b' {
			end := strings.IndexByte(row, 'm')
			if end < 0 {
				return width
			}
			row = row[end+1:]
			continue
		}
		_, size, w := next(row)
		width += w
		row = row[size:]
	}
	return width
}

// ASCII returns a styled row of the same width in which the signs that docket
// itself writes, and common punctuation, are ASCII. Strict replaces all other
// characters outside ASCII by question marks too, for a terminal that does not
// speak UTF-8: it would take some of their bytes for control characters.
func ASCII(row string, strict bool) string {
	if ascii(row) {
		return row
	}
	var b strings.Builder
	for len(row) > 0 {
		cluster, size, width := next(row)
		row = row[size:]
		if cluster[0] < 0x80 {
			b.WriteString(cluster)
			continue
		}
		switch plain := punctuation(cluster); {
		case plain != "":
			b.WriteString(plain)
		case strict:
			b.WriteString(strings.Repeat("?", width))
		default:
			b.WriteString(cluster)
		}
	}
	return b.String()
}

// punctuation is what stands for a sign of one column in ASCII, or "".
func punctuation(sign string) string {
	switch sign {
	case "→", "▸", "▹", "»":
		return ">"
	case "←", "«":
		return "<"
	case "—", "–", "−", "‐", "‑", "─":
		return "-"
	case "·", "•":
		return "."
	case "…":
		return "~"
	case "‘", "’":
		return "'"
	case "“", "”", "„":
		return "\""
	case "✓":
		return "y"
	case "✗", "×":
		return "x"
	case "≈":
		return "~"
	case "±":
		return "+"
	case "◐":
		return "%"
	case "↑":
		return "^"
	case "↓":
		return "v"
	case "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█":
		return string('1' + []rune(sign)[0] - '▁') // a score among others: of eight
	}
	return ""
}

// Row is a part of a text that fits into one row: the bytes from Start up to
// End, Width columns wide.
type Row struct{ Start, End, Width int }

// Wrap splits one line of text into rows of at most width columns, between
// words where it can and inside a word that is longer than a row. The space at
// which it splits belongs to no row. A width under 2 counts as 2, since a
// wide character could not be placed otherwise. There is always one row.
func Wrap(s string, width int) []Row {
	width = max(width, 2)
	if len(s) <= width && ascii(s) {
		return []Row{{0, len(s), len(s)}}
	}
	var rows []Row
	start, taken := 0, 0         // the present row
	breakAt, breakWidth := -1, 0 // its last space, and the width before it
	for at := 0; at < len(s); {
		_, size, w := next(s[at:])
		space := size == 1 && s[at] == ' '
		if taken+w > width {
			switch {
			case space:
				rows = append(rows, Row{start, at, taken})
				start, taken, breakAt = at+size, 0, -1
				at += size
				continue
			case breakAt > start:
				rows = append(rows, Row{start, breakAt, breakWidth})
				start, taken, breakAt = breakAt+1, taken-breakWidth-1, -1
			default:
				rows = append(rows, Row{start, at, taken})
				start, taken, breakAt = at, 0, -1
			}
		}
		if space {
			breakAt, breakWidth = at, taken
		}
		taken += w
		at += size
	}
	if start < len(s) || len(rows) == 0 {
		rows = append(rows, Row{start, len(s), taken})
	}
	return rows
}

// next returns the first grapheme cluster of s, its size in bytes and its
// width in columns.
func next(s string) (cluster string, size, width int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], 1, 1
	}
	if line(s) && (len(s) == 3 || s[3] < 0x80 || line(s[3:])) {
		return s[:3], 3, 1
	}
	cluster, width = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster, len(cluster), width
}

// line reports whether s starts with one of the lines that boxes are drawn of
// (U+2500 to U+257F), of which a frame has hundreds.
func line(s string) bool { return len(s) >= 3 && s[0] == 0xe2 && (s[1] == 0x94 || s[1] == 0x95) }

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
