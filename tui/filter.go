package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/keymap"
	"docket/tui/list"
	"docket/tui/style"
)

// filter narrows the list while it is typed. Letters that come while the texts
// it looks at are still being made, as right after opening a hundred thousand
// rows, wait for nothing: the list follows once the texts are there. Any other
// key finds the filter done, so that what it acts on is what is shown.
type filter struct {
	input   textinput.Model
	kept    string // what Esc goes back to
	problem string
	due     bool // the list does not follow what is typed yet
	waiting bool // a command tells when it can
}

// textsMsg says that the texts of all rows are made.
type textsMsg struct{}

func (f *filter) on() bool { return f.input.Value() != "" }

func (m *model) startFilter() {
	f := &m.filter
	value := f.input.Value()
	f.input = textinput.New()
	f.input.CharLimit = 500
	f.input.SetValue(value)
	f.input.CursorEnd()
	f.input.Focus()
	f.kept = value
	m.scope = keymap.Filter
}

func (m *model) obeyFilter(b keymap.Binding) {
	switch b.Do {
	case keymap.Accept:
		if m.filter.problem != "" {
			return // what is not understood is not kept; the line says why
		}
		m.scope = keymap.List
		if m.filter.on() && m.list.Matches() == 0 {
			m.complain("nothing matches the filter: esc drops it")
		}
	case keymap.Back:
		m.scope = keymap.List
		m.dropFilter()
	}
}

func (m *model) dropFilter() {
	m.filter.input.SetValue("")
	m.applyFilter()
}

// applyFilter compiles what is typed: words that must all occur, and terms
// such as status:regressed, which the screen understands. A term that it does
// not understand matches nothing, but for one that is only begun.
func (m *model) applyFilter() {
	m.list.Filter(m.filter.compile(m.spec))
	m.filter.due = false
}

// narrow is applyFilter after a letter, for which Update does not wait.
func (m *model) narrow() tea.Cmd {
	texts, f := m.list.Texts(), &m.filter
	select {
	case <-texts:
		m.applyFilter()
		return nil
	default:
	}
	f.compile(m.spec)
	f.due = true
	if f.waiting {
		return nil
	}
	f.waiting = true
	return guard(func() tea.Msg {
		select {
		case <-texts:
			return textsMsg{}
		case <-m.ctx.Done():
			return nil
		}
	})
}

// catchUp has the list follow what is typed, where it does not yet.
func (m *model) catchUp() {
	if m.filter.due {
		m.applyFilter()
	}
}

// compile compiles what is typed, and keeps what is wrong with it.
func (f *filter) compile(spec Spec) (words []string, conditions []func(*list.Row) bool) {
	words, conditions, err := compileFilter(spec, f.input.Value())
	f.problem = ""
	if err != nil {
		f.problem = err.Error()
	}
	return words, conditions
}

func compileFilter(spec Spec, text string) (words []string, conditions []func(*list.Row) bool, err error) {
	for _, word := range strings.Fields(text) {
		key, value, isTerm := strings.Cut(word, ":")
		if !isTerm || spec.Term == nil || !known(spec, key) {
			words = append(words, strings.ToLower(word))
			continue
		}
		holds, problem := spec.Term(key, value)
		if problem != nil {
			err = problem
			if value != "" {
				conditions = append(conditions, func(*list.Row) bool { return false })
			}
			continue
		}
		if spec.Text != nil {
			if text := spec.Text(key, value); text != "" {
				words = append(words, list.Beginning(text))
				continue
			}
		}
		conditions = append(conditions, holds)
	}
	return words, conditions, err
}

// known reports whether the filter has such a key; "10:30" is only a word.
func known(spec Spec, key string) bool {
	for _, term := range spec.Terms {
		if strings.EqualFold(term, key) {
			return true
		}
	}
	return false
}

// drawFilter draws the line that a filter is typed in.
func (m *model) drawFilter(width int) string {
	t := m.theme
	right := strconv.Itoa(m.list.Matches()) + " of " + strconv.Itoa(m.list.Len())
	role := style.Dim
	switch {
	case m.filter.problem != "":
		right, role = m.filter.problem, style.Bad
	case m.filter.due:
		right = "looking through " + strconv.Itoa(m.list.Len())
	case m.list.Matches() == 0:
		role = style.Bad
	}
	hint := "enter keep  esc drop"
	if !m.filter.on() && len(m.spec.Terms) > 0 {
		hint = "words, or " + strings.Join(m.spec.Terms, ": ") + ":"
	}
	most := width / 3
	if m.filter.problem != "" {
		most = max(width-8-cells.Width(safetext.Line(m.filter.input.Value())), most)
	}
	right = cells.Fit(safetext.Line(right), most, t.More)
	room := width - cells.Width(right) - 5
	if cells.Width(hint) < room-24 {
		room -= cells.Width(hint) + 2
	} else {
		hint = ""
	}
	input := drawInput(t, m.filter.input, room)
	row := " " + t.Render(style.Accent, "/") + input
	pad := cells.Spaces(room - visible(input))
	row += pad + "  " + t.Render(role, right)
	if hint != "" {
		row += "  " + t.Render(style.Dim, hint)
	}
	return row
}
