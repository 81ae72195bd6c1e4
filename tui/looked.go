package tui

import (
	"slices"
	"strings"

	"docket/engine/phrase"
)

// looked remembers which tabs of which rows were shown, for screens on which a
// verdict falls only on what was looked at.
type looked map[string]map[string]bool

// at says that a tab of a row shows.
func (l looked) at(row, tab string) {
	if l[row] == nil {
		l[row] = map[string]bool{}
	}
	l[row][tab] = true
}

// unseen returns those of the tabs that were not shown for a row.
func (l looked) unseen(row string, tabs []string) []string {
	return slices.DeleteFunc(slices.Clone(tabs), func(tab string) bool { return l[row][tab] })
}

// saw notes that the open tab shows. One that shows an error in the place of its
// content was not seen.
func (m *model) saw(at place, shown outcome) {
	if len(m.spec.MustSee) > 0 && shown.err == nil && at.row == m.detail.row && at.tab < len(m.detail.shown.Tabs) {
		m.looked.at(at.row, m.detail.shown.Tabs[at.tab].Name)
	}
}

// firstUnseen is the tab to begin a row with: the first that has to be seen and
// was not, else the one that is open.
func (m *model) firstUnseen(row string) int {
	for i, tab := range m.detail.shown.Tabs {
		if slices.Contains(m.looked.unseen(row, m.spec.MustSee), tab.Name) {
			return i
		}
	}
	return m.detail.tab
}

// mayDecideOn says what has to be looked at before a verdict on a row, where
// that was not.
func (m *model) mayDecideOn(row string) bool {
	unseen := m.looked.unseen(row, m.spec.MustSee)
	if len(unseen) > 0 {
		m.say("first look at: " + strings.Join(unseen, ", ") + " — ] is the next tab")
		return false
	}
	return true
}

// lookFirst is mayDecideOn in words, "" where all was read out.
func (p *plain) lookFirst(row string) string {
	unseen := p.looked.unseen(row, p.spec.MustSee)
	if len(unseen) == 0 {
		return ""
	}
	return "First read " + phrase.Series(unseen, "and") + ": their names read them out. Nothing was decided."
}
