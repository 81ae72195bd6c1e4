package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/keymap"
	"docket/tui/style"
)

// dialog asks a question with two answers. The harmless one has the focus, so
// that neither Enter nor the key that opened the dialog acts.
type dialog struct {
	title string
	lines []style.Line
	no    string
	yes   string // empty: there is nothing to do but to go back
	act   func() tea.Cmd

	onYes  bool
	top    int
	long   bool // it has more lines than the window shows
	back   keymap.Scope
	opener string // the key that opened it
}

// lettered reports whether y does it. It does not where it opened the dialog,
// since a key that is held or pressed twice would go through both.
func (d *dialog) lettered() bool { return d.opener != "y" }

func (m *model) openDialog(d *dialog) {
	d.back = keymap.List
	if m.scope == keymap.Detail {
		d.back = keymap.Detail
	}
	d.opener = m.pressed
	m.dialog = d
	m.scope = keymap.Confirm
}

func (m *model) obeyDialog(b keymap.Binding) tea.Cmd {
	d := m.dialog
	switch b.Do {
	case keymap.Switch:
		d.onYes = !d.onYes && d.yes != ""
	case keymap.Up:
		d.top--
	case keymap.Down:
		d.top++
	case keymap.HalfUp, keymap.PageUp:
		d.top -= 5
	case keymap.HalfDown, keymap.PageDown:
		d.top += 5
	case keymap.Back:
		m.closeDialog()
	case keymap.Yes, keymap.Accept:
		if b.Do == keymap.Accept && !d.onYes || d.yes == "" {
			m.closeDialog()
			return nil
		}
		m.closeDialog()
		return d.act()
	}
	return nil
}

func (m *model) closeDialog() {
	m.scope = m.dialog.back
	m.dialog = nil
}

// drawDialog draws the box over the middle of the frame.
func (m *model) drawDialog(width, height int) []string {
	d, t := m.dialog, m.theme
	inner := min(width-8, 84)
	var rows []string
	for _, line := range d.lines {
		rows = append(rows, wrapLine(t, line, inner-2)...)
	}
	room := height - 6
	d.top = max(min(d.top, len(rows)-room), 0)
	d.long = len(rows) > room
	if d.long {
		more := len(rows) - room
		rows = rows[d.top : d.top+room]
		if d.top < more {
			rows[room-1] = t.Render(style.Dim, "more below: j")
		}
	}
	for i := range rows {
		rows[i] = "  " + rows[i]
	}
	rows = append(rows, "", "  "+d.choices(t))
	return m.box(boxed{title: []string{d.title}, rows: rows, width: inner + 4, focused: true})
}

// choices shows the two answers with their letters; brackets are around what
// Enter takes.
func (d *dialog) choices(t *style.Theme) string {
	if d.yes == "" {
		return t.Render(style.Accent, "[ n  "+d.no+" ]")
	}
	letter := "y"
	if !d.lettered() {
		letter = "tab"
	}
	if d.onYes {
		return "  n  " + d.no + "      " + t.Render(style.Accent, "[ "+letter+"  "+d.yes+" ]")
	}
	return t.Render(style.Accent, "[ n  "+d.no+" ]") + "      " + letter + "  " + d.yes + "  "
}

// wrapLine wraps a line of spans, each made safe, into styled rows.
func wrapLine(t *style.Theme, line style.Line, width int) []string {
	var text strings.Builder
	type run struct {
		end  int
		role style.Role
	}
	var runs []run
	for _, span := range line {
		text.WriteString(safetext.Line(span.Text))
		runs = append(runs, run{text.Len(), span.Role})
	}
	var rows []string
	for _, row := range cells.Wrap(text.String(), width) {
		var b strings.Builder
		from := 0
		for _, r := range runs {
			if lo, hi := max(from, row.Start), min(r.end, row.End); lo < hi {
				t.Write(&b, r.role, text.String()[lo:hi])
			}
			from = r.end
		}
		rows = append(rows, b.String())
	}
	return rows
}
