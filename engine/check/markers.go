package check

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// citations returns the documents that a text cites, once for each marker, in
// the form of citationName.
//
// A marker is what stands in [ ], 【 】 or ( ), outside code:
//
//   - in square or lenticular brackets: numbers of up to three digits ([1],
//     [1, 2], [1-3], [^2]), names that are written together and hold a digit
//     ([doc-3]), and the name of any document that was given; what follows † is
//     dropped (【3†source】);
//   - in any bracket, round ones included: what follows "source:", "sources:",
//     "ref:" or "doc:", separated by commas or semicolons.
//
// A link is no marker, unless its text is a number or a document's name.
func citations(text string, known map[string]bool) []string {
	var cited []string
	code := false // within backticks
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '`':
			code = !code && strings.Contains(text[i+1:], "`")
			for i+size < len(text) && text[i+size] == '`' {
				size++ // a run of backticks opens or closes as one
			}
		case code:
		case r == '[', r == '【', r == '(':
			inner, length := bracketed(text[i:], r)
			if length == 0 {
				break
			}
			isLink := r == '[' && strings.HasPrefix(text[i+length:], "(")
			if names := markerNames(inner, r, isLink, known); len(names) > 0 {
				cited = append(cited, names...)
				size = length
			}
		}
		i += size
	}
	return cited
}

const longestMarker = 200 // bytes

// bracketed returns what stands in the bracket that s starts with, and the
// length of the whole; 0 where it does not close on the same line.
func bracketed(s string, open rune) (inner string, length int) {
	closing := map[rune]string{'[': "]", '【': "】", '(': ")"}[open]
	size := utf8.RuneLen(open)
	window := s[:min(len(s), longestMarker)]
	end := strings.Index(window, closing)
	if end < 0 || strings.ContainsAny(window[size:end], "\n\r") {
		return "", 0
	}
	return window[size:end], end + len(closing)
}

func markerNames(inner string, open rune, isLink bool, known map[string]bool) []string {
	inner, _, _ = strings.Cut(inner, "†")
	named := citationName(strings.TrimPrefix(strings.TrimSpace(inner), "^"))
	announced := false
	for _, prefix := range [...]string{"source:", "sources:", "ref:", "doc:"} {
		if rest, ok := strings.CutPrefix(named, prefix); ok {
			named, announced = strings.TrimSpace(rest), true
			break
		}
	}
	switch {
	case named == "" || open == '(' && !announced:
		return nil
	case known[named]:
		return []string{named}
	}
	var names []string
	for part := range strings.FieldsFuncSeq(named, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimPrefix(strings.TrimSpace(part), "^")
		switch {
		case part == "":
		case announced || known[part] || isNumber(part):
			names = append(names, part)
		case isRange(part):
			names = append(names, expandRange(part)...)
		case !isLink && isName(part):
			names = append(names, part)
		default:
			return nil // one that is no citation makes the whole none
		}
	}
	return names
}

func isNumber(s string) bool {
	return len(s) >= 1 && len(s) <= 3 && strings.Trim(s, "0123456789") == ""
}

func splitRange(s string) (from, to string, ok bool) {
	from, to, ok = strings.Cut(strings.ReplaceAll(s, "–", "-"), "-")
	return from, to, ok && isNumber(from) && isNumber(to)
}

func isRange(s string) bool {
	from, to, ok := splitRange(s)
	if !ok {
		return false
	}
	a, _ := strconv.Atoi(from)
	b, _ := strconv.Atoi(to)
	return a < b && b-a < 50
}

func expandRange(s string) []string {
	from, to, _ := splitRange(s)
	a, _ := strconv.Atoi(from)
	b, _ := strconv.Atoi(to)
	var names []string
	for n := a; n <= b; n++ {
		names = append(names, strconv.Itoa(n))
	}
	return names
}

// isName reports whether s looks like the name of a document: written
// together, with a letter and a digit, and a joint between them ("doc-3",
// "kb_12", "policy.4").
func isName(s string) bool {
	letter, digit, joint := false, false, false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case unicode.IsDigit(r):
			digit = true
		case strings.ContainsRune("-_.:/#", r):
			joint = true
		default:
			return false
		}
	}
	return letter && digit && joint
}
