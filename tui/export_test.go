package tui

import (
	"bytes"

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

// Said is what a word means in plain mode: a verdict, a verdict on a group, a
// command, an action of the screen's own, or "" for nothing. It asks in the order
// of obey.
func Said(spec Spec, word string) string {
	p := &plain{spec: spec}
	for _, v := range spec.Verdicts {
		switch word {
		case v.Key, v.Name:
			return "verdict"
		case v.Bulk:
			return "group"
		}
	}
	for _, c := range p.commands() {
		if word == c.key || word == c.word {
			return "command"
		}
	}
	for _, a := range spec.Actions {
		if word == a.Word {
			return "action"
		}
	}
	return ""
}

// Told is the help of plain mode.
func Told(spec Spec) string {
	var out bytes.Buffer
	(&plain{spec: spec, options: Options{}, out: &out}).help()
	return out.String()
}
