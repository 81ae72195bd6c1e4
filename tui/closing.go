package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/style"
)

// plan asks the session what would be written, and then the reviewer, once.
func (m *model) plan() tea.Cmd {
	if !m.mayDecide() {
		return nil
	}
	m.say("looking at what would be written")
	return m.enqueue(job{
		what: "cannot say what would be written",
		run:  func(ctx context.Context) (any, error) { return m.spec.Session.Plan(ctx) },
		done: func(result any) tea.Cmd {
			m.notice = notice{}
			m.askWrite(result.(Plan))
			return nil
		},
	})
}

func (m *model) askWrite(p Plan) {
	d := &dialog{title: "write", no: "keep deciding", act: m.write}
	for _, line := range p.Lines {
		d.lines = append(d.lines, style.Of(style.Plain, line))
	}
	if p.Refusal != "" {
		d.lines = append(d.lines, style.Of(style.Bad, p.Refusal))
	} else {
		d.yes = "write"
	}
	m.openDialog(d)
}

// write writes and leaves: what was written is told on the ordinary screen,
// where it can be copied.
func (m *model) write() tea.Cmd {
	m.say("writing")
	return m.enqueue(job{
		what: "nothing was written",
		run:  func(ctx context.Context) (any, error) { return m.spec.Session.Write(ctx) },
		done: func(result any) tea.Cmd {
			closing := result.(Closing)
			m.closing = &closing
			return m.leave()
		},
	})
}
