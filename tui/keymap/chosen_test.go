package keymap_test

import (
	"strings"
	"testing"

	"docket/tui/keymap"
)

func named(k, name string) keymap.Binding {
	b := verdict(k)
	b.Name = name
	return b
}

func TestAChosenKeyTakesThePlaceOfTheOthers(t *testing.T) {
	table, err := keymap.New([]keymap.Binding{named("a", "accept")}, keymap.Keys{"accept": {"y"}, "copy": {"c", "f5"}, "down": {"d", "down"}})
	if err != nil {
		t.Fatal(err)
	}
	for key, do := range map[string]keymap.Action{"y": keymap.Verdict, "c": keymap.Copy, "f5": keymap.Copy, "d": keymap.Down, "down": keymap.Down, "a": keymap.None, "j": keymap.None} {
		if b, _ := table.Find(keymap.List, key); b.Do != do {
			t.Errorf("%s does %v, want %v", key, b.Do, do)
		}
	}
	if got := table.Called("copy"); got != "c f5" {
		t.Errorf("the help spells it %q", got)
	}
	for _, b := range table.Footer(keymap.Main) {
		if b.Do == keymap.Verdict && b.Help().Key != "y" {
			t.Errorf("the footer says %q", b.Help().Key)
		}
	}
}

func TestChosenKeysThatMeet(t *testing.T) {
	screen := []keymap.Binding{named("a", "accept"), named("r", "reject")}
	for _, tt := range []struct {
		keys keymap.Keys
		want string // "" for none
	}{
		{keymap.Keys{"accept": {"y"}}, `the key "y" is for copy already`},
		{keymap.Keys{"accept": {"y"}, "copy": {"c"}}, ""},
		{keymap.Keys{"accept": {"z"}, "reject": {"z"}}, `the key "z" is for accept already`},
		{keymap.Keys{"accept": {"r"}, "reject": {"a"}}, ""},
		{keymap.Keys{"undo": {"r"}}, `the key "r" is for reject already`},
		{keymap.Keys{"page-down": {"n"}, "next": {"."}}, `whose key is fixed`}, // n says no in a dialog
	} {
		found := keymap.Conflicts(screen, tt.keys)
		switch {
		case tt.want == "" && len(found) > 0:
			t.Errorf("%v: %v", tt.keys, found[0])
		case tt.want != "" && (len(found) == 0 || !strings.Contains(found[0].Error(), tt.want)):
			t.Errorf("%v: found %v, want %q", tt.keys, found, tt.want)
		}
		if _, err := keymap.New(screen, tt.keys); (err != nil) != (tt.want != "") {
			t.Errorf("%v: New says %v", tt.keys, err)
		}
	}
}

func TestWhichKeysCanBeChosen(t *testing.T) {
	for written, want := range map[string]string{"y": "y", "space": " ", "ctrl+g": "ctrl+g", "alt+x": "alt+x", "f2": "f2", "shift+up": "shift+up", "é": "é", "?": "?"} {
		if got, err := keymap.Choosable(written, "accept"); err != nil || got != want {
			t.Errorf("%q is %q, %v", written, got, err)
		}
	}
	for written, want := range map[string]string{
		"esc": "reserved", "enter": "reserved", "ctrl+c": "reserved", "ctrl+i": "as tab", "Ctrl+G": "write ctrl+g", "yes": "is not a key", "": "is not a key",
		"ф": "is read as", "\u202e": "can be shown", "返": "can be shown", "ctrl+1": "is not a key",
	} {
		if _, err := keymap.Choosable(written, "accept"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", written, err, want)
		}
	}
	if _, err := keymap.Choosable("g", "editor"); err == nil {
		t.Error("a letter was taken where text is typed")
	}
}
