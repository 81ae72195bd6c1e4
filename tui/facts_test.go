package tui

import (
	"strings"
	"testing"

	"docket/tui/cells"
	"docket/tui/style"
)

func TestFactsThatGoOnKeepTheirAside(t *testing.T) {
	m := &model{theme: style.New(false, false)}
	m.detail.shown.Facts = []Fact{
		{Label: "why", Text: "a customer was told otherwise", Aside: "added 2025-04-02"},
		{Label: "ground", Text: "it never failed"},
	}
	rows := m.drawFacts(60, 1)
	if len(rows) != 1 || !strings.HasSuffix(rows[0], "added 2025-04-02…") || cells.Width(rows[0]) > 60 {
		t.Errorf("the row is %q", rows)
	}
}
