package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/style"
)

// visible is the width of a styled row.
func visible(row string) int { return cells.Styled(row) }

// boxed is what goes into a box: a title in parts, rows, and a word at the
// right of the lower border.
type boxed struct {
	title   []string
	rows    []string // styled; each at most width-2 columns
	width   int
	focused bool
	foot    string
}

// box draws a border around rows. The first part of the title is strong, and
// in the accent where the box has the focus.
func (m *model) box(b boxed) []string {
	t := m.theme
	border := style.Dim
	if b.focused {
		border = style.Accent
	}
	inner := max(b.width-2, 0)
	out := make([]string, 0, len(b.rows)+2)
	out = append(out, m.topBorder(b, border, inner))
	side := t.Render(border, t.Vertical)
	for _, row := range b.rows {
		out = append(out, side+row+cells.Spaces(inner-visible(row))+side)
	}
	foot := cells.Fit(safetext.Line(b.foot), inner-4, t.More)
	if foot != "" {
		foot = " " + foot + " "
	}
	lines := strings.Repeat(t.Horizontal, max(inner-cells.Width(foot)-1, 0))
	last := strings.Repeat(t.Horizontal, min(1, max(inner-cells.Width(foot), 0)))
	return append(out, t.Render(border, t.BottomLeft+lines)+t.Render(style.Dim, foot)+t.Render(border, last+t.BottomRight))
}

// topBorder draws the border with the parts of the title let into it.
func (m *model) topBorder(b boxed, border style.Role, inner int) string {
	t := m.theme
	var row strings.Builder
	t.Write(&row, border, t.TopLeft)
	used := 0
	for i, part := range b.title {
		part = safetext.Line(part)
		room := inner - used - 3
		if part == "" || room < 4 {
			continue
		}
		if i > 0 {
			t.Write(&row, border, t.Horizontal)
			used++
			room--
		}
		part = cells.Fit(part, room, t.More)
		role := style.Plain
		if i == 0 {
			role = style.Strong
			if b.focused {
				role = style.Accent
			}
		}
		row.WriteByte(' ')
		t.Write(&row, role, part)
		row.WriteByte(' ')
		used += cells.Width(part) + 2
	}
	t.Write(&row, border, strings.Repeat(t.Horizontal, max(inner-used, 0))+t.TopRight)
	return row.String()
}

// overlay lays a box over rows, with its upper left corner at the given place.
func overlay(rows, box []string, top, left int) {
	for i, line := range box {
		at := top + i
		if at < 0 || at >= len(rows) {
			continue
		}
		width := visible(line)
		under := rows[at]
		before := ansi.Truncate(under, left, "")
		before += cells.Spaces(left - visible(before))
		rows[at] = before + line + ansi.TruncateLeft(under, left+width, "")
	}
}

// longNotice reports whether the notice has more to say than one line holds.
func (m *model) longNotice() bool { return cells.Width(safetext.Line(m.notice.text)) > m.width-2 }

// drawNotice draws a notice of several lines in a box above the footer, as far
// as it goes in a third of the window.
func (m *model) drawNotice(width int) []string {
	rows := wrapLine(m.theme, style.Of(m.notice.role, m.notice.text), width-4)
	rows = rows[:min(len(rows), max(m.height/3, 1))]
	for i := range rows {
		rows[i] = " " + rows[i]
	}
	return m.box(boxed{rows: rows, width: width, focused: true})
}
