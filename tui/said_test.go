package tui_test

import (
	"strings"
	"testing"

	"docket/tui"
	"docket/tui/keymap"
	"docket/tui/migrate"
	"docket/tui/prune"
	"docket/tui/review"
)

// said is the word of plain mode for what the keys of a screen do, or why there
// is none.
type said struct{ word, why string }

// plainly has one line for each action of the table of keys. Verdicts, groups,
// tabs and the actions of a screen's own have their own words, and are looked up.
func plainly() map[keymap.Action]said {
	const line, drawn, asked = "rows come one at a time: back, skip, group, before and go", "nothing is drawn that it could change", "it is how a dialog is answered, and a question is answered in a line"
	return map[keymap.Action]said{
		keymap.Up: {word: "back"}, keymap.Down: {word: "skip"},
		keymap.HalfUp: {why: line}, keymap.HalfDown: {why: line}, keymap.PageUp: {why: line}, keymap.PageDown: {why: line}, keymap.Top: {why: line}, keymap.Bottom: {why: line},
		keymap.NextOpen: {word: "next"}, keymap.PreviousOpen: {word: "previous"}, keymap.NextGroup: {word: "group"}, keymap.PreviousGroup: {word: "before"},
		keymap.Enter: {why: "a row is read out whole"}, keymap.Fold: {why: drawn}, keymap.Unfold: {why: drawn},
		keymap.OtherPane: {why: drawn}, keymap.ScrollUp: {why: drawn}, keymap.ScrollDown: {why: drawn}, keymap.Layout: {why: drawn}, keymap.Wrap: {why: drawn}, keymap.Mouse: {why: drawn},
		keymap.TabNext: {why: "a tab is read out by its name"}, keymap.TabPrevious: {why: "a tab is read out by its name"},
		keymap.Part: {word: "part"}, keymap.Mark: {word: "mark"}, keymap.Undo: {word: "undo"}, keymap.Redo: {word: "redo"},
		keymap.StartFilter: {word: "filter"}, keymap.Grouping: {word: "grouping"}, keymap.Unchanged: {word: "unchanged"},
		keymap.Copy:  {why: "the name is printed and can be copied from there"},
		keymap.Write: {word: "write"}, keymap.ShowHelp: {word: "help"}, keymap.Quit: {word: "quit"},
		keymap.Back:    {why: "nothing is open that it could close; filter alone drops the filter, mark takes a mark away"},
		keymap.Suspend: {why: "the shell's own ctrl+z does it"}, keymap.Interrupt: {why: "the shell's own ctrl+c does it"},
		keymap.Accept: {why: asked}, keymap.Yes: {why: asked}, keymap.Switch: {why: asked}, keymap.Earlier: {why: "an empty answer takes the last reason, which is shown"}, keymap.Later: {why: "an empty answer takes the last reason, which is shown"},
		keymap.Compose: {why: `a line that ends in \ goes on in the next`},
	}
}

// TestPlainHasAWordForEachKey: what a screen does on a key, plain mode does on a
// word of its own that nothing before it takes, or there is a reason above.
func TestPlainHasAWordForEachKey(t *testing.T) {
	used := map[keymap.Action]bool{}
	for name, spec := range map[string]tui.Spec{
		"review": (&review.Screen{}).Spec(), "prune": (&prune.Screen{}).Spec(), "migrate": (&migrate.Screen{}).Spec(),
	} {
		table, err := keymap.New(tui.Bindings(spec), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, b := range table.Bindings() {
			word, kind := "", "command"
			switch b.Do {
			case keymap.Verdict:
				word, kind = spec.Verdicts[b.Arg].Name, "verdict"
			case keymap.Bulk:
				word, kind = spec.Verdicts[b.Arg].Bulk, "group"
			case keymap.Custom:
				word, kind = spec.Actions[b.Arg].Word, "action"
			case keymap.Tab:
				continue // by its name or its number, see TestPlainPartTabsFilterAndGo
			default:
				used[b.Do] = true
				s, listed := plainly()[b.Do]
				if !listed || (s.word == "") == (s.why == "") {
					t.Errorf("%s: %s (%s) has neither a word in plain mode nor a reason to have none", name, b.Help().Key, b.Words())
				}
				if word = s.word; word == "" {
					continue
				}
			}
			if is := tui.Said(spec, word); is != kind {
				t.Errorf("%s: %s (%s) is %q in plain mode, which is %q there, want a %s", name, b.Help().Key, b.Words(), word, is, kind)
			}
			if help := tui.Told(spec); !strings.Contains(help, word) {
				t.Errorf("%s: the help of plain mode does not tell %q:\n%s", name, word, help)
			}
		}
	}
	for do := range plainly() {
		if !used[do] {
			t.Errorf("there is no key any more for action %d", do)
		}
	}
}
