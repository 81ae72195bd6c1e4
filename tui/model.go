package tui

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/keymap"
	"docket/tui/list"
	"docket/tui/style"
)

// The smallest window that shows enough to decide on.
const (
	minWidth  = 60
	minHeight = 16
)

// model is the state of the frame. Its methods are in files by concern; only
// Update changes it, and only what a session or a screen returned to Update.
type model struct {
	ctx     context.Context
	options Options
	theme   *style.Theme

	opening  opening
	screen   Screen
	spec     Spec
	keys     *keymap.Table
	head     Head
	grouping int

	list    list.List
	marks   *marks
	decided int

	scope   keymap.Scope // where keys go
	pressed string       // the key that is obeyed
	detail  detail
	looked  looked
	filter  filter
	prompt  prompt
	choice  choice
	dialog  *dialog
	help    overview
	footer  footer

	queue    queue
	notice   notice
	lastKey  time.Time
	held     *held
	width    int
	height   int
	layout   layout
	mouseOff bool
	editing  *atomic.Int32 // how many editors have the terminal, or had it just now

	frame   string
	leaving bool // as soon as the queue is empty
	closing *Closing
	signal  string
	failure error
	crash   *crash
}

// notice is a sentence at the bottom, until the next key.
type notice struct {
	text string
	role style.Role
}

// New returns the frame as a model of Bubble Tea, without a terminal: for
// tests and for pictures. Run is what opens a screen.
func New(ctx context.Context, open Opener, o Options) tea.Model { return newModel(ctx, open, o) }

// Crashed returns the panic, with its stack, that ended a model of New; "" where
// there was none.
func Crashed(m tea.Model) string {
	if own, ok := m.(*model); ok && own.crash != nil {
		return own.crash.value + "\n" + own.crash.stack
	}
	return ""
}

func newModel(ctx context.Context, open Opener, o Options) *model {
	o = o.withDefaults()
	m := &model{ctx: ctx, options: o, theme: o.Palette.Theme(style.Terminal{Colour: o.Colour, Sixteen: o.Sixteen, ASCII: o.ASCII}), scope: keymap.List, editing: &atomic.Int32{}}
	m.opening.open = open
	m.width, m.height = o.Width, o.Height
	return m
}

// Init opens the screen.
func (m *model) Init() tea.Cmd { return tea.Batch(m.openScreen(), m.pollProgress()) }

// View returns the frame that Update drew: Bubble Tea asks for it after every
// message, whether or not it changed anything.
func (m *model) View() string { return m.frame }

// adopt takes a screen over once it is open.
func (m *model) adopt(s Screen) error {
	spec := s.Spec()
	keys, err := keymap.New(bindings(spec), m.options.Keys)
	if err != nil {
		return err
	}
	m.screen, m.spec, m.keys = s, spec, keys
	if keyed, ok := s.(Keyed); ok {
		keyed.SetKeys(keys.Called)
	}
	before := spec.Session.Marks()
	m.marks = newMarks(before)
	m.looked = looked{}
	m.prompt.remember(spec, before)
	m.detail.init()
	m.detail.options.Key = keys.Called("unchanged")
	m.regroup(0)
	m.list.FirstUndecided()
	m.notice = notice{spec.Notice, style.Accent}
	if m.options.Hint != nil && spec.Notice == "" {
		m.notice.text = m.options.Hint(m.keys.Called)
	}
	if spec.ReadOnly != "" {
		m.notice = notice{spec.ReadOnly, style.Bad}
	}
	return nil
}

// regroup asks the screen for its rows.
func (m *model) regroup(grouping int) {
	m.grouping = grouping
	m.list.SetGroups(m.screen.Groups(grouping), m.stateOf)
	m.applyFilter()
	m.recount()
	m.head = m.screen.Head()
	m.detail.forget()
}

// stateOf tells the list how a row stands.
func (m *model) stateOf(id string) list.State {
	switch {
	case m.queue.pending[id] > 0:
		return list.Pending
	case m.marks.whole[id].Verdict != "":
		return list.Decided
	case len(m.marks.parts[id]) > 0:
		return list.Partly
	}
	return list.Undecided
}

// recount counts the decided rows that the list has: the session may know of
// rows that are no longer there.
func (m *model) recount() {
	m.decided = 0
	for id := range m.marks.whole {
		if m.list.Row(id) != nil {
			m.decided++
		}
	}
}

// selected returns the row under the cursor, or nil.
func (m *model) selected() *list.Row {
	_, row := m.list.Selected()
	return row
}

// look is the sign of a row in the list.
func (m *model) look(row *list.Row, state list.State) (string, style.Role) {
	switch state {
	case list.Pending:
		return m.theme.Pending, style.Dim
	case list.Decided:
		return m.verdictSign(m.marks.whole[row.ID].Verdict)
	case list.Closed:
		return "!", style.Bad
	case list.Partly:
		return m.theme.Partly, style.Accent
	default:
		return m.theme.Todo, style.Dim
	}
}

// verdictSign is the sign of a verdict; one that the screen does not name,
// such as of a row decided part by part, has the sign of a partial decision.
func (m *model) verdictSign(id string) (string, style.Role) {
	for _, v := range m.spec.Verdicts {
		if v.ID == id {
			if m.options.ASCII {
				return v.ASCII, v.Role
			}
			return v.Glyph, v.Role
		}
	}
	return m.theme.Partly, style.Good
}

// lookPart is the sign of a part that was decided alone.
func (m *model) lookPart(key string) (string, style.Role, bool) {
	row := m.selected()
	if row == nil {
		return "", 0, false
	}
	mark, ok := m.marks.part(row.ID, key)
	if !ok {
		return "", 0, false
	}
	sign, role := m.verdictSign(mark.Verdict)
	return sign, role, true
}

// say puts a sentence at the bottom.
func (m *model) say(text string) { m.notice = notice{text, style.Accent} }

// complain puts a sentence about something that did not work at the bottom.
func (m *model) complain(text string) { m.notice = notice{text, style.Bad} }
