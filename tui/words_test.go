package tui_test

import (
	"testing"

	"docket/tui"
	"docket/tui/keymap"
	"docket/tui/migrate"
	"docket/tui/prune"
	"docket/tui/review"
)

// TestEveryKeyHasAWord: each key of each screen has a name in the settings, so
// that it can be put elsewhere.
func TestEveryKeyHasAWord(t *testing.T) {
	for name, spec := range map[string]tui.Spec{
		"review": (&review.Screen{}).Spec(), "prune": (&prune.Screen{}).Spec(), "migrate": (&migrate.Screen{}).Spec(),
	} {
		seen := map[string]bool{}
		for _, b := range tui.Bindings(spec) {
			if b.Name == "" || seen[b.Name] {
				t.Errorf("%s: %q has the name %q, which is none or another's", name, b.Help().Key, b.Name)
			}
			seen[b.Name] = true
		}
		if _, err := keymap.New(tui.Bindings(spec), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
