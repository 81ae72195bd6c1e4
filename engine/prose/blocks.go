package prose

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line is one line of a text with what its layout makes of it.
type line struct {
	start, end int    // bytes of the text, without the line end
	text       string // trimmed
	code       bool   // inside a fenced code block, or one of its fences
}

func (l line) blank() bool { return l.text == "" }

// lines yields the lines of a text. A line ends at LF, CR LF or CR.
func lines(s string) iter.Seq[line] {
	return func(yield func(line) bool) {
		fence := ""
		for start := 0; start <= len(s); {
			end, next := len(s), len(s)+1
			if i := strings.IndexAny(s[start:], "\r\n"); i >= 0 {
				end = start + i
				next = end + 1
				if strings.HasPrefix(s[end:], "\r\n") {
					next++
				}
			}
			l := line{start: start, end: end, text: strings.TrimSpace(s[start:end])}
			switch mark := fenceOf(l.text); {
			case fence == "" && mark != "":
				fence, l.code = mark, true
			case fence != "":
				l.code = true
				if strings.HasPrefix(l.text, fence) && strings.Trim(l.text, fence[:1]) == "" {
					fence = ""
				}
			}
			if !yield(l) {
				return
			}
			start = next
		}
	}
}

// fenceOf returns the run of backticks or tildes that opens a code block.
func fenceOf(text string) string {
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return ""
	}
	mark := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	if text[0] == '`' && strings.Contains(text[len(mark):], "`") {
		return "" // code within a line
	}
	return mark
}

// isRule reports whether a line is a Markdown rule: three or more of one of
// - * _ and nothing else.
func isRule(text string) bool {
	if len(text) < 3 || text[0] != '-' && text[0] != '*' && text[0] != '_' {
		return false
	}
	marks := 0
	for i := range len(text) {
		switch text[i] {
		case text[0]:
			marks++
		case ' ', '\t':
		default:
			return false
		}
	}
	return marks >= 3
}

// Paragraphs returns the paragraphs of a text: the stretches between blank
// lines and between Markdown rules (---, ***, ___), trimmed. A heading with a
// blank line after it is a paragraph of its own; a list without blank lines is
// one; a fenced code block is part of the paragraph it stands in, whatever blank
// lines it holds.
func Paragraphs(s string) []string {
	var paragraphs []string
	start, end := -1, 0
	flush := func() {
		if start >= 0 {
			paragraphs = append(paragraphs, strings.TrimSpace(s[start:end]))
		}
		start = -1
	}
	for l := range lines(s) {
		if !l.code && (l.blank() || isRule(l.text)) {
			flush()
			continue
		}
		if start < 0 {
			start = l.start
		}
		end = l.end
	}
	flush()
	return paragraphs
}

// Lines returns the lines of a text that are not blank, trimmed.
func Lines(s string) []string {
	var found []string
	for l := range lines(s) {
		if !l.blank() {
			found = append(found, l.text)
		}
	}
	return found
}

// Bullets returns the bullet points of a text, without their marks: the lines
// that start, at any indentation, with - * + – — and white space, or with a
// typographic bullet. Numbered items are no bullets, and neither is anything
// inside a fenced code block.
func Bullets(s string) []string {
	var found []string
	for l := range lines(s) {
		if l.code {
			continue
		}
		if item, ok := bullet(l.text); ok {
			found = append(found, item)
		}
	}
	return found
}

// bullet returns the item of a trimmed line that is a bullet point.
func bullet(text string) (string, bool) {
	r, size := utf8.DecodeRuneInString(text)
	rest := text[size:]
	switch r {
	case '-', '*', '+', '–', '—':
		next, _ := utf8.DecodeRuneInString(rest)
		if rest == "" || !unicode.IsSpace(next) || isRule(text) {
			return "", false
		}
	case '•', '◦', '▪', '▫', '‣', '⁃', '●', '○', '■':
	default:
		return "", false
	}
	rest = strings.TrimSpace(rest)
	return rest, rest != ""
}

// numbered returns the item of a trimmed line that starts with a number: "1.",
// "2)", "(3)".
func numbered(text string) (string, bool) {
	rest := strings.TrimPrefix(text, "(")
	digits := 0
	for digits < len(rest) && isDigit(rest[digits]) {
		digits++
	}
	if digits == 0 || digits > 3 || digits+1 >= len(rest) {
		return "", false
	}
	if mark := rest[digits]; mark != ')' && (mark != '.' || len(rest) != len(text)) {
		return "", false
	}
	after := rest[digits+1:]
	if after[0] != ' ' && after[0] != '\t' {
		return "", false
	}
	return strings.TrimSpace(after), true
}
