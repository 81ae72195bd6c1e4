// Package settings reads how a user wants docket's screens: the palette, colours
// for single roles, ASCII, and keys. They are in one file in the user's own
// configuration folder.
//
// It never reads from a repository: whoever sends a pull request must not be
// able to move a reviewer's keys. It knows no screen; what can be put on which
// key it is told.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"docket/engine/disk"
	"docket/engine/source"
	"docket/tui/keymap"
	"docket/tui/style"
)

// ThemeVariable is the environment's word on the palette, which goes before the
// file's.
const ThemeVariable = "DOCKET_THEME"

// Settings are how a user wants the screens. The zero Settings are the defaults.
type Settings struct {
	File    string // where they are read from, whether or not it is there
	Found   bool   // it is there
	Palette style.Palette
	Colours int // how many roles have a colour of their own
	ASCII   bool
	Keys    keymap.Keys
}

// Screen is what keys are chosen for: its name, as a sentence about it says it,
// and its own keys.
type Screen struct {
	Name string
	Keys []keymap.Binding
}

// File is where a user's settings are: the folder that the operating system goos
// has for them, as os.UserConfigDir says.
func File(goos string, getenv func(string) string) (string, error) {
	switch goos {
	case "windows":
		if dir := getenv("AppData"); dir != "" {
			return filepath.Join(dir, "docket", "settings.yaml"), nil
		}
		return "", errors.New("settings are in %AppData%, which is not set")
	case "darwin", "ios":
		if home := getenv("HOME"); home != "" {
			return filepath.Join(home, "Library", "Application Support", "docket", "settings.yaml"), nil
		}
		return "", errors.New("settings are in the user's library folder: set HOME")
	}
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "docket", "settings.yaml"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "docket", "settings.yaml"), nil
	}
	return "", errors.New("settings are in the user's configuration folder: set HOME or XDG_CONFIG_HOME")
}

// Load reads the user's settings, holds their keys to all screens, and applies
// the environment. Where there is no file, or no folder for one, the defaults
// hold. The error names every problem with its place.
func Load(goos string, getenv func(string) string, screens []Screen) (Settings, error) {
	var s Settings
	if file, err := File(goos, getenv); err == nil {
		if s, err = read(file, screens); err != nil {
			return Settings{File: file, Found: true}, err
		}
	}
	if name := getenv(ThemeVariable); name != "" {
		p, ok := style.Named(name)
		if !ok {
			return s, fmt.Errorf("%s names no theme: %q; %s", ThemeVariable, name, source.Suggest(name, style.PaletteNames()))
		}
		s.Palette, s.Colours = p, 0
	}
	return s, nil
}

func read(file string, screens []Screen) (Settings, error) {
	s := Settings{File: file}
	data, err := disk.ReadNamed(file, source.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("the settings: %w", err)
	}
	s, err = Parse(file, data, screens)
	s.File, s.Found = file, true
	return s, err
}

// Parse reads settings from a text; the file is named in positions only.
func Parse(file string, data []byte, screens []Screen) (Settings, error) {
	var s Settings
	if !says(data) {
		return s, nil
	}
	root, problems := source.Parse(file, data)
	if root.Kind() == source.Absent || root.Kind() == source.Null {
		return s, problems.Err()
	}
	problems = append(problems, source.Known(root, "the settings", "theme", "colours", "ascii", "keys")...)
	if v := root.Get("theme"); !v.IsZero() {
		p, ok := style.Named(v.Scalar())
		if !ok {
			problems = append(problems, v.Problemf("no theme is called %q: %s", v.Scalar(), source.Suggest(v.Scalar(), style.PaletteNames())))
		}
		s.Palette = p
	}
	if v := root.Get("ascii"); !v.IsZero() {
		on, ok := v.Bool()
		if !ok {
			problems = append(problems, v.Problemf("expected true or false, got %s", v.Describe()))
		}
		s.ASCII = on
	}
	problems = append(problems, s.colours(root.Get("colours"))...)
	problems = append(problems, s.keys(root.Get("keys"), screens)...)
	problems.Sort()
	return s, problems.Err()
}

// says reports whether a text holds more than comments: settings of which every
// line is still to be chosen are the defaults.
func says(data []byte) bool {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return true
		}
	}
	return false
}

// colours reads the colours of single roles.
func (s *Settings) colours(v source.Value) source.Problems {
	if v.IsZero() {
		return nil
	}
	roles := style.Roles()
	var names []string
	for name := range roles {
		names = append(names, name)
	}
	slices.Sort(names)
	problems := source.Known(v, "the colours", names...)
	for _, e := range v.Entries() {
		role, ok := roles[e.Key]
		if !ok {
			continue
		}
		n, err := strconv.Atoi(e.Value.Scalar())
		if err != nil || n < 0 || n > 255 {
			problems = append(problems, e.Value.Problemf("expected the number of a colour of the terminal, 0 to 255, got %s", e.Value.Describe()))
			continue
		}
		s.Palette = s.Palette.With(role, n)
		s.Colours++
	}
	return problems
}

// keys reads the chosen keys, and holds them to every screen that has what they
// are for.
func (s *Settings) keys(v source.Value, screens []Screen) source.Problems {
	if v.IsZero() {
		return nil
	}
	var names []string
	for _, screen := range append([]Screen{{}}, screens...) {
		for _, name := range keymap.Names(screen.Keys) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var problems source.Problems
	if v.Kind() != source.Map {
		return append(problems, v.Problemf("expected what is done and its key, such as accept: y, got %s", v.Describe()))
	}
	s.Keys = keymap.Keys{}
	at := map[string]source.Position{}
	for _, e := range v.Entries() {
		if !slices.Contains(names, e.Key) {
			problems = append(problems, e.KeyAt.Problemf("no key does %q: %s", e.Key, source.Suggest(e.Key, names)))
			continue
		}
		at[e.Key] = e.Value.At()
		written := e.Value.Items()
		if e.Value.Kind() != source.List {
			written = []source.Value{e.Value}
		}
		if len(written) == 0 {
			problems = append(problems, e.Value.Problemf("%s %v", e.Key, keymap.ErrNoKey))
		}
		for _, w := range written {
			key, err := keymap.Choosable(w.Scalar(), e.Key)
			if err != nil {
				problems = append(problems, w.Problemf("%v", err))
				continue
			}
			s.Keys[e.Key] = append(s.Keys[e.Key], key)
		}
	}
	said := map[string]bool{}
	for _, screen := range screens {
		for _, c := range keymap.Conflicts(screen.Keys, s.Keys) {
			p := at[c.Name].Problemf("%v (docket %s)", c, screen.Name)
			if key := c.Name + "\x00" + c.Key + "\x00" + c.Other; !said[key] {
				said[key] = true
				problems = append(problems, p)
			}
		}
	}
	return problems
}
