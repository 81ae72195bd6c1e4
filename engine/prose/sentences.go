package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences counts the sentences of a text. A sentence ends
//
//   - after a run of . ! ? … or their counterparts in other scripts, with the
//     quotes and brackets that close after it, where white space or the end of
//     the text follows (none is needed after a full-width mark) and the next
//     letter is not in lower case;
//   - at a blank line, before and after a list item or a heading, and at a rule.
//
// A single full stop ends none after a common abbreviation ("Dr."), an initial
// ("J. Smith"), letters with stops inside ("e.g.", "p.m."), or the number of a
// list item. A single line break ends none, so text may be wrapped. Only what
// holds a letter or a number counts.
//
// These are the sentence boundaries of UAX #29 but for the abbreviations and
// the line breaks, which the standard leaves to the application.
func Sentences(s string) int {
	count, start, end := 0, -1, 0
	flush := func() {
		if start >= 0 {
			count += sentencesIn(s[start:end])
		}
		start = -1
	}
	for l := range lines(s) {
		switch {
		case l.blank() || isRule(l.text) || l.code && fenceOf(l.text) != "" || underline(l.text) != noHeading:
			flush()
			continue
		case startsBlock(l.text):
			flush()
		}
		if start < 0 {
			start = l.start
		}
		end = l.end
		if strings.HasPrefix(l.text, "#") || emphasis(l.text) != "" && (strings.HasSuffix(l.text, "**") || strings.HasSuffix(l.text, "__")) {
			flush()
		}
	}
	flush()
	return count
}

// startsBlock reports whether a line cannot continue the sentence above it.
func startsBlock(text string) bool {
	if strings.HasPrefix(text, "#") || strings.HasPrefix(text, ">") || strings.HasPrefix(text, "|") {
		return true
	}
	if _, ok := bullet(text); ok {
		return true
	}
	_, ok := numbered(text)
	return ok
}

func sentencesIn(s string) int {
	count, holds, from := 0, false, 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case !isTerminator(r):
			holds = holds || isText(r)
			i += size
			continue
		case !holds:
			i += size
			continue
		}
		end, wide := i, false
		for end < len(s) { // the whole run, and what closes after it
			next, n := utf8.DecodeRuneInString(s[end:])
			if !isTerminator(next) && !closes(next) {
				break
			}
			wide = wide || isWide(next)
			end += n
		}
		if endsSentence(s[from:i], s[i:end], s[end:], wide) {
			count++
			holds, from = false, end
		}
		i = end
	}
	if holds {
		count++
	}
	return count
}

// lookAhead bounds, in bytes, how far the next letter is looked for.
const lookAhead = 32

// endsSentence decides whether a run of terminators ends a sentence, given what
// stands before it in the sentence and what follows.
func endsSentence(before, run, after string, wide bool) bool {
	if after == "" {
		return true
	}
	next, _ := utf8.DecodeRuneInString(after)
	if !unicode.IsSpace(next) {
		return wide
	}
	for _, r := range after[:min(len(after), lookAhead)] {
		if isText(r) {
			if unicode.IsLower(r) {
				return false
			}
			break
		}
	}
	return run != "." || !isAbbreviation(before)
}

// isAbbreviation reports whether the word at the end of s takes a full stop
// without ending a sentence.
func isAbbreviation(s string) bool {
	start := strings.LastIndexFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == '(' || r == '[' || r == '"' || r == '“' || r == '*' || r == '/'
	}) + 1
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++ // a white space of several bytes
	}
	word := s[start:]
	if word == "" || len(word) > 12 {
		return false
	}
	if strings.Contains(word, ".") && unicode.IsLetter(rune(word[0])) {
		return strings.IndexByte(word, '.') <= 2 // e.g, p.m, U.S; not example.com
	}
	if strings.Trim(word, "0123456789") == "" {
		return strings.TrimSpace(s[:start]) == "" // the number of a list item
	}
	if first, n := utf8.DecodeRuneInString(word); n == len(word) {
		return unicode.IsUpper(first) && first != 'I'
	}
	switch strings.ToLower(word) {
	case "mr", "mrs", "ms", "dr", "prof", "sr", "jr", "st", "mt", "vs", "cf", "no", "nr", "fig", "vol", "ch", "pp", "approx", "dept", "est", "inc", "ltd", "co", "corp", "gen", "col", "lt", "sgt", "rev", "hon", "gov", "sen", "rep",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
		"mme", "mlle", "hr", "fr", "bzw", "ca", "ggf", "usw", "art", "av", "sra", "srta", "dott", "sig", "n°":
		return true
	}
	return false
}

func isTerminator(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '‼', '⁇', '⁈', '⁉', '؟', '۔', '।', '॥', '։', '።', '။':
		return true
	}
	return isWide(r)
}

// isWide reports whether r ends a sentence with no white space after it.
func isWide(r rune) bool {
	switch r {
	case '。', '！', '？', '｡', '．':
		return true
	}
	return false
}

func closes(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '}', '*', '_', '”', '’', '»', '」', '』', '）', '】', '〉', '》':
		return true
	}
	return false
}
