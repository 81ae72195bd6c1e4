package safetext

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const (
	zwnj      = '\u200c'
	zwj       = '\u200d'
	keycap    = '\u20e3'
	blackFlag = '\U0001f3f4'
	cancelTag = '\U000e007f'

	// maxMarks is how many combining marks one letter keeps: more than any
	// orthography stacks, and few enough that a terminal's cell holds them
	// (tmux keeps 32 bytes a cell and drops the rest unseen).
	maxMarks = 10
	// maxJoins is how many joiners one emoji keeps. The longest emoji in
	// use have three; a chain without end would be measured as two columns
	// and drawn as hundreds.
	maxJoins = 4
)

// class is how a rune outside ASCII is treated.
type class uint8

const (
	visible  class = iota // takes up space and does nothing else
	mark                  // combines with the rune before it
	modifier              // an emoji's skin tone: combines with the emoji before it
	prefix                // combines with the letter after it
	selector              // chooses a form of the rune before it
	joiner                // ZWJ and ZWNJ
	hidden                // must be shown as a token
)

// classify sorts the common scripts out first, without a table look-up.
func classify(r rune) class {
	switch {
	case r < 0xa0:
		return hidden // C1
	case r < 0x300:
		if r == 0xad {
			return hidden // the soft hyphen
		}
		return visible
	case r >= 0x370 && r < 0x483, r >= 0x3041 && r < 0x3099, r >= 0x30a0 && r < 0x3131,
		r >= 0x3400 && r < 0xa000, r >= 0xac00 && r < 0xd7a4:
		return visible // Greek and Cyrillic letters, kana, Han, Hangul
	case r == zwj, r == zwnj:
		return joiner
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, r >= 0x180b && r <= 0x180d, r == 0x180f:
		return selector
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return modifier
	case r == 0xff9e, r == 0xff9f:
		return mark // half-width voicing marks: letters by category, marks by use
	case r == 0x0d4e, r == 0x111c2, r == 0x111c3, r == 0x1193f, r == 0x11941, r == 0x11a3a,
		r >= 0x11a84 && r <= 0x11a89, r == 0x11d46, r == 0x11f02:
		return prefix
	case invisible(r):
		return hidden
	case unicode.Is(unicode.M, r):
		return mark
	}
	return visible
}

// invisible reports whether r draws nothing, or draws something other than
// itself: format characters (the bidirectional controls among them), line and
// paragraph separators, fillers, tags, noncharacters.
func invisible(r rune) bool {
	switch {
	case r == 0x034f, // combining grapheme joiner
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, // Hangul fillers
		r == 0x17b4, r == 0x17b5, // Khmer inherent vowels
		r == 0x2028, r == 0x2029, // separators
		r == 0x2065, r >= 0xfff0 && r <= 0xfff8, // reserved as ignorable
		r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe, // noncharacters
		r >= 0xe0000 && r <= 0xe0fff: // tags and what is reserved beside them
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

// selects reports whether the variation selector r has something to choose
// after base: an emoji or text form, a keycap, a form of an ideograph or of a
// Mongolian letter.
func selects(base, r rune, rest string) bool {
	switch {
	case base == 0:
		return false
	case r == 0xfe0e || r == 0xfe0f:
		if base >= '0' && base <= '9' || base == '#' || base == '*' {
			next, _ := utf8.DecodeRuneInString(rest)
			return next == keycap
		}
		return pictographic(base)
	case r >= 0x180b && r <= 0x180f:
		return unicode.Is(unicode.Mongolian, base)
	default:
		return unicode.Is(unicode.Han, base)
	}
}

// pictographic reports whether r can be part of an emoji. It asks the
// segmentation rules themselves (UAX 29, rule GB11): only such a rune makes
// one cluster with a joiner and an emoji after it.
func pictographic(r rune) bool {
	if r < 0xa9 || unicode.IsLetter(r) && r != 'ℹ' && r != 'Ⓜ' {
		return false
	}
	var probe [utf8.UTFMax + 7]byte
	n := utf8.EncodeRune(probe[:], r)
	n += copy(probe[n:], "\u200d\U0001f600")
	cluster, _, _, _ := uniseg.FirstGraphemeCluster(probe[:n], -1)
	return len(cluster) == n
}

// usesJoiners reports whether r belongs to a script that writes words with
// ZWJ and ZWNJ, such as Persian or Hindi, where the joiner shows in the
// letters beside it.
func usesJoiners(r rune) bool {
	return r >= 0x600 && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari,
		unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar)
}

// flagTags returns how many bytes at the start of s complete the flag of a
// region, such as England's: three to six tag letters or digits and the cancel
// tag. Any other run of tags is hidden text and is not kept.
func flagTags(s string) int {
	for i, count := 0, 0; i < len(s); count++ {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == cancelTag && count >= 3:
			return i
		case count < 6 && (r >= 0xe0030 && r <= 0xe0039 || r >= 0xe0061 && r <= 0xe007a):
		default:
			return 0
		}
	}
	return 0
}

// controlToken names a C0 control or DEL as the ASCII standard does.
func controlToken(r rune) string {
	if r == 0x7f {
		return "<DEL>"
	}
	names := [...]string{
		"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
		"DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
	}
	return "<" + names[r] + ">"
}

// runeToken names a rune by its code point.
func runeToken(r rune) string { return fmt.Sprintf("<U+%04X>", r) }

// invalidToken names a byte that is no UTF-8.
func invalidToken(b byte) string { return fmt.Sprintf("<0x%02X>", b) }
