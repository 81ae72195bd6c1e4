package keymap_test

import (
	"testing"
	"unicode/utf8"

	"docket/tui/keymap"
)

// FuzzChoosable: a key that can be chosen is called the same when it is written
// as it is called, and can be shown; one that cannot is refused in valid text.
func FuzzChoosable(f *testing.F) {
	for _, seed := range []string{"space", "ctrl+g", "alt+x", "f12", "ctrl+i", "é", "ж", "\x1b", "世", "esc", "CTRL+G", "\u0301", "\xff"} {
		f.Add(seed, "accept")
		f.Add(seed, "later")
	}
	f.Fuzz(func(t *testing.T, written, meant string) {
		name, err := keymap.Choosable(written, meant)
		if err != nil {
			if utf8.ValidString(meant) && !utf8.ValidString(err.Error()) {
				t.Fatalf("the error is %q", err)
			}
			return
		}
		again := name
		if again == " " {
			again = "space"
		}
		if same, err := keymap.Choosable(again, meant); err != nil || same != name {
			t.Fatalf("%q is called %q, and that %q, %v", written, name, same, err)
		}
		if shown := keymap.Shown(name); shown == "" || !utf8.ValidString(shown) {
			t.Fatalf("%q is shown as %q", name, shown)
		}
	})
}
