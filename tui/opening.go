package tui

import (
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/style"
)

// pollEvery is how often the progress of opening is looked at; nothing is
// drawn before the first look, so that a quick start does not flash.
const pollEvery = 100 * time.Millisecond

// opening is what is known while the screen is being made.
type opening struct {
	open  Opener
	mu    sync.Mutex
	done  int
	total int
	what  string
	polls int
}

// openedMsg brings the screen.
type openedMsg struct {
	screen Screen
	err    error
}

// progressMsg asks for another look.
type progressMsg struct{}

func (m *model) openScreen() tea.Cmd {
	o := &m.opening
	return guard(func() tea.Msg {
		screen, err := o.open(m.ctx, o.report)
		return openedMsg{screen, err}
	})
}

func (o *opening) report(done, total int, what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done, o.total, o.what = done, total, what
}

func (m *model) pollProgress() tea.Cmd {
	if m.screen != nil {
		return nil
	}
	m.opening.polls++
	return tea.Tick(m.options.poll, func(time.Time) tea.Msg { return progressMsg{} })
}

func (m *model) screenOpened(msg openedMsg) tea.Cmd {
	err := msg.err
	if err == nil {
		err = m.adopt(msg.screen)
	}
	if err != nil {
		m.failure = err
		return tea.Quit
	}
	return nil
}

// drawOpening shows how far the work before the screen is.
func (m *model) drawOpening() []string {
	o, t := &m.opening, m.theme
	if o.polls < 2 {
		return nil
	}
	o.mu.Lock()
	done, total, what := o.done, o.total, o.what
	o.mu.Unlock()
	if what == "" {
		what = "opening"
	}
	line := cells.Fit(safetext.Line(what), m.width-4, t.More)
	rows := make([]string, max(m.height/2-1, 0))
	rows = append(rows, cells.Spaces((m.width-cells.Width(line))/2)+t.Render(style.Strong, line))
	if total > 0 {
		width := min(m.width-24, 40)
		bar := m.bar(min(done, total), total, width) + fmt.Sprintf("  %d of %d", done, total)
		rows = append(rows, cells.Spaces((m.width-cells.Width(bar))/2)+t.Render(style.Accent, bar))
	}
	return rows
}
