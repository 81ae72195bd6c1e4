package list

import (
	"strconv"
	"strings"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/style"
)

// Look is what the list does not know about a row: the sign of what was
// decided.
type Look func(row *Row, state State) (glyph string, role style.Role)

// Draw returns exactly height rows of width columns. The list scrolls as
// little as keeps the cursor visible.
func (l *List) Draw(t *style.Theme, width, height int, focused bool, look Look) []string {
	l.height = height
	l.follow(height)
	rows := make([]string, 0, height)
	for at := l.top; at < len(l.items) && len(rows) < height; at++ {
		var b strings.Builder
		b.Grow(width + 32)
		if item := l.items[at]; item < 0 {
			l.drawHeader(&b, t, int(^item), width, at == l.cursor, focused)
		} else if at == l.top && l.sticky() {
			l.drawHeader(&b, t, int(l.owner[item]), width, false, focused)
		} else {
			l.drawRow(&b, t, int(item), width, at == l.cursor, focused, look)
		}
		rows = append(rows, b.String())
	}
	for len(rows) < height {
		rows = append(rows, cells.Spaces(width))
	}
	return rows
}

// sticky reports whether the first visible row gives its place to the header
// of its group, so that what the rows have in common never scrolls away.
func (l *List) sticky() bool {
	return l.height > 2 && l.top < len(l.items) && l.items[l.top] >= 0 && l.groups[l.owner[l.items[l.top]]].headed()
}

// follow scrolls so that the cursor shows, under the header of its group.
func (l *List) follow(height int) {
	if height <= 0 {
		return
	}
	above := l.cursor
	if above > 0 && height > 2 && l.items[above] >= 0 && l.groups[l.owner[l.items[above]]].headed() {
		above--
	}
	l.top = min(l.top, above)
	l.top = max(l.top, l.cursor-height+1, 0)
	l.top = min(l.top, max(len(l.items)-height, 0))
}

// pointer returns the sign of the cursor, which tells a list with the focus
// from one without even where there is no colour.
func pointer(t *style.Theme, at, focused bool) (string, style.Role) {
	switch {
	case at && focused:
		return t.Pointer, style.Accent
	case at:
		return t.Resting, style.Dim
	default:
		return " ", style.Plain
	}
}

func (l *List) drawHeader(b *strings.Builder, t *style.Theme, gi, width int, at, focused bool) {
	g := &l.groups[gi]
	sign, role := pointer(t, at, focused)
	t.Write(b, role, sign)
	fold := t.Open
	if l.folded[g.ID] {
		fold = t.Folded
	}
	t.Write(b, style.Dim, fold)
	b.WriteByte(' ')
	count := l.count(gi)
	room := width - 3 - cells.Width(count) - 2
	kind := cells.Fit(safetext.Line(g.Kind), room, t.More)
	used := cells.Width(kind)
	t.Write(b, dimmed(g.KindRole), kind)
	if label := safetext.Line(g.Label); label != "" && room-used > 3 {
		if kind != "" {
			b.WriteString("  ")
			used += 2
		}
		label = cells.Fit(label, room-used, t.More)
		used += cells.Width(label)
		t.Write(b, style.Strong, label)
	}
	b.WriteString(cells.Spaces(width - 3 - used - cells.Width(count) - 1))
	t.Write(b, style.Dim, count)
	b.WriteString(cells.Spaces(min(1, width)))
}

// count says how many rows a group has, and how many of them are decided once
// the first one is. It has no sign of its own for all of them: a tick would read
// as "accepted" over a group that was rejected.
func (l *List) count(gi int) string {
	n, done := int(l.shown[gi]), int(l.done[gi])
	if done == 0 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(done) + "/" + strconv.Itoa(n)
}

func (l *List) drawRow(b *strings.Builder, t *style.Theme, at, width int, current, focused bool, look Look) {
	row := l.rows[at]
	indent := 1
	if !l.groups[l.owner[at]].headed() {
		indent = 0
	}
	b.WriteString(cells.Spaces(indent))
	sign, role := pointer(t, current, focused)
	t.Write(b, role, sign)
	if l.marked[row.ID] {
		t.Write(b, style.Accent, t.Marked)
	} else {
		b.WriteByte(' ')
	}
	glyph, glyphRole := look(row, l.state[at])
	t.Write(b, glyphRole, glyph)
	b.WriteByte(' ')
	room := width - indent - 4
	note := ""
	if row.Note != "" {
		note = cells.Fit(safetext.Line(row.Note), room/2, t.More)
	}
	noteWidth := cells.Width(note)
	titleRoom := room
	if note != "" {
		titleRoom -= noteWidth + 2
	}
	title := cells.Fit(safetext.Line(row.Title()), titleRoom, t.More)
	titleRole := style.Plain
	switch {
	case current:
		titleRole = style.Strong
	case l.state[at] == Decided:
		titleRole = style.Dim
	}
	t.Write(b, titleRole, title)
	if note == "" {
		b.WriteString(cells.Spaces(room - cells.Width(title)))
		return
	}
	b.WriteString(cells.Spaces(room - cells.Width(title) - noteWidth - 1))
	t.Write(b, dimmed(row.NoteRole), note)
	b.WriteByte(' ')
}

// dimmed is a role, or Dim where none was given.
func dimmed(r style.Role) style.Role {
	if r == style.Plain {
		return style.Dim
	}
	return r
}
