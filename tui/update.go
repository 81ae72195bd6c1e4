package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/keymap"
)

// Update takes a message in and draws the frame. A panic ends the program with
// the terminal restored, and is told afterwards.
func (m *model) Update(msg tea.Msg) (self tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			m.crash = newCrash(r)
			self, cmd = m, tea.Quit
		}
	}()
	_, key := msg.(tea.KeyMsg)
	// What is drawn between the keys of one burst does not part them.
	key = key || m.inBurst(m.options.Now())
	cmd = m.handle(msg)
	if m.crash == nil {
		follow := m.follow()
		m.frame = m.draw()
		cmd = tea.Batch(cmd, follow)
	}
	if key {
		m.lastKey = m.options.Now()
	}
	return m, cmd
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		// What the terminal kept of the old frame lies elsewhere now.
		return tea.ClearScreen
	case tea.KeyMsg:
		return m.handleKey(msg)
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case openedMsg:
		return m.screenOpened(msg)
	case progressMsg:
		return m.pollProgress()
	case settledMsg:
		return m.settle(msg)
	case queueMsg:
		return m.queueDone(msg)
	case restMsg:
		return m.loadRested(msg)
	case loadedMsg:
		m.loaded(msg)
	case textsMsg:
		m.filter.waiting = false
		m.catchUp()
	case effectMsg:
		return m.perform(msg.effect)
	case editedMsg:
		return m.edited(msg)
	case draftMsg:
		return m.editDraft(msg)
	case composedMsg:
		return m.composed(msg)
	case tea.ResumeMsg:
		return m.regainTerminal()
	case stopMsg:
		m.signal = msg.name
		return m.leave()
	case *crash:
		m.crash = msg
		return tea.Quit
	}
	return nil
}

// handleKey sends a key where it belongs. Text goes to inputs as it came; on
// the command path a burst is taken apart, and paste is ignored.
func (m *model) handleKey(msg tea.KeyMsg) tea.Cmd {
	burst := m.held != nil || m.inBurst(m.options.Now())
	if m.screen == nil {
		if name := keymap.Name(msg); name == "ctrl+c" || name == "q" || name == "esc" {
			return m.leave()
		}
		return nil
	}
	if m.tooSmall() {
		return m.handleSmall(msg)
	}
	m.notice = notice{}
	m.followed()
	if m.scope == keymap.Filter || m.scope == keymap.Reason {
		return m.handleInput(msg, burst)
	}
	if msg.Paste {
		m.say("a paste was ignored: nothing is typed here")
		return nil
	}
	parts := keymap.Split(msg)
	var cmds []tea.Cmd
	for i, part := range parts {
		b, ok := m.keys.Find(m.scope, keymap.Name(part))
		if !ok {
			continue
		}
		if b.Do == keymap.StartFilter && len(parts) > 1 {
			// What follows is typed into it: letters that came behind it in one
			// read would be commands, had it been dropped with the burst.
			cmds = append(cmds, m.obey(b))
			for _, rest := range parts[i+1:] {
				cmds = append(cmds, m.handleInput(rest, true))
			}
			break
		}
		name := keymap.Name(part)
		switch {
		case len(parts) > 1 && !b.Replay || burst && b.Decides:
			m.refuseBurst(b)
		case b.Decides:
			cmds = append(cmds, m.hold(b, name))
		default:
			cmds = append(cmds, m.press(b, name))
		}
	}
	return tea.Batch(cmds...)
}

// press obeys a key of the command path.
func (m *model) press(b keymap.Binding, name string) tea.Cmd {
	m.pressed = name
	if m.scope == keymap.Confirm && b.Do == keymap.Yes && !m.dialog.lettered() {
		m.say("the key that opened this does not confirm it: tab, then enter")
		return nil
	}
	return m.obey(b)
}

// handleSmall obeys nothing but what leaves: a decision on what cannot be seen
// would be none.
func (m *model) handleSmall(msg tea.KeyMsg) tea.Cmd {
	if b, ok := m.keys.Find(keymap.Small, keymap.Name(msg)); ok {
		return m.obey(b)
	}
	return nil
}

func (m *model) tooSmall() bool { return m.width < minWidth || m.height < minHeight }

// handleInput edits the filter or the reason.
func (m *model) handleInput(msg tea.KeyMsg, burst bool) tea.Cmd {
	if !msg.Paste && (msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace) {
		if b, ok := m.keys.Find(m.scope, msg.String()); ok {
			m.catchUp()
			switch {
			case burst && b.Decides:
				m.refuseBurst(b)
				return nil
			case b.Decides:
				return m.hold(b, msg.String())
			}
			return m.obey(b)
		}
	}
	if m.scope == keymap.Filter {
		m.filter.input, _ = m.filter.input.Update(msg)
		return m.narrow()
	}
	m.prompt.problem = ""
	if m.prompt.long != "" {
		m.prompt.problem = "it has several lines: " + m.keys.Called("editor") + " edits them, " + m.keys.Called("earlier") + " and " + m.keys.Called("later") + " take another"
		return nil
	}
	m.prompt.input, _ = m.prompt.input.Update(msg)
	return nil
}
