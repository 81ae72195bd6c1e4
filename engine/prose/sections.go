package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Section is a part of a text under a heading of its own.
type Section struct {
	Heading string // without its marks; "" in a text that has no headings
	Body    string // what follows up to the next section, trimmed
}

// The levels of headings, from the one that divides most to the one that
// divides least.
const (
	noHeading    = 0
	setextSecond = 2 // underlined with ---; # to ###### are 1 to 6
	boldLine     = 7 // a line that is bold as a whole
	labelled     = 8 // "Situation: …"
)

// A heading is where one stands in a text.
type heading struct {
	level int
	text  string
	start int // of the line
	body  int // where what follows starts
}

// Sections returns the sections of a text.
//
// Headings are Markdown headings (# to ######, or underlined with === or ---),
// lines that are bold as a whole, and labels: one to five words with a colon at
// the start of a line, bold or not ("Action taken: …"). The sections are those
// of the level that divides the text: the first, in that order, which has two
// headings or more. Deeper headings belong to the section they stand in; a
// title above the sections, and what stands before the first, belong to none.
//
// Without such a level a single Markdown heading makes one section, and a text
// with none has as many sections as paragraphs, each without a heading.
func Sections(s string) []Section {
	headings := findHeadings(s)
	var counts [labelled + 1]int
	for _, h := range headings {
		counts[h.level]++
	}
	level := noHeading
	for l, n := range counts {
		if n >= 2 {
			level = l
			break
		}
		if level == noHeading && n == 1 && l <= 6 {
			level = l
		}
	}
	if n := counts[level]; level != noHeading && n < 2 {
		// The only heading of its level: any other level has one at most.
		for l := level + 1; l < len(counts); l++ {
			if counts[l] >= 2 {
				level = l
				break
			}
		}
	}
	var sections []Section
	if level == noHeading {
		for _, p := range Paragraphs(s) {
			sections = append(sections, Section{Body: p})
		}
		return sections
	}
	for i, h := range headings {
		if h.level != level {
			continue
		}
		end := len(s)
		for _, next := range headings[i+1:] {
			if next.level <= level {
				end = next.start
				break
			}
		}
		sections = append(sections, Section{Heading: h.text, Body: strings.TrimSpace(s[min(h.body, end):end])})
	}
	return sections
}

// Headings returns all headings of a text in their order, of every level, as
// Sections knows them. A label counts even where it is the only one.
func Headings(s string) []string {
	var texts []string
	for _, h := range findHeadings(s) {
		texts = append(texts, h.text)
	}
	return texts
}

func findHeadings(s string) []heading {
	var found []heading
	var previous line
	for l := range lines(s) {
		if l.code || l.blank() {
			previous = line{}
			continue
		}
		if level := underline(l.text); level != noHeading && previous.text != "" {
			if n := len(found); n > 0 && found[n-1].start == previous.start {
				found = found[:n-1] // the underlined line looked like a label
			}
			found = append(found, heading{level: level, text: plainHeading(previous.text), start: previous.start, body: l.end})
			previous = line{}
			continue
		}
		previous = l
		if h, ok := headingOf(l); ok {
			found = append(found, h)
			if h.level <= 6 {
				previous = line{}
			}
		} else if _, isBullet := bullet(l.text); isBullet {
			previous = line{}
		}
	}
	return found
}

// underline returns the level of the heading that a line of = or - makes of the
// line above it.
func underline(text string) int {
	switch {
	case len(text) < 2:
	case strings.Trim(text, "=") == "":
		return 1
	case strings.Trim(text, "-") == "":
		return setextSecond
	}
	return noHeading
}

func headingOf(l line) (heading, bool) {
	if marks := len(l.text) - len(strings.TrimLeft(l.text, "#")); marks > 0 {
		rest := l.text[marks:]
		if marks > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
			return heading{}, false
		}
		text := plainHeading(strings.TrimRight(rest, "#"))
		return heading{level: marks, text: text, start: l.start, body: l.end}, text != ""
	}
	text := l.text
	if item, ok := numbered(text); ok {
		text = item
	}
	if mark := emphasis(text); mark != "" {
		inner, after, closed := strings.Cut(text[len(mark):], mark)
		switch after = strings.TrimSpace(after); {
		case !closed || strings.TrimSpace(inner) == "":
		case after == "" || after == ":" || after == "：":
			return heading{level: boldLine, text: plainHeading(inner), start: l.start, body: l.end}, true
		case strings.HasSuffix(inner, ":") || strings.HasSuffix(inner, "：") || strings.HasPrefix(after, ":") || strings.HasPrefix(after, "："):
			label := plainHeading(inner)
			if isLabel(label) {
				after = strings.TrimLeft(after, ":：")
				return heading{level: labelled, text: label, start: l.start, body: l.end - len(after)}, true
			}
		}
		return heading{}, false
	}
	i := strings.IndexAny(text, ":：")
	if i < 0 || !isLabel(text[:i]) {
		return heading{}, false
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	after := text[i+size:]
	if size == 1 && after != "" && after[0] != ' ' && after[0] != '\t' {
		return heading{}, false // a time, an address, a scope
	}
	return heading{level: labelled, text: text[:i], start: l.start, body: l.end - len(after)}, true
}

// emphasis returns the mark of the bold text that a line starts with.
func emphasis(text string) string {
	for _, mark := range []string{"**", "__"} {
		if strings.HasPrefix(text, mark) && len(text) > 2*len(mark) {
			return mark
		}
	}
	return ""
}

// isLabel reports whether text can stand before a colon as the name of a
// section: one to five words, 40 bytes at most unless it is CJK, no sentence
// inside, and no lower-case start.
func isLabel(text string) bool {
	if text == "" || len(text) > 60 || strings.ContainsAny(text, ".!?,;\"()[]{}<>*`|。！？、") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text)
	if !unicode.IsLetter(first) || unicode.IsLower(first) {
		return false
	}
	return len(strings.Fields(text)) <= 5 && utf8.RuneCountInString(text) <= 40
}

func plainHeading(text string) string {
	return strings.TrimSpace(strings.TrimRight(strings.Trim(strings.TrimSpace(text), "*_ \t"), ":： \t*_"))
}
