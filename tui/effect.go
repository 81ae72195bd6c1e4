package tui

import (
	"context"
	"fmt"
	"os/exec"
	"runtime/debug"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"docket/engine/safetext"
)

// crash is a panic, kept until the terminal is restored: what is printed
// before that vanishes with the alternate screen.
type crash struct {
	value string
	stack string
}

func newCrash(r any) *crash { return &crash{fmt.Sprint(r), string(debug.Stack())} }

// guard makes a command of work that runs outside Update. A panic in it
// becomes a message, which ends the program in order.
func guard(work func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = newCrash(r)
			}
		}()
		return work()
	}
}

// effectMsg brings what an action's work asks for.
type effectMsg struct{ effect Effect }

// editedMsg says that the user's editor ended.
type editedMsg struct {
	err  error
	then func(context.Context) Effect // may be nil
}

// act does an action of the screen's own.
func (m *model) act(a Action) tea.Cmd {
	at := At{Row: m.selected(), Part: m.detail.pane.Key()}
	if len(m.detail.shown.Tabs) > 0 {
		at.Tab = m.detail.shown.Tabs[m.detail.tab].Name
	}
	if a.Tab != "" && at.Tab != a.Tab {
		m.say(m.keys.Called(a.Word) + " (" + a.Name + ") works in the tab " + a.Tab)
		return nil
	}
	for _, row := range m.list.Marked() {
		at.Marked = append(at.Marked, row.ID)
	}
	return m.perform(a.Do(at))
}

// perform does what an effect asks for.
func (m *model) perform(e Effect) tea.Cmd {
	if e.Notice != "" {
		m.say(e.Notice)
		if e.Failed {
			m.complain(e.Notice)
		}
	}
	if e.Then != nil {
		e.Then()
		m.marks = newMarks(m.spec.Session.Marks())
	}
	switch {
	case e.Regroup:
		m.regroup(m.grouping)
	case e.Reload:
		m.detail.forget()
		m.head = m.screen.Head()
	}
	var cmds []tea.Cmd
	if e.Copy != "" {
		cmds = append(cmds, m.copy(e.Copy))
	}
	if e.Edit != "" {
		cmds = append(cmds, m.edit(e.Edit, e.Edited))
	}
	if e.Work != nil {
		cmds = append(cmds, guard(func() tea.Msg { return effectMsg{e.Work(m.ctx)} }))
	}
	return tea.Batch(cmds...)
}

// copy sends a text to the terminal's clipboard. Whether the terminal takes it
// cannot be known, and the notice does not pretend so.
func (m *model) copy(text string) tea.Cmd {
	text = safetext.Block(text)
	m.say("sent to the terminal's clipboard, which may ignore it: " + text)
	out := m.options.Out
	return guard(func() tea.Msg {
		if out != nil {
			fmt.Fprint(out, ansi.SetSystemClipboard(text))
		}
		return nil
	})
}

// edit opens a file in the user's editor, which gets the terminal meanwhile.
func (m *model) edit(path string, then func(context.Context) Effect) tea.Cmd {
	return m.inEditor(path, func(err error) tea.Msg { return editedMsg{err, then} })
}

// inEditor opens a file in the user's editor, and sends what then makes of its
// end.
func (m *model) inEditor(path string, then tea.ExecCallback) tea.Cmd {
	words := strings.Fields(m.options.Getenv("VISUAL"))
	if len(words) == 0 {
		words = strings.Fields(m.options.Getenv("EDITOR"))
	}
	if len(words) == 0 {
		words = []string{"vi"}
	}
	m.editing.Add(1)
	editor := exec.Command(words[0], append(words[1:], path)...)
	return tea.ExecProcess(editor, then)
}

func (m *model) edited(msg editedMsg) tea.Cmd {
	m.detail.forget()
	regain := m.editorEnded(msg.err)
	if msg.err == nil && msg.then != nil {
		return tea.Batch(regain, guard(func() tea.Msg { return effectMsg{msg.then(m.ctx)} }))
	}
	return regain
}

// editorEnded takes the terminal back from the editor.
func (m *model) editorEnded(err error) tea.Cmd {
	// The interrupt that ended the editor may reach docket after its end did.
	time.AfterFunc(signalDelay, func() { m.editing.Add(-1) })
	if err != nil {
		m.complain(fmt.Sprintf("the editor did not end well (set EDITOR to choose another): %v", err))
	}
	return m.regainTerminal()
}
