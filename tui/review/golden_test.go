package review_test

import (
	"testing"

	"docket/tui"
	"docket/tui/tuitest"
)

// TestGoldens compares whole frames with what was looked at and found good.
func TestGoldens(t *testing.T) {
	small, middle := []tuitest.Size{tuitest.Small}, []tuitest.Size{tuitest.Middle}
	desk := func(t testing.TB) tui.Opener { return newLibrary().screen(t) }
	tuitest.Goldens(t, []tuitest.Scene{
		{Name: "first", Open: desk},
		{Name: "deciding", Open: desk, Keys: []string{"r", "s", "o", "enter", "n", "A", "o", "k", "enter", "tab", "y", "g", "j", "j", "j", "tab", "x", "a", "enter", "y"}, Palettes: true},
		{Name: "incident", Open: desk, Keys: []string{"a", "o", "k", "enter"}, Sizes: small},
		{Name: "output", Open: desk, Keys: []string{"2"}},
		{Name: "sample", Open: desk, Keys: []string{"n", "2", ">"}, Sizes: middle},
		{Name: "history", Open: desk, Keys: []string{"3"}, Sizes: []tuitest.Size{tuitest.Small, tuitest.Middle}},
		{Name: "case", Open: desk, Keys: []string{"4"}, Sizes: []tuitest.Size{tuitest.Small, tuitest.Middle}},
		{Name: "check", Open: desk, Keys: []string{"v"}, Sizes: middle},
		{Name: "flat", Open: desk, Keys: []string{"v", "v"}, Sizes: small},
		{Name: "bulk", Open: desk, Keys: []string{"A", "o", "k", "enter"}, Sizes: small},
		{Name: "edited", Open: desk, Keys: []string{"/", "s", "t", "a", "t", "u", "s", ":", "r", "e", "d", "enter"}, Sizes: middle},
		{Name: "unstable", Open: desk, Keys: []string{"/", "l", "o", "a", "n", "s", "-", "0", "0", "0", "8", "enter", "="}, Sizes: middle},
		{Name: "gone", Open: desk, Keys: []string{"/", "s", "t", "a", "t", "u", "s", ":", "g", "o", "enter", "2"}, Sizes: small},
	})
}
