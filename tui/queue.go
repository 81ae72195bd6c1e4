package tui

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/list"
)

// queue hands work to the session one piece at a time, in the order of the
// keys, outside Update. A mark is drawn when its piece comes back.
type queue struct {
	waiting []job
	busy    bool
	pending map[string]int // rows whose decision is on its way, and how often
}

// job is one piece of work for the session.
type job struct {
	rows []string // what it decides
	what string   // for the sentence that says it failed
	run  func(context.Context) (any, error)
	done func(result any) tea.Cmd
}

// queueMsg says that a job came back.
type queueMsg struct {
	job    job
	result any
	err    error
}

// enqueue adds a job, and starts it where none is running.
func (m *model) enqueue(j job) tea.Cmd {
	if m.queue.pending == nil {
		m.queue.pending = map[string]int{}
	}
	for _, id := range j.rows {
		m.queue.pending[id]++
		m.list.SetState(id, list.Pending)
	}
	m.queue.waiting = append(m.queue.waiting, j)
	return m.startNext()
}

func (m *model) startNext() tea.Cmd {
	if m.queue.busy || len(m.queue.waiting) == 0 {
		return nil
	}
	j := m.queue.waiting[0]
	m.queue.waiting = m.queue.waiting[1:]
	m.queue.busy = true
	// What was asked for is saved even where the screen is being left.
	ctx := context.WithoutCancel(m.ctx)
	return guard(func() tea.Msg {
		result, err := j.run(ctx)
		return queueMsg{j, result, err}
	})
}

// queueDone draws what a job did.
func (m *model) queueDone(msg queueMsg) tea.Cmd {
	m.queue.busy = false
	for _, id := range msg.job.rows {
		if m.queue.pending[id]--; m.queue.pending[id] <= 0 {
			delete(m.queue.pending, id)
		}
	}
	var cmd tea.Cmd
	if msg.err != nil {
		m.complain(fmt.Sprintf("%s: %v", msg.job.what, msg.err))
		m.keepFailure(msg.err)
	} else {
		cmd = msg.job.done(msg.result)
	}
	for _, id := range msg.job.rows {
		m.list.SetState(id, m.stateOf(id))
	}
	next := m.startNext()
	if next == nil && m.leaving {
		next = tea.Quit
	}
	return tea.Batch(cmd, next)
}

// keepFailure keeps an error that nobody may see any more, because the screen is
// being left, for the sentence after it.
func (m *model) keepFailure(err error) {
	if m.leaving {
		m.failure = errors.Join(m.failure, err)
	}
}

// mark records how rows stand now.
func (m *model) mark(changed []Mark) {
	for _, mark := range changed {
		had := m.marks.whole[mark.Row].Verdict != ""
		m.marks.set(mark)
		has := m.marks.whole[mark.Row].Verdict != ""
		if m.list.Row(mark.Row) != nil && had != has {
			if has {
				m.decided++
			} else {
				m.decided--
			}
		}
		m.list.SetState(mark.Row, m.stateOf(mark.Row))
	}
	m.head = m.screen.Head()
	if m.spec.Ripples {
		m.regroup(m.grouping)
	}
}
