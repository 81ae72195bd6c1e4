package tui

import (
	"errors"
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"docket/engine/disk"
	"docket/engine/safetext"
	"docket/tui/cells"
	"docket/tui/style"
)

// A text input takes one line: what is pasted into it loses its line ends. A
// reason of several lines is written in the user's editor, in a file of its own
// that nobody else can read and that is gone once its text is taken.

// maxLong is how many bytes of an editor's file are taken for a text.
const maxLong = 16_000

// draftMsg says that the file for the editor is there.
type draftMsg struct {
	path string
	err  error
}

// composedMsg brings what was written in the editor.
type composedMsg struct {
	text      string
	err       error // of the editor
	unread    error // of the file
	nothingIn bool
}

// compose opens the text of the prompt in the user's editor.
func (m *model) compose() tea.Cmd {
	text := m.prompt.text()
	if text == "" {
		text = m.prompt.offered()
	}
	return guard(func() tea.Msg {
		file, err := os.CreateTemp("", "docket-reason-*.txt")
		if err != nil {
			return draftMsg{err: err}
		}
		_, err = file.WriteString(text)
		return draftMsg{file.Name(), errors.Join(err, file.Close())}
	})
}

func (m *model) editDraft(msg draftMsg) tea.Cmd {
	if msg.err != nil {
		m.prompt.problem = fmt.Sprintf("no file for the editor: %v", msg.err)
		return nil
	}
	return m.inEditor(msg.path, func(err error) tea.Msg { return readDraft(msg.path, err) })
}

// readDraft reads what the editor left, and removes it. What is too long to be
// taken stays, so that nothing is lost that somebody wrote.
func readDraft(path string, err error) tea.Msg {
	data, unread := disk.ReadNamed(path, maxLong)
	if unread == nil {
		unread = os.Remove(path)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(string(data), "\r\n", "\n"), ""))
	return composedMsg{text, err, unread, text == ""}
}

// composed takes the text over. An editor that failed changes nothing.
func (m *model) composed(msg composedMsg) tea.Cmd {
	switch {
	case msg.err != nil: // editorEnded says so
	case msg.unread != nil:
		m.prompt.problem = fmt.Sprintf("the text was not taken: %v", msg.unread)
	case msg.nothingIn:
		m.prompt.problem = "the editor left nothing: what was there stays"
	default:
		m.prompt.problem = ""
		m.prompt.set(msg.text)
	}
	return m.editorEnded(msg.err)
}

// text is what stands in the prompt.
func (p *prompt) text() string {
	if p.long != "" {
		return p.long
	}
	return p.input.Value()
}

// set puts a text into the prompt: into the input where it has one line.
func (p *prompt) set(text string) {
	p.long = ""
	if strings.Contains(text, "\n") {
		p.long, text = text, ""
	}
	p.input.SetValue(text)
	p.input.CursorEnd()
}

// flat is a text of several lines in one.
func flat(text string) string { return safetext.Line(strings.ReplaceAll(text, "\n", " ")) }

// drawLong draws the first lines of a text of several, which is edited in the
// editor alone.
func (p *prompt) drawLong(t *style.Theme, label string, width int) []string {
	const most = 5
	lines := strings.Split(safetext.Block(p.long), "\n")
	indent := cells.Width(label)
	var rows []string
	for i, line := range lines {
		head := cells.Spaces(indent)
		if i == 0 {
			head = t.Render(style.Dim, label)
		}
		if i == most-1 && len(lines) > most {
			rows = append(rows, " "+head+t.Render(style.Dim, fmt.Sprintf("and %d lines more", len(lines)-i)))
			break
		}
		rows = append(rows, " "+head+cells.Fit(line, width-4-indent, t.More))
	}
	return rows
}
