package tui

import (
	"docket/tui/cells"
	"docket/tui/keymap"
	"docket/tui/style"
)

// overview is the overlay with every key, made from the table. The library's own
// has no headings and wraps nothing, so that at 60 columns it would cut what a
// key does.
type overview struct{ top int }

func (m *model) obeyHelp(b keymap.Binding) {
	switch b.Do {
	case keymap.Up:
		m.help.top--
	case keymap.Down:
		m.help.top++
	case keymap.HalfUp, keymap.PageUp:
		m.help.top -= 8
	case keymap.HalfDown, keymap.PageDown:
		m.help.top += 8
	case keymap.Back:
		m.scope = keymap.List
	}
}

// drawHelp fills the space of the panes with the keys, in two columns where
// there is room.
func (m *model) drawHelp(width, height int) []string {
	inner := width - 2
	columns := 1
	if width >= sideBySide {
		columns = 2
	}
	sections := m.helpSections(inner/columns - 2)
	var rows []string
	if columns == 1 {
		for _, section := range sections {
			rows = append(rows, section...)
		}
	} else {
		left, right := balance(sections)
		for i := range max(len(left), len(right)) {
			row := ""
			if i < len(left) {
				row = left[i]
			}
			row += cells.Spaces(inner/2 - visible(row))
			if i < len(right) {
				row += right[i]
			}
			rows = append(rows, row)
		}
	}
	room := height - 2
	m.help.top = max(min(m.help.top, len(rows)-room), 0)
	foot := ""
	if len(rows) > room {
		if m.help.top < len(rows)-room {
			foot = "more: j"
		}
		rows = rows[m.help.top : m.help.top+room]
	}
	rows = append(rows, blank(room-len(rows))...)
	return m.box(boxed{title: []string{"keys", "esc closes"}, rows: rows, width: width, focused: true, foot: foot})
}

// helpSections draws each section with an empty row after it.
func (m *model) helpSections(width int) [][]string {
	t := m.theme
	var out [][]string
	for _, section := range m.keys.Help() {
		rows := []string{"  " + t.Render(style.Strong, section.Name)}
		for _, b := range section.Bindings {
			keys := cells.Pad(b.Help().Key, 8)
			for i, part := range cells.Wrap(b.Words(), width-12) {
				if i > 0 {
					keys = cells.Spaces(8)
				}
				rows = append(rows, "  "+t.Render(style.Accent, keys)+"  "+b.Words()[part.Start:part.End])
			}
		}
		out = append(out, append(rows, ""))
	}
	return out
}

// balance spreads sections over two columns of nearly one length, in order.
func balance(sections [][]string) (left, right []string) {
	total := 0
	for _, s := range sections {
		total += len(s)
	}
	for _, s := range sections {
		if len(right) == 0 && len(left)+len(s)/2 < total/2 {
			left = append(left, s...)
		} else {
			right = append(right, s...)
		}
	}
	return left, right
}
