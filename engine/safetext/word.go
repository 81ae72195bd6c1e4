package safetext

import "strings"

// Word spells a name, say of a file, so that a command that is copied into a
// shell takes it for one word and for no flag. It is for building a command;
// what is printed of it goes through Line like any other text.
func Word(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%", r)
	}
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	if name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
