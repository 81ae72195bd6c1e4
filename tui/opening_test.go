package tui

import (
	"strings"
	"testing"
)

func TestProgressWhileOpening(t *testing.T) {
	m := newModel(t.Context(), nil, Options{Width: 80, Height: 24})
	m.opening.polls = 2
	m.opening.report(120, 220, "running invoices")
	m.Update(progressMsg{})
	for _, text := range []string{"running invoices", "120 of 220", "▓▓▓"} {
		if !strings.Contains(m.View(), text) {
			t.Errorf("the frame does not show %q:\n%s", text, m.View())
		}
	}
}
