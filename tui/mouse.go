package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/keymap"
)

// wheel is how many rows one notch of the wheel scrolls.
const wheel = 3

// handleMouse selects and scrolls. A click never decides: it may only have
// meant to bring the window to the front.
func (m *model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	if m.screen == nil || m.tooSmall() || msg.Action != tea.MouseActionPress {
		return nil
	}
	if m.scope == keymap.Help || m.scope == keymap.Confirm {
		m.scrollOver(msg)
		return nil
	}
	if m.scope != keymap.List && m.scope != keymap.Detail {
		return nil
	}
	inList, inDetail := m.layout.list.holds(msg.X, msg.Y), m.layout.detail.holds(msg.X, msg.Y)
	switch msg.Button {
	case tea.MouseButtonWheelUp, tea.MouseButtonWheelDown:
		n := wheel
		if msg.Button == tea.MouseButtonWheelUp {
			n = -wheel
		}
		if inDetail {
			m.detail.pane.Scroll(n)
		} else if inList {
			m.list.Scroll(n)
		}
	case tea.MouseButtonLeft:
		switch {
		case inList:
			m.scope = keymap.List
			again := m.list.Click(msg.Y - m.layout.list.y)
			if group, row := m.list.Selected(); again && row == nil && group != nil {
				m.list.SetFolded(group.ID, !m.list.IsFolded(group.ID))
			}
		case inDetail:
			m.clickDetail(msg)
		}
	}
	return nil
}

// clickDetail opens the tab under the pointer, or gives the pane the focus.
func (m *model) clickDetail(msg tea.MouseMsg) {
	m.scope = keymap.Detail
	if msg.Y != m.layout.tabs {
		return
	}
	for i, end := range m.layout.tabEnds {
		if msg.X < end {
			m.detail.openTab(i)
			return
		}
	}
}

func (m *model) scrollOver(msg tea.MouseMsg) {
	n := 0
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		n = -wheel
	case tea.MouseButtonWheelDown:
		n = wheel
	}
	if m.scope == keymap.Help {
		m.help.top += n
	} else {
		m.dialog.top += n
	}
}

// toggleMouse gives the mouse back to the terminal, so that text can be
// selected, or takes it again.
func (m *model) toggleMouse() tea.Cmd {
	m.mouseOff = !m.mouseOff
	if m.mouseOff {
		m.say("the mouse selects text now; M gives it back to docket")
		return tea.DisableMouse
	}
	m.say("the mouse selects rows and scrolls")
	return tea.EnableMouseCellMotion
}

// regainTerminal repairs what a pause of the program leaves behind: Bubble Tea
// does not take the mouse again by itself (charmbracelet/bubbletea#1424).
func (m *model) regainTerminal() tea.Cmd {
	if m.mouseOff {
		return tea.ClearScreen
	}
	return tea.Batch(tea.ClearScreen, tea.EnableMouseCellMotion)
}
