package prose

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Words counts the words of a text: the segments of Unicode's word
// segmentation (UAX #29) that hold a letter or a number. So "don't", "3.5" and
// "snake_case" are one word each and "well-known" is two; each Chinese
// character and each hiragana counts as one, a run of katakana or of hangul as
// one, and each Thai, Lao, Khmer or Burmese letter as one, since those scripts
// have no spaces and the standard takes no dictionary. The counts of such texts
// are therefore comparable with each other, not with those of English.
func Words(s string) int { return words(s, int(^uint(0)>>1)) }

// words counts up to limit words, and may stop once it has them.
//
// UAX #29 breaks at every space and around every ideograph, so the text is
// taken piece by piece there: a piece of ASCII, which is most of them, is
// counted by a small automaton, and only the rest pays for the tables.
func words(s string, limit int) int {
	count, start, ascii := 0, 0, true
	flush := func(end int) {
		switch {
		case start == end:
		case ascii:
			count += asciiWords(s[start:end])
		default:
			count += segmentedWords(s[start:end])
		}
		ascii = true
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if isASCIISpace(c) {
				flush(i)
				start = i + 1
				if count >= limit {
					return count
				}
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case standsAlone(r):
			flush(i)
			count++
			start = i + size
		case r == '、' || r == '。' || r >= '「' && r <= '』':
			flush(i)
			start = i + size
		default:
			ascii = false
		}
		i += size
	}
	flush(len(s))
	return count
}

func isASCIISpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// standsAlone reports whether r is a letter that the word segmentation never
// joins with a neighbour that is one: common ideographs, hiragana, and the
// letters of Thai.
func standsAlone(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF ||
		r >= 0x3041 && r <= 0x3096 || r >= 0x0E01 && r <= 0x0E30
}

// asciiWords is the word segmentation of UAX #29 for a text of ASCII.
func asciiWords(s string) int {
	count := 0
	open, counted := false, false // a segment that may go on; whether it was counted
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isASCIILetter(c) || isDigit(c):
			if !open || !counted {
				count++
			}
			open, counted = true, true
		case c == '_':
			if !open {
				counted = false
			}
			open = true
		default:
			if !open || i+1 == len(s) || !joins(s[i-1], c, s[i+1]) {
				open, counted = false, false
			}
		}
	}
	return count
}

// joins reports whether the punctuation c holds a word together between before
// and after: "don't", "a.m", "3,000".
func joins(before, c, after byte) bool {
	switch c {
	case '\'', '.':
		return isASCIILetter(before) && isASCIILetter(after) || isDigit(before) && isDigit(after)
	case ':':
		return isASCIILetter(before) && isASCIILetter(after)
	case ',', ';':
		return isDigit(before) && isDigit(after)
	}
	return false
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool       { return c >= '0' && c <= '9' }

func segmentedWords(s string) int {
	count, state := 0, -1
	var word string
	for s != "" {
		word, s, state = uniseg.FirstWordInString(s, state)
		if holdsText(word) {
			count++
		}
	}
	return count
}

// holdsText reports whether s holds a letter or a number.
func holdsText(s string) bool {
	for _, r := range s {
		if isText(r) {
			return true
		}
	}
	return false
}

// isText reports whether r is a letter or a number. The half-width voicing
// marks are letters to Unicode's general categories, but part of the character
// before them to its segmentation.
func isText(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIILetter(byte(r)) || isDigit(byte(r))
	}
	return r != 'ﾞ' && r != 'ﾟ' && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// Characters counts what a reader sees as characters: the grapheme clusters of
// UAX #29. An emoji with a skin tone, an accented letter in two code points and
// a line end of CR and LF are one each; white space counts.
func Characters(s string) int {
	count, start := 0, -1 // start of a stretch that needs the tables
	previous := 0         // where the previous plain character stands
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case !isPlain(r, size):
			if start < 0 {
				// The character before may take this one in.
				if start = i; i > 0 {
					start, count = previous, count-1
				}
			}
		case start >= 0:
			// The first plain character after the stretch belongs to it, since
			// some characters take in the one that follows.
			count += uniseg.GraphemeClusterCount(s[start : i+size])
			start, previous = -1, i
		default:
			if r == '\n' && i > 0 && s[i-1] == '\r' {
				count--
			}
			count++
			previous = i
		}
		i += size
	}
	if start >= 0 {
		count += uniseg.GraphemeClusterCount(s[start:])
	}
	return count
}

// isPlain reports whether r is of a block in which each character is a
// grapheme cluster of its own whenever its neighbours are of such a block, too.
func isPlain(r rune, size int) bool {
	switch {
	case r < 0x300:
		return true
	case r == utf8.RuneError && size == 1:
		return true
	}
	return r >= 0x370 && r <= 0x482 || r >= 0x48A && r <= 0x52F ||
		r >= 0x2010 && r <= 0x2027 || r >= 0x3001 && r <= 0x3029 ||
		r >= 0x3041 && r <= 0x3096 || r >= 0x30A0 && r <= 0x30FF ||
		r >= 0x3400 && r <= 0x9FFF || r >= 0xFF01 && r <= 0xFF9D
}
