package label

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words finds listed labels as whole words in folded text, in one pass.
type words struct {
	// starts holds, for each first byte, the labels that begin with it, the
	// longest first, so that a label inside a longer one loses.
	starts [256][]entry
}

type entry struct{ folded, label string }

func newWords(listed map[string]string) *words {
	w := &words{}
	for folded, label := range listed {
		w.starts[folded[0]] = append(w.starts[folded[0]], entry{folded, label})
	}
	for i := range w.starts {
		slices.SortFunc(w.starts[i], func(a, b entry) int {
			if d := len(b.folded) - len(a.folded); d != 0 {
				return d
			}
			return strings.Compare(a.folded, b.folded)
		})
	}
	return w
}

// find returns the only label in the text, Ambiguous for several, nil for none.
func (w *words) find(text string) any {
	found := ""
next:
	for i := 0; i < len(text); i++ {
		for _, e := range w.starts[text[i]] {
			if !strings.HasPrefix(text[i:], e.folded) || !wholeWord(text, i, i+len(e.folded)) {
				continue
			}
			if found != "" && found != e.label {
				return Ambiguous
			}
			found = e.label
			i += len(e.folded) - 1
			continue next
		}
	}
	if found == "" {
		return nil
	}
	return found
}

// wholeWord reports whether text[start:end] stands on its own: no letter,
// digit or underscore touches it, and no hyphen ties it to another word
// ("non-paid" is not "paid"). An apostrophe ties nothing, so that a label is
// found behind an elided article.
func wholeWord(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:end])
	last, _ := utf8.DecodeLastRuneInString(text[start:end])
	return !(inWord(first) && continued(text[:start], utf8.DecodeLastRuneInString, func(s string, n int) string { return s[:len(s)-n] })) &&
		!(inWord(last) && continued(text[end:], utf8.DecodeRuneInString, func(s string, n int) string { return s[n:] }))
}

// continued reports whether the text beside a label continues its word. The
// text is read away from the label, by next and cut.
func continued(beside string, next func(string) (rune, int), cut func(string, int) string) bool {
	r, size := next(beside)
	if r == '-' || r == '\u2010' || r == '\u2011' {
		r, size = next(cut(beside, size))
	}
	return size > 0 && inWord(r)
}

// inWord reports whether a rune is part of a word in a script that puts spaces
// between words. Chinese, Japanese, Thai and their like put none, so a label
// there may touch its neighbours.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
		return false
	}
	return !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}
