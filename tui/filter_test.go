package tui_test

import (
	"testing"

	"docket/tui"
	"docket/tui/list"
	"docket/tui/tuitest"
)

// slow is a market whose rows' texts are not there before somebody opens it.
type slow struct {
	*fruits
	open chan struct{}
}

func (s slow) Groups(grouping int) []list.Group {
	groups := s.fruits.Groups(grouping)
	for i := range groups {
		groups[i].Find = func(*list.Row, *list.Text) { <-s.open }
	}
	return groups
}

// Letters never wait for the texts that the filter looks at: the list follows
// once they are there, or with the key that keeps the filter.
func TestFilterIsTypedWhileItsTextsAreMade(t *testing.T) {
	for name, finish := range map[string]func(*tuitest.Driver){
		"the texts are there": func(d *tuitest.Driver) { d.Release() },
		"enter":               func(d *tuitest.Driver) { d.Press("enter") },
	} {
		t.Run(name, func(t *testing.T) {
			s := slow{market(), make(chan struct{})}
			d := tuitest.Drive(t, tuitest.Ready(s), tui.Options{Width: 100, Height: 30})
			d.Hold = true
			d.Press("/", "k", "i", "w")
			d.Sees("looking through 12", "lime-0019", "kiw")
			close(s.open)
			finish(d)
			d.Sees("kiwi-0012")
			d.Misses("looking through", "lime-0019")
		})
	}
}
