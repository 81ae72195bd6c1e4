package prune_test

import (
	"slices"
	"strings"
	"testing"

	"docket/tui/tuitest"
)

// keys spells out what is typed between keys.
func keys(parts ...string) []string {
	var all []string
	for _, part := range parts {
		if text, ok := strings.CutPrefix(part, "type "); ok {
			all = append(all, strings.Split(text, "")...)
			continue
		}
		all = append(all, part)
	}
	return all
}

// TestGoldens compares whole frames with what was looked at and found good.
func TestGoldens(t *testing.T) {
	incident := keys("/", "type letters-0219", "enter", "]", "]")
	caught := keys("/", "type schools", "enter", "]")
	twin := keys("/", "type 0101", "enter", "4")
	retire := slices.Concat(incident, keys("d", "type not asked any more", "enter"))
	decided := slices.Concat(incident, keys("d", "type INC-219 is of the old form", "enter", "esc", "/", "type 0101", "enter", "]", "]", "m", "type hours-0001 it is the same", "enter", "esc"))
	some := []tuitest.Size{tuitest.Small, tuitest.Middle}
	tuitest.Goldens(t, []tuitest.Scene{
		{Name: "first", Open: screen},
		{Name: "lost", Open: screen, Keys: incident},
		{Name: "caught", Open: screen, Keys: caught},
		{Name: "beside", Open: screen, Keys: twin},
		{Name: "early", Open: screen, Keys: keys("d"), Sizes: some[:1]},
		{Name: "incident", Open: screen, Keys: retire, Sizes: some},
		{Name: "decided", Open: screen, Keys: decided, Sizes: some, Palettes: true},
		{Name: "closing", Open: screen, Keys: slices.Concat(decided, keys("ctrl+s")), Sizes: some},
		{Name: "against", Open: screen, Keys: keys("v"), Sizes: some},
		{Name: "help", Open: screen, Keys: keys("?"), Sizes: some},
	})
}
