package tui_test

import (
	"testing"

	"docket/tui"
	"docket/tui/tuitest"
)

// TestGoldens compares whole frames with what was looked at and found good.
func TestGoldens(t *testing.T) {
	stall := func(testing.TB) tui.Opener { return tuitest.Ready(market()) }
	tuitest.Goldens(t, []tuitest.Scene{
		{Name: "first", Open: stall},
		{Name: "deciding", Open: stall, Keys: []string{"d", "a", "r", "i", "p", "e", "enter", "r", "s", "o", "f", "t", "enter", "tab", "j", "x", "r", "enter", "esc", " "}},
		{Name: "texts", Open: stall, Keys: []string{"2"}, Sizes: []tuitest.Size{tuitest.Small, tuitest.Middle}},
		{Name: "reason", Open: stall, Keys: []string{"a", "r", "i", "p", "e"}, Sizes: []tuitest.Size{tuitest.Small}},
		{Name: "bulk", Open: stall, Keys: []string{"A", "x", "enter"}, Sizes: []tuitest.Size{tuitest.Small, tuitest.Middle}},
		{Name: "filter", Open: stall, Keys: []string{"/", "p", "e", "a"}, Sizes: []tuitest.Size{tuitest.Small}},
		{Name: "group", Open: stall, Keys: []string{"g"}, Sizes: []tuitest.Size{tuitest.Middle}},
		{Name: "help", Open: stall, Keys: []string{"?"}, Sizes: []tuitest.Size{tuitest.Small, tuitest.Middle}},
		{Name: "closing", Open: stall, Keys: []string{"d", "ctrl+s"}, Sizes: []tuitest.Size{tuitest.Small}},
		{Name: "small", Open: stall, Sizes: []tuitest.Size{{Width: 50, Height: 12}}},
	})
}
