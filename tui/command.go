package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/keymap"
	"docket/tui/style"
)

// obey does what a binding says, where the keys go now.
func (m *model) obey(b keymap.Binding) tea.Cmd {
	switch b.Do {
	case keymap.Interrupt:
		return m.leave()
	case keymap.Suspend:
		return tea.Suspend
	case keymap.Quit:
		return m.leave()
	}
	switch m.scope {
	case keymap.Filter:
		m.obeyFilter(b)
		return nil
	case keymap.Reason:
		return m.obeyPrompt(b)
	case keymap.Choice:
		return m.obeyChoice(b)
	case keymap.Confirm:
		return m.obeyDialog(b)
	case keymap.Help:
		m.obeyHelp(b)
		return nil
	}
	if m.move(b) {
		return nil
	}
	switch b.Do {
	case keymap.Verdict:
		return m.askVerdict(b.Arg)
	case keymap.Bulk:
		return m.askBulk(b.Arg)
	case keymap.Part:
		m.askPart()
	case keymap.Undo:
		return m.undo(false)
	case keymap.Redo:
		return m.undo(true)
	case keymap.Write:
		return m.plan()
	case keymap.Custom:
		return m.act(m.spec.Actions[b.Arg])
	case keymap.Copy:
		if row := m.selected(); row != nil {
			return m.perform(Effect{Copy: row.ID})
		}
	case keymap.Mouse:
		return m.toggleMouse()
	default:
		m.display(b)
	}
	return nil
}

// move does what only moves the cursor or the sight, and reports whether the
// binding was one of those.
func (m *model) move(b keymap.Binding) bool {
	inDetail := m.scope == keymap.Detail
	switch b.Do {
	case keymap.Up, keymap.Down:
		n := 1
		if b.Do == keymap.Up {
			n = -1
		}
		if inDetail {
			m.detail.pane.Move(n)
		} else {
			m.list.Move(n)
		}
	case keymap.HalfUp, keymap.HalfDown, keymap.PageUp, keymap.PageDown:
		halves := map[keymap.Action]int{keymap.HalfUp: -1, keymap.HalfDown: 1, keymap.PageUp: -2, keymap.PageDown: 2}[b.Do]
		if inDetail {
			m.detail.pane.Page(halves)
		} else {
			m.list.Page(halves)
		}
	case keymap.Top:
		if inDetail {
			m.detail.pane.Top()
		} else {
			m.list.Top()
		}
	case keymap.Bottom:
		if inDetail {
			m.detail.pane.Bottom()
		} else {
			m.list.Bottom()
		}
	case keymap.ScrollUp:
		m.detail.pane.Scroll(-1)
	case keymap.ScrollDown:
		m.detail.pane.Scroll(1)
	case keymap.NextOpen:
		if !m.list.NextUndecided(1) {
			m.sayNoneLeft()
		}
	case keymap.PreviousOpen:
		if !m.list.NextUndecided(-1) {
			m.sayNoneLeft()
		}
	case keymap.NextGroup, keymap.PreviousGroup:
		direction := 1
		if b.Do == keymap.PreviousGroup {
			direction = -1
		}
		if !m.list.NextGroup(direction) {
			m.say("there is no other group that way")
		}
	case keymap.Fold, keymap.Unfold:
		if group, _ := m.list.Selected(); group != nil && m.scope == keymap.List {
			m.list.SetFolded(group.ID, b.Do == keymap.Fold)
		}
	default:
		return false
	}
	return true
}

// sayNoneLeft answers n and N where they cannot move.
func (m *model) sayNoneLeft() {
	switch {
	case m.list.Matches() < m.list.Len():
		m.say("no other undecided " + m.spec.One + " passes the filter")
	case m.decided == m.list.Open():
		m.say("all are decided: " + m.keys.Called("write") + " shows what will be written")
	default:
		m.say("no other " + m.spec.One + " is undecided")
	}
}

// display does what changes how things are shown.
func (m *model) display(b keymap.Binding) {
	switch b.Do {
	case keymap.Enter:
		if group, row := m.list.Selected(); m.scope == keymap.List && group != nil && row == nil {
			m.list.SetFolded(group.ID, !m.list.IsFolded(group.ID))
			return
		}
		m.switchPane()
	case keymap.OtherPane:
		m.switchPane()
	case keymap.Back:
		m.stepBack()
	case keymap.Tab:
		m.detail.openTab(b.Arg)
	case keymap.TabNext:
		m.detail.turnTab(1)
	case keymap.TabPrevious:
		m.detail.turnTab(-1)
	case keymap.Mark:
		m.markRow()
	case keymap.StartFilter:
		m.startFilter()
	case keymap.Grouping:
		m.regroup((m.grouping + 1) % len(m.spec.Groupings))
		m.say("grouped by " + m.spec.Groupings[m.grouping])
	case keymap.Layout:
		m.detail.options.Stacked = !m.detail.options.Stacked
	case keymap.Wrap:
		m.detail.options.Cut = !m.detail.options.Cut
	case keymap.Unchanged:
		m.detail.options.All = !m.detail.options.All
	case keymap.ShowHelp:
		m.help.top = 0
		m.scope = keymap.Help
	}
}

func (m *model) switchPane() {
	if m.scope == keymap.List {
		m.scope = keymap.Detail
	} else {
		m.scope = keymap.List
	}
}

// stepBack leaves the detail, then drops the filter, then the marks. It never
// leaves the screen and never decides.
func (m *model) stepBack() {
	switch {
	case m.scope == keymap.Detail:
		m.scope = keymap.List
	case m.filter.on():
		m.dropFilter()
	case m.list.Marks() > 0:
		m.list.ClearMarks()
	}
}

func (m *model) markRow() {
	row := m.selected()
	if row == nil {
		group, _ := m.list.Selected()
		if group == nil {
			return
		}
		for _, member := range m.list.Members(group.ID) {
			if !m.list.IsMarked(member.ID) {
				m.list.ToggleMark(member.ID)
			}
		}
		m.notice = notice{counted(m.list.Marks(), m.spec) + " marked", style.Accent}
		return
	}
	m.list.ToggleMark(row.ID)
	m.list.Move(1)
}

// leave ends the program, once what is on its way to the disk is there.
func (m *model) leave() tea.Cmd {
	m.leaving = true
	if m.queue.busy || len(m.queue.waiting) > 0 {
		m.say("finishing what is being saved")
		return nil
	}
	return tea.Quit
}
