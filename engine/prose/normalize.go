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
	for start, i := 0, 0; ; {
		size := spaceAt(s, i)
		if i < len(s) && size == 0 {
			i++
			continue
		}
		// Bytes are copied, not runes: an invalid byte stays itself.
		if i > start {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s[start:i])
		}
		if i == len(s) {
			return b.String()
		}
		i += size
		start = i
	}
}

// spaceAt returns the length in bytes of the white space that s has at i, 0
// where it has none there.
func spaceAt(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		if isASCIISpace(c) {
			return 1
		}
		return 0
	}
	if !utf8.RuneStart(s[i]) {
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
		return size
	}
	return 0
}

// isCollapsed reports whether the only white space in s is single spaces
// between other characters.
func isCollapsed(s string) bool {
	afterSpace := true // so that a leading space is refused
	for i := range len(s) {
		size := spaceAt(s, i)
		if size > 0 && (afterSpace || s[i] != ' ') {
			return false
		}
		afterSpace = size > 0
	}
	return s == "" || !afterSpace
}
