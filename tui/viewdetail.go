package tui

import (
	"fmt"
	"slices"
	"strings"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/keymap"
	"docket/tui/list"
	"docket/tui/style"
)

// drawDetail draws the row under the cursor: its facts, its tabs, and the open
// tab; on the header of a group, the group.
func (m *model) drawDetail(x, y, width, height int) []string {
	d, t := &m.detail, m.theme
	inner := width - 2
	m.layout.detail, m.layout.tabs = area{x + 1, y + 1, inner, height - 2}, -1
	group, row := m.list.Selected()
	switch {
	case group == nil:
		return m.box(boxed{rows: blank(height - 2), width: width})
	case row == nil:
		return m.box(boxed{title: []string{group.Kind, group.Label}, rows: m.drawGroup(group, inner, height-2), width: width, focused: m.scope == keymap.Detail})
	}
	rows := m.drawFacts(inner, height/3)
	if len(d.shown.Tabs) > 1 {
		m.layout.tabs = y + 1 + len(rows)
		rows = append(rows, m.drawTabs(x+1, inner))
	}
	if d.loading {
		rows = append(rows, "   "+t.Render(style.Dim, "loading"))
	}
	room := max(height-2-len(rows), 1)
	rows = append(rows, d.pane.Draw(t, inner-1, room, m.scope == keymap.Detail, m.lookPart)...)
	foot := ""
	switch above, below := d.pane.More(); {
	case below:
		foot = "more: J"
	case above:
		foot = "end: K goes back"
	}
	return m.box(boxed{title: d.shown.Title, rows: rows[:height-2], width: width, focused: m.scope == keymap.Detail, foot: foot})
}

func blank(height int) []string { return make([]string, max(height, 0)) }

// drawFacts draws labelled sentences in at most limit rows.
func (m *model) drawFacts(width, limit int) []string {
	t := m.theme
	label := 5
	for _, fact := range m.detail.shown.Facts {
		label = max(label, cells.Width(safetext.Line(fact.Label)))
	}
	label = min(label, width/4) + 2
	var rows []string
	for _, fact := range m.detail.shown.Facts {
		rows = append(rows, drawFact(t, fact, label, width)...)
	}
	limit = max(limit, 1)
	if len(rows) > limit {
		rows = rows[:limit]
		last := cells.Clamp(rows[limit-1], width-cells.Width(t.More))
		rows[limit-1] = last + t.Render(style.Accent, t.More)
	}
	return rows
}

func drawFact(t *style.Theme, fact Fact, label, width int) []string {
	name := cells.Fit(safetext.Line(fact.Label), label-1, t.More)
	lines := wrapLine(t, style.Of(fact.Role, fact.Text), width-label-2)
	aside := cells.Fit(safetext.Line(fact.Aside), width-label-2, t.More)
	if aside != "" {
		last := lines[len(lines)-1]
		free := width - 2 - label - visible(last) - cells.Width(aside)
		if free < 2 {
			lines = append(lines, "")
			last, free = "", width-2-label-cells.Width(aside)
		}
		lines[len(lines)-1] = last + cells.Spaces(free) + t.Render(style.Dim, aside)
	}
	for i := range lines {
		head := cells.Spaces(label)
		if i == 0 {
			head = t.Render(style.Dim, name) + cells.Spaces(label-cells.Width(name))
		}
		lines[i] = " " + head + lines[i]
	}
	return lines
}

// drawTabs draws the names of the tabs with their digits, the open one in
// brackets.
func (m *model) drawTabs(x, width int) string {
	t := m.theme
	var b strings.Builder
	used := 1
	b.WriteByte(' ')
	m.layout.tabEnds = m.layout.tabEnds[:0]
	unseen := m.looked.unseen(m.detail.row, m.spec.MustSee)
	for i, tab := range m.detail.shown.Tabs {
		name := safetext.Line(tab.Name)
		if bound, ok := m.keys.Find(keymap.List, fmt.Sprint(i+1)); ok && bound.Do == keymap.Tab {
			name = fmt.Sprint(i+1) + " " + name
		}
		if slices.Contains(unseen, tab.Name) {
			name += " " + t.Todo
		}
		name = cells.Fit(name, max(width-used-4, 1), t.More)
		if i == m.detail.tab {
			t.Write(&b, style.Accent, "["+name+"]")
		} else {
			role := style.Dim
			if slices.Contains(unseen, tab.Name) {
				role = style.Strong
			}
			b.WriteByte(' ')
			t.Write(&b, role, name)
			b.WriteByte(' ')
		}
		b.WriteByte(' ')
		used += cells.Width(name) + 3
		m.layout.tabEnds = append(m.layout.tabEnds, x+used)
	}
	return b.String()
}

// drawGroup draws what there is to know about a group: how far it is decided,
// and what a verdict on it would fall on.
func (m *model) drawGroup(group *list.Group, width, height int) []string {
	t := m.theme
	total, done := m.list.Counts(group.ID)
	unopened := m.list.Unseen(group.ID)
	open := m.list.Decidable(group.ID)
	progress := fmt.Sprintf(", %d decided, %d never opened", done, unopened)
	if open == 0 {
		progress = fmt.Sprintf(", nothing to decide, %d never opened", unopened)
	}
	lines := []style.Line{{{Text: counted(total, m.spec), Role: style.Strong}, {Text: progress, Role: style.Plain}}}
	for _, about := range group.About {
		lines = append(lines, style.Of(style.Plain, about))
	}
	lines = append(lines, nil)
	for _, v := range m.spec.Verdicts {
		if v.Bulk != "" && open > 0 {
			lines = append(lines, style.Line{{Text: v.Bulk, Role: style.Accent}, {Text: " " + v.Name + " what is undecided here, after a question", Role: style.Dim}})
		}
	}
	lines = append(lines, style.Line{{Text: "enter", Role: style.Accent}, {Text: " folds and unfolds", Role: style.Dim}})
	var rows []string
	for _, line := range lines {
		for _, row := range wrapLine(t, line, width-3) {
			rows = append(rows, "  "+row)
		}
	}
	rows = append(rows, blank(height-len(rows))...)
	return rows[:height]
}
