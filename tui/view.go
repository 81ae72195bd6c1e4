package tui

import (
	"fmt"
	"strconv"
	"strings"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/keymap"
	"docket/tui/style"
)

// sideBySide is the width from which the panes stand beside each other.
const sideBySide = 100

// layout is where things were drawn, for the mouse.
type layout struct {
	list, detail area
	tabs         int // the row of the tabs; -1 where there are none
	tabEnds      []int
}

// area is a rectangle inside borders.
type area struct{ x, y, width, height int }

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.width && y >= a.y && y < a.y+a.height
}

// draw returns the whole frame: exactly height rows, none wider than width.
func (m *model) draw() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	var rows []string
	switch {
	case m.tooSmall():
		rows = m.drawSmall()
	case m.screen == nil:
		rows = m.drawOpening()
	default:
		rows = m.drawMain()
	}
	return m.clamp(rows)
}

// clamp is the last word on the size of the frame: one row too many and the
// terminal loses the first.
func (m *model) clamp(rows []string) string {
	if len(rows) > m.height {
		rows = rows[:m.height]
	}
	for len(rows) < m.height {
		rows = append(rows, "")
	}
	for i := range rows {
		rows[i] = cells.Clamp(rows[i], m.width)
		if m.options.ASCII {
			rows[i] = cells.ASCII(rows[i], m.options.noUTF8)
		}
	}
	return strings.Join(rows, "\n")
}

// drawSmall says that nothing is decided in a window that shows nothing.
func (m *model) drawSmall() []string {
	lines := []string{
		fmt.Sprintf("%d%s%d is too small for docket", m.width, "x", m.height),
		fmt.Sprintf("it needs %dx%d; keys decide nothing here", minWidth, minHeight),
		"q quits",
	}
	var rows []string
	for range max((m.height-len(lines))/2, 0) {
		rows = append(rows, "")
	}
	for _, line := range lines {
		line = cells.Fit(line, m.width, m.theme.More)
		rows = append(rows, cells.Spaces((m.width-cells.Width(line))/2)+line)
	}
	return rows
}

func (m *model) drawMain() []string {
	rows := m.drawHead()
	height := m.height - len(rows) - 1
	top := len(rows)
	switch {
	case m.scope == keymap.Help:
		rows = append(rows, m.drawHelp(m.width, height)...)
	default:
		rows = append(rows, m.drawPanes(top, height)...)
	}
	switch m.scope {
	case keymap.List, keymap.Detail:
		if m.longNotice() {
			box := m.drawNotice(m.width)
			overlay(rows, box, top+height-len(box), 0)
		}
	case keymap.Reason:
		box := m.drawPrompt(m.width)
		overlay(rows, box, top+height-len(box), 0)
	case keymap.Choice:
		box := m.drawChoice(m.width)
		overlay(rows, box, top+height-len(box), 0)
	case keymap.Confirm:
		box := m.drawDialog(m.width, height)
		overlay(rows, box, top+max((height-len(box))/2, 0), max((m.width-visible(box[0]))/2, 0))
	}
	return append(rows, m.drawFooter())
}

// drawHead draws the two lines at the top, and a banner where there is one.
func (m *model) drawHead() []string {
	t, h := m.theme, m.head
	progress := strconv.Itoa(m.decided) + " decided "
	bar := m.bar(m.decided, m.list.Open(), 9)
	right := progress + bar
	if h.Count != "" {
		right = safetext.Line(h.Count) + " " + t.Dot + " " + right
	}
	var subject string
	for i, part := range h.Subject {
		if i > 0 {
			subject += " " + t.Dot + " "
		}
		subject += safetext.Line(part)
	}
	const around = 9 + 3 // what stands before the subject and behind it
	date := safetext.Line(h.Date)
	if age := safetext.Line(h.Age); age != "" && around+cells.Width(subject)+cells.Width(right)+3+cells.Width(age) <= m.width {
		date = age
	}
	if date != "" && m.width >= 90 {
		right += " " + t.Dot + " " + date
	}
	right = cells.Fit(right, m.width*2/3, t.More)
	room := m.width - around - cells.Width(right)
	subject = cells.Fit(subject, room, t.More)
	first := " " + t.Render(style.Accent, "docket") + "  " + t.Render(style.Strong, subject) +
		cells.Spaces(room-cells.Width(subject)+2) + t.Render(style.Dim, right)
	rows := []string{first, m.drawSummary()}
	if h.Banner != "" {
		banner := wrapLine(t, style.Of(style.Bad, "! "+h.Banner), m.width-2)
		for i, row := range banner[:min(len(banner), 3)] {
			banner[i] = " " + row
		}
		rows = append(rows, banner[:min(len(banner), 3)]...)
	}
	return rows
}

