package draft

import (
	"fmt"
	"slices"
	"strings"
)

// Contradiction says why no answer can satisfy two expectations; "" where
// nothing was found. It is found by what has to stand in a text and must not, by
// its edges, its counts and the types of its JSON: whatever depends on what else
// a pattern could match counts as no contradiction.
func Contradiction(a, b map[string]any) string {
	if why := textual(a, b); why != "" {
		return why
	}
	joined := Expectation{Values: a}
	return joined.Add(b)
}

// textual says why no text satisfies both expectations.
func textual(a, b map[string]any) string {
	x, y := demandsOf(a), demandsOf(b)
	for _, why := range []string{
		x.clash(y), y.clash(x), edges(x.heads, y.heads, "begins", heads), edges(x.tails, y.tails, "ends", tails),
		schemaClash(a["json_schema"], b["json_schema"]),
	} {
		if why != "" {
			return why
		}
	}
	return ""
}

// demands are what an expectation says of the text as it stands.
type demands struct {
	required, forbidden []literal
	heads, tails        []literal
	wholes              []literal // the whole text, white space around it aside
	leastLines          int       // 0 where none is asked
	mostLines           int       // -1 where any number will do
	mostWords, mostChar int       // -1 where any number will do
	paragraphs          bool      // at least two
	json                bool
}

func demandsOf(expect map[string]any) demands {
	d := demands{mostLines: -1, mostWords: -1, mostChar: -1}
	facts, _ := expect["must_contain_fact"].([]any)
	for _, f := range facts {
		m, _ := f.(map[string]any)
		if s, ok := m["value"].(string); ok {
			fold, _ := m["ignore_case"].(bool)
			d.required = append(d.required, literal{s, fold})
		}
	}
	strings, _ := expect["must_not_contain"].([]any)
	for _, v := range strings {
		if s, ok := v.(string); ok {
			d.forbidden = append(d.forbidden, literal{s, false})
		}
	}
	patterns, _ := expect["must_match"].([]any)
	for _, v := range patterns {
		s, _ := v.(string)
		d.matches(spell(s))
	}
	patterns, _ = expect["must_not_match"].([]any)
	for _, v := range patterns {
		s, _ := v.(string)
		if p := spell(s); p.complete && !p.begins && !p.ends {
			d.forbidden = append(d.forbidden, p.text)
		}
	}
	d.parts(expect["structure"])
	if n, ok := whole(expect["max_words"]); ok {
		d.mostWords = n
	}
	if n, ok := whole(expect["max_chars"]); ok {
		d.mostChar = n
	}
	d.json = expect["json_schema"] != nil || expect["fields"] != nil
	return d
}

// matches notes what a pattern that has to match spells out.
func (d *demands) matches(p spelling) {
	switch {
	case p.complete && p.begins && p.ends:
		d.wholes = append(d.wholes, p.text)
	case p.complete && p.begins && !p.padded:
		d.heads = append(d.heads, p.text)
	case p.complete && p.ends && !p.padded:
		d.tails = append(d.tails, p.text)
	case p.head.text != "":
		d.heads = append(d.heads, p.head)
		d.required = append(d.required, p.head)
	}
	if p.complete && p.text.text != "" {
		d.required = append(d.required, p.text)
		if strings.Trim(p.text.text, "\r\n") == "" {
			d.leastLines = max(d.leastLines, 2) // a line end is asked for because lines follow
		}
	}
}

// parts notes how many lines the counts of a text's parts come to.
func (d *demands) parts(structure any) {
	m, _ := structure.(map[string]any)
	for _, part := range []string{"lines", "bullets", "paragraphs", "sections"} {
		low, high, ok := span(m[part])
		if !ok {
			continue
		}
		d.leastLines = max(d.leastLines, low)
		if part == "lines" && high >= 0 {
			d.mostLines = high
		}
		d.paragraphs = d.paragraphs || part == "paragraphs" && low >= 2
	}
}

// clash says why what one expectation requires is what another refuses.
func (d demands) clash(other demands) string {
	for _, f := range other.forbidden {
		for _, r := range d.required {
			if r.holds(f) {
				return fmt.Sprintf("%q is asked for and %q forbidden", r.text, f.text)
			}
		}
		if bare := strings.Trim(f.text, "\r\n"); bare == "" && f.text != "" {
			switch {
			case f.text == "\n" && d.leastLines >= 2:
				return fmt.Sprintf("%d lines are asked for and line ends forbidden", d.leastLines)
			case f.text == "\n\n" && d.paragraphs:
				return "paragraphs are asked for and blank lines forbidden"
			}
		}
	}
	for _, r := range d.required {
		switch {
		case other.mostLines >= 0 && linesIn(r.text) > other.mostLines, other.mostWords >= 0 && len(strings.Fields(r.text)) > other.mostWords,
			other.mostChar >= 0 && len([]rune(strings.TrimSpace(r.text))) > other.mostChar:
			return fmt.Sprintf("%q is longer than the answer may be", r.text)
		case other.json && d.prose(r):
			return fmt.Sprintf("the answer has to be JSON and to begin with %q", r.text)
		}
	}
	if other.mostLines >= 0 && d.leastLines > other.mostLines {
		return fmt.Sprintf("%d lines at least are asked for, and %d at most", d.leastLines, other.mostLines)
	}
	for _, w := range d.wholes {
		for _, r := range slices.Concat(other.required, other.wholes) {
			if !w.holds(literal{strings.TrimSpace(r.text), r.fold || w.fold}) {
				return fmt.Sprintf("the whole answer is %q, without %q", w.text, r.text)
			}
		}
		for _, r := range other.wholes {
			if !strings.EqualFold(strings.TrimSpace(r.text), strings.TrimSpace(w.text)) {
				return fmt.Sprintf("the whole answer is both %q and %q", w.text, r.text)
			}
		}
	}
	return ""
}

// prose reports a beginning that no JSON has, in a fence or without one.
func (d demands) prose(r literal) bool {
	if !slices.Contains(d.heads, r) {
		return false
	}
	text := strings.TrimSpace(r.text)
	return text != "" && !strings.ContainsRune("{[\"-0123456789tfn`", rune(text[0]))
}

// edges says why a text has not both of two edges.
func edges(a, b []literal, how string, fit func(a, b literal) bool) string {
	for _, x := range a {
		for _, y := range b {
			if !fit(x, y) && !fit(y, x) {
				return fmt.Sprintf("no text %s with both %q and %q", how, x.text, y.text)
			}
		}
	}
	return ""
}

func heads(a, b literal) bool { return strings.HasPrefix(a.shape(b.fold), b.shape(a.fold)) }
func tails(a, b literal) bool { return strings.HasSuffix(a.shape(b.fold), b.shape(a.fold)) }

// linesIn counts the lines of a text that are not blank.
func linesIn(s string) int {
	n := 0
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// span is the range that a count of parts allows; high is -1 where it has no
// upper end.
func span(v any) (low, high int, ok bool) {
	if n, exact := whole(v); exact {
		return n, n, true
	}
	m, isRange := v.(map[string]any)
	if !isRange {
		return 0, -1, false
	}
	high = -1
	if n, has := whole(m["min"]); has {
		low = n
	}
	if n, has := whole(m["max"]); has {
		high = n
	}
	return low, high, true
}
