package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/keymap"
)

// burstGap is how long after the last key a key must come to count as pressed
// by a person who saw what that key did. Keys of one read follow each other
// within microseconds; the fastest hands need 30 ms.
const burstGap = 5 * time.Millisecond

// A held key decides, or leads to it, and waits for burstGap: the first key of a
// burst looks like one that a person pressed, until the second comes.
type held struct {
	binding keymap.Binding
	name    string
	scope   keymap.Scope
	row     string // under the cursor when it was pressed
}

// settledMsg says that a held key has waited.
type settledMsg struct{ key *held }

// inBurst reports whether a message that comes now follows a key too closely for
// a hand.
func (m *model) inBurst(now time.Time) bool {
	return !m.lastKey.IsZero() && now.Sub(m.lastKey) < burstGap
}

// hold keeps a key back until it is certain that no other follows it.
func (m *model) hold(b keymap.Binding, name string) tea.Cmd {
	if m.options.Instant {
		return m.press(b, name)
	}
	m.held = &held{b, name, m.scope, m.under()}
	return m.wait(m.held)
}

func (m *model) wait(key *held) tea.Cmd {
	return tea.Tick(burstGap, func(time.Time) tea.Msg { return settledMsg{key} })
}

// settle obeys a key that nothing followed, where it would still do what it did
// when it was pressed.
func (m *model) settle(msg settledMsg) tea.Cmd {
	key := m.held
	switch {
	case key == nil || key != msg.key:
		return nil
	case m.inBurst(m.options.Now()): // a frame was drawn meanwhile, and keys may wait behind it
		return m.wait(key)
	}
	m.held = nil
	if m.leaving || m.tooSmall() || m.scope != key.scope || m.under() != key.row {
		return nil
	}
	return m.press(key.binding, key.name)
}

// followed drops a held key, since another came.
func (m *model) followed() {
	if m.held != nil {
		m.refuseBurst(m.held.binding)
		m.held = nil
	}
}

func (m *model) refuseBurst(b keymap.Binding) {
	m.say("keys that come in one burst decide nothing: press " + b.Help().Key + " again")
}

// under names the row under the cursor, "" on the header of a group.
func (m *model) under() string {
	if row := m.selected(); row != nil {
		return row.ID
	}
	return ""
}