// drawSummary draws the parts of the second line that have room, whole.
func (m *model) drawSummary() string {
	t := m.theme
	var b strings.Builder
	used := 0
	for i, part := range m.head.Summary {
		text := make(style.Line, len(part))
		for j, span := range part {
			text[j] = style.Span{Text: safetext.Line(span.Text), Role: span.Role}
		}
		width, gap := cells.Width(text.String()), 3
		if i == 0 {
			gap = 1
		}
		if used+gap+width > m.width-1 {
			if i > 0 {
				b.WriteString(" " + t.Render(style.Dim, t.More))
				break
			}
			return " " + t.Render(style.Plain, cells.Fit(text.String(), m.width-2, t.More))
		}
		b.WriteString(cells.Spaces(gap))
		for _, span := range text {
			t.Write(&b, span.Role, span.Text)
		}
		used += gap + width
	}
	return b.String()
}

// drawPanes draws list and detail, beside each other where there is room.
func (m *model) drawPanes(top, height int) []string {
	if m.width >= sideBySide {
		left := min(max(m.width*32/100, 36), 64)
		list := m.drawList(0, top, left, height)
		detail := m.drawDetail(left, top, m.width-left, height)
		for i := range list {
			list[i] += detail[i]
		}
		return list
	}
	upper := max(height*36/100, 6)
	return append(m.drawList(0, top, m.width, upper), m.drawDetail(0, top+upper, m.width, height-upper)...)
}

func (m *model) drawList(x, y, width, height int) []string {
	m.layout.list = area{x + 1, y + 1, width - 2, height - 2}
	title := []string{m.spec.Title}
	if m.filter.on() {
		title = append(title, fmt.Sprintf("%d of %d", m.list.Matches(), m.list.Len()), "/"+m.filter.input.Value())
	}
	if n := m.list.Marks(); n > 0 {
		title = append(title, strconv.Itoa(n)+" marked")
	}
	rows := m.list.Draw(m.theme, width-2, height-2, m.scope != keymap.Detail, m.look)
	if m.list.Len() == 0 {
		rows[0] = m.theme.Render(style.Dim, "  nothing to decide")
	} else if m.list.Matches() == 0 {
		rows[0] = m.theme.Render(style.Dim, "  nothing matches the filter: esc drops it")
	}
	return m.box(boxed{title: title, rows: rows, width: width, focused: m.scope == keymap.List || m.scope == keymap.Filter})
}

// drawChoice draws the question after x.
func (m *model) drawChoice(width int) []string {
	var b strings.Builder
	for _, v := range m.spec.Verdicts {
		if v.Whole {
			continue
		}
		b.WriteString("  " + m.theme.Render(style.Accent, safetext.Line(m.keys.Called(v.word()))) + " " + safetext.Line(v.Name))
	}
	return m.box(boxed{title: []string{m.choice.target.name}, rows: []string{cells.Clamp(b.String(), width-2)}, width: width, focused: true})
}

// drawFooter draws the notice, the filter or the keys that matter here.
func (m *model) drawFooter() string {
	t := m.theme
	switch {
	case m.scope == keymap.Filter:
		return m.drawFilter(m.width)
	case m.notice.text != "" && (!m.longNotice() || m.scope&keymap.Main == 0):
		return " " + t.Render(m.notice.role, cells.Fit(safetext.Line(m.notice.text), m.width-2, t.More))
	}
	return m.drawKeys()
}
