package keymap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/tui/cells"
)

// Keys are the keys that a user chose, by the name of what they do. A choice
// takes the place of all the keys that the table has for it.
type Keys map[string][]string

// put returns a binding on the keys that were chosen for it, and whether any
// were.
func (k Keys) put(b Binding) (Binding, bool) {
	keys, ok := k[b.Name]
	if b.Name == "" || !ok {
		return b, false
	}
	shown := make([]string, len(keys))
	for i, name := range keys {
		shown[i] = Shown(name)
	}
	desc := b.Help().Desc
	b.SetKeys(keys...)
	b.SetHelp(strings.Join(shown, " "), desc)
	return b, true
}

// Shown is how help and footer spell a key.
func Shown(name string) string {
	switch name {
	case " ":
		return "space"
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "pgdown":
		return "pgdn"
	}
	return name
}

// Conflict is a chosen key that does something else already.
type Conflict struct {
	Name  string // what the key was chosen for
	Key   string
	Other string // what else it does
	Fixed bool   // the other cannot be put on another key
}

// Error implements error.
func (c Conflict) Error() string {
	if c.Fixed {
		return fmt.Sprintf("the key %q is taken for %q, whose key is fixed: choose another for %s", Shown(c.Key), c.Other, c.Name)
	}
	return fmt.Sprintf("the key %q is for %s already: choose another, or give %s another key too", Shown(c.Key), c.Other, c.Other)
}

// Conflicts returns what is wrong with chosen keys on a screen: each chosen key
// that does something else where it does what it was chosen for. Two choices
// that meet are one conflict, of the one that comes later in the table.
func Conflicts(screen []Binding, chosen Keys) []Conflict {
	if len(chosen) == 0 {
		return nil
	}
	var found []Conflict
	all := append(slices.Clone(screen), shared()...)
	put := make([]bool, len(all))
	for i, b := range all {
		all[i], put[i] = chosen.put(b)
	}
	for i, b := range all {
		for j, other := range all {
			if !put[i] || i == j || b.In&other.In == 0 || b.Name == other.Name || put[j] && j > i {
				continue
			}
			for _, k := range b.Keys() {
				if slices.Contains(other.Keys(), k) {
					c := Conflict{Name: b.Name, Key: k, Other: other.Name, Fixed: other.Name == ""}
					if c.Fixed {
						c.Other = other.Words()
					}
					found = append(found, c)
				}
			}
		}
	}
	return found
}

// Names are what can be put on other keys on a screen, in the order of the
// table.
func Names(screen []Binding) []string {
	var names []string
	for _, b := range append(slices.Clone(screen), shared()...) {
		if b.Name != "" && !slices.Contains(names, b.Name) {
			names = append(names, b.Name)
		}
	}
	return names
}

// reserved are keys that stay what they are, so that whoever is lost gets out.
func reserved() []string { return []string{"esc", "enter", "ctrl+c", "ctrl+z", "backspace"} }

// Choosable returns the name under which the tables know a key that a person
// wrote, or an error that says why it can be chosen for nothing, or not for what
// is meant.
func Choosable(written, meant string) (string, error) {
	name := written
	if !utf8.ValidString(written) {
		return "", fmt.Errorf("%q is not a key: its bytes are not text", written)
	}
	if written == "space" {
		name = " "
	}
	switch name {
	case "ctrl+i", "ctrl+m", "ctrl+[":
		sent := map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc"}[name]
		return "", fmt.Errorf("terminals send %s as %s: choose another key", name, sent)
	}
	if slices.Contains(reserved(), name) {
		return "", fmt.Errorf("the key %q is reserved, so that it always does the same: choose another", name)
	}
	if letters := []rune(name); len(letters) == 1 {
		if latin, other := layouts(letters[0]); other && letters[0] >= 0x80 {
			return "", fmt.Errorf("the key %q is read as %q, the letter on its key of a Latin keyboard: write that", name, latin)
		}
		if !unicode.IsPrint(letters[0]) || cells.Width(name) != 1 {
			return "", fmt.Errorf("%q is not a key that can be shown: choose another", name)
		}
		if slices.Contains([]string{"earlier", "later", "editor"}, meant) {
			return "", fmt.Errorf("%s works while a text is typed, where %q is a letter: choose a key such as ctrl+g", meant, name)
		}
		return name, nil
	}
	if !known(name) {
		if low := strings.ToLower(name); known(low) {
			return "", fmt.Errorf("%q is not a key: write %s", written, low)
		}
		return "", fmt.Errorf("%q is not a key: write a single letter or sign, or such as ctrl+g, alt+g, f2, pgup, space", written)
	}
	return name, nil
}

// ErrNoKey says that an action was left without a key.
var ErrNoKey = errors.New("needs a key: write one, or a list of them")

// known reports whether a terminal can send a key of this name, longer than one
// letter.
func known(name string) bool {
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		letters := []rune(rest)
		return len(letters) == 1 && letters[0] > ' ' && letters[0] < 0x7f
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok && len(rest) == 1 {
		return rest[0] >= 'a' && rest[0] <= 'z'
	}
	for _, prefix := range []string{"", "ctrl+", "shift+"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && slices.Contains([]string{"up", "down", "left", "right", "home", "end"}, rest) {
			return true
		}
	}
	if slices.Contains([]string{"tab", "shift+tab", "pgup", "pgdown", "insert", "delete"}, name) {
		return true
	}
	for n := 1; n <= 20; n++ {
		if name == fmt.Sprintf("f%d", n) {
			return true
		}
	}
	return false
}
