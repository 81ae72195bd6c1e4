package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"docket/tui/keymap"
	"docket/tui/settings"
	"docket/tui/style"
)

func screens() []settings.Screen {
	own := func(name, k string) keymap.Binding {
		return keymap.Binding{Binding: key.NewBinding(key.WithKeys(k), key.WithHelp(k, name)), Name: name, Do: keymap.Verdict, In: keymap.Main | keymap.Choice, Decides: true}
	}
	return []settings.Screen{
		{Name: "review", Keys: []keymap.Binding{own("accept", "a"), own("reject", "r")}},
		{Name: "prune", Keys: []keymap.Binding{own("keep", "a"), own("retire", "d")}},
	}
}

func TestSettingsAreRead(t *testing.T) {
	s, err := settings.Parse("settings.yaml", []byte("theme: blue-orange\ncolours: {accent: 6, bad: 208}\nascii: true\nkeys: {accept: t, retire: [X, f8], mark: space}\n"), screens())
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := s.Palette.Colour(style.Bad); n != 208 || s.Palette.Name != style.BlueOrange || !s.ASCII || s.Colours != 2 {
		t.Errorf("read %+v", s)
	}
	if got := strings.Join(s.Keys["retire"], ","); got != "X,f8" || s.Keys["mark"][0] != " " {
		t.Errorf("keys %v", s.Keys)
	}
}

func TestWhatIsWrongIsSaidWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"theme: blue-orang":           `s.yaml:1:8: no theme is called "blue-orang": did you mean`,
		"themes: default":             `s.yaml:1:1: `,
		"colours: {bad: 300}":         `s.yaml:1:16: expected the number of a colour`,
		"colours: {badd: 3}":          `s.yaml:1:11: `,
		"ascii: perhaps":              `s.yaml:1:8: expected true or false`,
		"keys: {acept: t}":            `s.yaml:1:8: no key does "acept": did you mean`,
		"keys: {accept: esc}":         `s.yaml:1:16: the key "esc" is reserved`,
		"keys: {accept: []}":          `s.yaml:1:16: accept needs a key`,
		"keys: {accept: r}":           `s.yaml:1:16: the key "r" is for`,
		"keys:\n  quit: x\n  undo: x": `: the key "x" is for`,
		"keys: {retire: y}":           `is for copy already: choose another, or give copy another key too (docket prune)`,
		"keys: [a]":                   `s.yaml:1:7: expected what is done and its key`,
		"keys: {editor: g}":           `s.yaml:1:16: editor works while a text is typed`,
	} {
		if _, err := settings.Parse("s.yaml", []byte(text), screens()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %s", text, err, want)
		}
	}
}

func TestAbsentAndEmptySettingsAreTheDefaults(t *testing.T) {
	dir := t.TempDir()
	env := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": dir}[name] }
	for range 2 {
		s, err := settings.Load("linux", env, screens())
		if err != nil || s.Palette.Name != "" || s.Keys != nil || s.ASCII {
			t.Fatalf("%+v, %v", s, err)
		}
		if err := os.MkdirAll(filepath.Join(dir, "docket"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "docket", "settings.yaml"), []byte("# nothing yet\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheEnvironmentGoesBeforeTheFile(t *testing.T) {
	env := map[string]string{settings.ThemeVariable: style.RedTeal}
	if s, err := settings.Load("linux", func(n string) string { return env[n] }, nil); err != nil || s.Palette.Name != style.RedTeal {
		t.Errorf("%+v, %v", s, err)
	}
	env[settings.ThemeVariable] = "red-teel"
	if _, err := settings.Load("linux", func(n string) string { return env[n] }, nil); err == nil || !strings.Contains(err.Error(), "red-teal") {
		t.Errorf("a theme that is not there: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("theme: default\ncolours: {bad: 1}\nkeys: {accept: t, undo: [z, ctrl+g]}")
	f.Add("keys: {accept: {a: b}, undo: [[x]]}\ncolours: 3\n")
	f.Add("keys: {accept: \"\\e\", reject: ''}\ntheme: []")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := settings.Parse("s.yaml", []byte(text), screens())
		if err != nil {
			return
		}
		for _, screen := range screens() { // what is accepted can be used
			if _, err := keymap.New(screen.Keys, s.Keys); err != nil {
				t.Errorf("%q was taken, and %v", text, err)
			}
		}
	})
}
