package tui_test

import (
	"testing"

	"docket/tui"
	"docket/tui/keymap"
	"docket/tui/style"
	"docket/tui/tuitest"
)

// TestChosenKeysAreObeyedAndShown: footer, help and sentences name the chosen
// keys, and the old ones do nothing.
func TestChosenKeysAreObeyedAndShown(t *testing.T) {
	d := tuitest.Drive(t, tuitest.Ready(market()), tui.Options{
		Width: 140, Height: 50,
		Keys: keymap.Keys{"put-off": {"p"}, "write": {"ctrl+g"}, "unchanged": {"+"}, "help": {"h"}},
	})
	d.Sees("p put off", "ctrl+g write", "h help")
	d.Press("p")
	d.Sees("1 decided")
	d.Press("d")
	d.Sees("1 decided")
	d.Press("h")
	d.Sees("show or hide what is unchanged", "ctrl+g")
	d.Misses("ctrl+s")
	d.Press("h")
	d.Misses("esc closes")
}

// TestAKeyThatOpensADialogDoesNotConfirmIt, even where a user put it on y.
func TestAKeyThatOpensADialogDoesNotConfirmIt(t *testing.T) {
	d := tuitest.Drive(t, tuitest.Ready(market()), tui.Options{Width: 120, Height: 36, Keys: keymap.Keys{"write": {"y"}, "copy": {"c"}}})
	d.Press("d", "y")
	d.Sees("tab  write")
	d.Press("y")
	d.Sees("the key that opened this does not confirm it")
	if d.Quit {
		t.Fatal("y y wrote")
	}
}

// TestEveryPaletteSaysTheSame: the frames of two palettes differ in colours and
// in nothing else, and say in words and signs all that they say in colour.
func TestEveryPaletteSaysTheSame(t *testing.T) {
	frame := func(o tui.Options) string {
		o.Width, o.Height = 100, 30
		d := tuitest.Drive(t, tuitest.Ready(market()), o)
		d.Press("d", "j")
		return d.View()
	}
	plain := tuitest.Uncoloured(frame(tui.Options{Colour: true}))
	for _, p := range style.Palettes() {
		if got := tuitest.Uncoloured(frame(tui.Options{Colour: true, Palette: p})); got != plain {
			t.Errorf("%s draws other text than the default:\n%s\n%s", p.Name, got, plain)
		}
	}
}

func TestAHintIsSaidOnceAndGoesWithTheNextKey(t *testing.T) {
	d := tuitest.Drive(t, tuitest.Ready(market()), tui.Options{
		Width: 120, Height: 36, Hint: func(called func(string) string) string { return "new here? " + called("help") + " lists every key" },
	})
	d.Sees("new here? ? lists every key")
	d.Press("j")
	d.Misses("new here?")
}
