package keymap_test

import (
	"slices"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/keymap"
)

func verdict(k string) keymap.Binding {
	return keymap.Binding{
		Binding: key.NewBinding(key.WithKeys(k), key.WithHelp(k, "decide "+k)),
		Do:      keymap.Verdict, In: keymap.Main, Section: keymap.Deciding, Footer: 1, Decides: true,
	}
}

func TestEachKeyMeansOneThingInEachScope(t *testing.T) {
	table, err := keymap.New([]keymap.Binding{verdict("a"), verdict("r"), verdict("A")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		scope keymap.Scope
		key   string
	}
	seen := map[place]string{}
	for _, b := range table.Bindings() {
		for scope := keymap.List; scope <= keymap.Small; scope <<= 1 {
			if b.In&scope == 0 {
				continue
			}
			for _, k := range b.Keys() {
				if before, twice := seen[place{scope, k}]; twice {
					t.Errorf("%q means both %q and %q in one scope", k, before, b.Help().Desc)
				}
				seen[place{scope, k}] = b.Help().Desc
				if found, ok := table.Find(scope, k); !ok || found.Do != b.Do {
					t.Errorf("%q is not found in its scope", k)
				}
			}
		}
		if b.Replay && b.Decides {
			t.Errorf("%q both moves and decides", b.Help().Desc)
		}
	}
}

func TestSharedKeysDoNotCollide(t *testing.T) {
	bare, err := keymap.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]keymap.Action{
		"j": keymap.Down, "down": keymap.Down, "g": keymap.Top, "home": keymap.Top, "n": keymap.NextOpen, "N": keymap.PreviousOpen,
		"}": keymap.NextGroup, "{": keymap.PreviousGroup,
		"u": keymap.Undo, "U": keymap.Redo, " ": keymap.Mark, "/": keymap.StartFilter, "tab": keymap.OtherPane, "J": keymap.ScrollDown,
		"|": keymap.Layout, "w": keymap.Wrap, "=": keymap.Unchanged, "y": keymap.Copy, "ctrl+s": keymap.Write, "?": keymap.ShowHelp,
		"esc": keymap.Back, "q": keymap.Quit, "1": keymap.Tab, "4": keymap.Tab, "v": keymap.Grouping, "ctrl+z": keymap.Suspend,
	}
	for k, do := range want {
		if b, ok := bare.Find(keymap.List, k); !ok || b.Do != do {
			t.Errorf("%q does %v (%v), want %v", k, b.Do, ok, do)
		}
	}
}

func TestEveryBindingIsInTheHelp(t *testing.T) {
	table, err := keymap.New([]keymap.Binding{verdict("a")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[keymap.Action]bool{}
	for _, section := range table.Help() {
		for _, b := range section.Bindings {
			listed[b.Do] = true
			if b.Help().Key == "" || b.Words() == "" {
				t.Errorf("a binding for %v has no words in the help", b.Keys())
			}
		}
	}
	for _, b := range table.Bindings() {
		if !listed[b.Do] {
			t.Errorf("%q (%s) is not in the help", b.Keys(), b.Help().Desc)
		}
	}
}

func TestAScreenMayTakeTheDigits(t *testing.T) {
	table, err := keymap.New([]keymap.Binding{verdict("1"), verdict("2"), verdict("3")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := table.Find(keymap.List, "2"); b.Do != keymap.Verdict {
		t.Errorf("2 does %v, want the screen's verdict", b.Do)
	}
	if b, _ := table.Find(keymap.List, "]"); b.Do != keymap.TabNext {
		t.Error("the tabs have no key left")
	}
}

func TestConflictsAreErrors(t *testing.T) {
	if _, err := keymap.New([]keymap.Binding{verdict("a"), verdict("a")}, nil); err == nil {
		t.Error("one key for two verdicts was taken")
	}
	if _, err := keymap.New([]keymap.Binding{verdict("q")}, nil); err == nil {
		t.Error("a screen that leaves no key for quitting was taken")
	}
}

func TestSplit(t *testing.T) {
	runes := func(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
	var names []string
	for _, part := range keymap.Split(runes("jj a")) {
		names = append(names, keymap.Name(part))
	}
	if want := []string{"j", "j", " ", "a"}; !slices.Equal(names, want) {
		t.Errorf("split into %q, want %q", names, want)
	}
	paste := runes("accept everything")
	paste.Paste = true
	if parts := keymap.Split(paste); len(parts) != 1 {
		t.Errorf("a paste was split into %d keys", len(parts))
	}
	if parts := keymap.Split(tea.KeyMsg{Type: tea.KeyEnter}); len(parts) != 1 {
		t.Errorf("enter was split into %d keys", len(parts))
	}
}

func TestOtherLayouts(t *testing.T) {
	for letter, want := range map[rune]string{'ф': "a", 'к': "r", 'г': "u", 'Ф': "A", 'α': "a", 'ρ': "r", 'ש': "a", 'ㅁ': "a", 'й': "q", 'ї': "]", 'é': "é"} {
		if got := keymap.Name(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{letter}}); got != want {
			t.Errorf("%c is the key %q, want %q", letter, got, want)
		}
	}
}
