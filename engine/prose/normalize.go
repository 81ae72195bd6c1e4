package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize returns the form in which texts are searched and compared: Unicode
// NFC, each run of white space (line breaks and no-break spaces included) one
// space, none at either end. A text that already has this form is returned as
// it is, without an allocation.
func Normalize(s string) string {
	if !norm.NFC.IsNormalString(s) {
		s = norm.NFC.String(s)
	}
	if isCollapsed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	pending := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			pending = b.Len() > 0
		} else {
			if pending {
				b.WriteByte(' ')
				pending = false
			}
			// Bytes are copied, not the rune: an invalid byte stays itself.
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// isCollapsed reports whether the only white space in s is single spaces
// between other characters.
func isCollapsed(s string) bool {
	previous := ' ' // so that a leading space is refused
	for _, r := range s {
		if r == ' ' && previous == ' ' || r != ' ' && unicode.IsSpace(r) {
			return false
		}
		previous = r
	}
	return s == "" || previous != ' '
}
