package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/keymap"
)

// What the tests of the frame ask of it beyond what it draws. They stand outside
// the package, since the driver that they share with all screens imports it.

// SignalDelay is how long a signal may take to reach all who asked for it.
const SignalDelay = signalDelay

// Selected is the row under the cursor; "" on a header.
func Selected(m tea.Model) string {
	if row := m.(*model).selected(); row != nil {
		return row.ID
	}
	return ""
}

// Filtered is the text of the filter.
func Filtered(m tea.Model) string { return m.(*model).filter.input.Value() }

// Keys is the table of the keys.
func Keys(m tea.Model) *keymap.Table { return m.(*model).keys }

// Edited is what an editor that ended well sends.
func Edited() tea.Msg { return editedMsg{} }

// Report is what is told after a panic.
func Report(m tea.Model) error { return m.(*model).crash.report(m.(*model).spec.Command) }
