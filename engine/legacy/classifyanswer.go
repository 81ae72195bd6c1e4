package legacy

import (
	"strings"
	"unicode"
)

// ofAnswer sorts a claim about the text of an answer: a count, an edge or markup
// is format; what it says is the case.
func ofAnswer(c *Claim) Verdict {
	if c.Path != "" {
		return ofParts(c)
	}
	switch c.Op {
	case Parses:
		return Verdict{Contract, "the answer is JSON", 0.9}
	case HasKey:
		return Verdict{Contract, "keys that the prompt asks for", 0.7}
	case IsA:
		return Verdict{SDK, "the type of a value", 0.9}
	case Truthy:
		return Verdict{SDK, "only that there is an answer", 0.7}
	case Snapshot:
		return Verdict{Situation, "an old answer, kept whole", 0.4}
	case StartsWith:
		return ofEdge(c, "begins")
	case EndsWith:
		return ofEdge(c, "ends")
	case Contains:
		return ofWords(c)
	case Matches:
		return ofPattern(c)
	case Equals:
		if c.Not {
			return Verdict{Situation, "an answer that is wrong", 0.7}
		}
		return Verdict{Situation, "the whole answer", 0.8}
	case OneOf:
		return Verdict{Situation, "one of the answers that are right", 0.85}
	case Near, AtMost, AtLeast:
		return Verdict{Situation, "a number in the answer", 0.7}
	case Called, Raises:
		return Verdict{SDK, "how the program ran", 0.6}
	}
	return Verdict{Unsorted, "what it says of the answer cannot be read", 0}
}

// ofParts sorts a claim about counted or listed parts of an answer.
func ofParts(c *Claim) Verdict {
	switch c.Op {
	case AtMost, AtLeast, Equals, OneOf, Near:
		if numeric(c.Values) || c.Why != "" {
			return Verdict{Contract, "how many " + c.Path + " there are", 0.9}
		}
		return Verdict{Contract, "the " + c.Path + " in their order", 0.6}
	case StartsWith, EndsWith, Matches:
		return Verdict{Contract, "how " + c.Path + " begin or end", 0.85}
	case Truthy:
		return Verdict{Contract, "that there are " + c.Path, 0.6}
	case Contains:
		v := ofWords(c)
		v.Sure = min(v.Sure, 0.7)
		return v
	}
	return Verdict{Contract, "the " + c.Path + " of the answer", 0.5}
}

func numeric(values []any) bool {
	for _, v := range values {
		switch v.(type) {
		case string, []any, map[string]any, nil:
			return false
		}
	}
	return len(values) > 0
}

// ofEdge sorts a claim about how an answer begins or ends: mostly a prefix that
// a prompt asks for. A whole clause in small letters is something said.
func ofEdge(c *Claim, how string) Verdict {
	for _, v := range c.Values {
		s, ok := v.(string)
		if !ok || !clause(s) {
			return Verdict{Contract, "how the answer " + how, 0.85}
		}
	}
	if len(c.Values) == 0 {
		return Verdict{Contract, "how the answer " + how, 0.6}
	}
	return Verdict{Situation, "something said where the answer " + how, 0.6}
}

// clause tells a text of several words that no template would have: it holds a
// digit, or four words and no mark of a heading.
func clause(s string) bool {
	if strings.ContainsFunc(s, unicode.IsDigit) {
		return true
	}
	return len(strings.Fields(s)) >= 4 && !strings.HasSuffix(strings.TrimSpace(s), ":") && !strings.ContainsAny(s, "#*|<>`\n")
}

// ofWords sorts a claim that an answer holds strings, or not: markup and the
// names of headings are format.
func ofWords(c *Claim) Verdict {
	markups := 0
	for _, v := range c.Values {
		if s, ok := v.(string); ok && markup(s) {
			markups++
		}
	}
	switch {
	case markups > 0 && markups*2 >= len(c.Values) && c.Not:
		return Verdict{Contract, "markup that the answer must not have", 0.85}
	case markups > 0 && markups*2 >= len(c.Values):
		return Verdict{Contract, "markup or a heading that the prompt asks for", 0.85}
	case c.Not:
		return Verdict{Situation, "a string forbidden in the answer", 0.85}
	case c.Any:
		return Verdict{Situation, "a fact kept, in one of several wordings", 0.9}
	}
	return Verdict{Situation, "a fact kept in the answer", 0.9}
}

// markup tells a string of layout: one without a letter or digit that is no sign
// of content, a tag, a Markdown heading, bullet or bold, or a name with a colon.
func markup(s string) bool {
	if strings.TrimSpace(s) == "" {
		return true
	}
	trimmed := strings.TrimSpace(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		// An "@" or a currency is content.
		return !strings.ContainsFunc(s, func(r rune) bool { return r == '@' || r == '€' || r == '£' || r == '$' || r == '%' || r > 0x2fff })
	}
	switch {
	case strings.HasPrefix(trimmed, "<") && strings.HasSuffix(trimmed, ">"):
		return true
	case strings.HasPrefix(trimmed, "#"), strings.HasPrefix(trimmed, "```"):
		return true
	case strings.HasPrefix(trimmed, "**"), strings.HasPrefix(s, "- "), strings.HasPrefix(s, "* "), strings.HasPrefix(s, "\n"):
		return true
	case strings.HasPrefix(trimmed, "\"") && strings.HasSuffix(trimmed, ":"), strings.HasPrefix(trimmed, "["), strings.HasPrefix(trimmed, "{"):
		return true
	}
	return strings.HasSuffix(trimmed, ":") && len(strings.Fields(trimmed)) <= 3 && !strings.ContainsFunc(trimmed, unicode.IsDigit)
}

// ofPattern sorts a claim that a pattern matches the answer, or does not: one
// that spells nothing out is layout, unless it finds personal data.
func ofPattern(c *Claim) Verdict {
	var literal, layout, anchored bool
	for _, v := range c.Values {
		s, _ := v.(string)
		words, at := spelled(s)
		literal = literal || words
		anchored = anchored || at
		layout = layout || markup(headOf(s))
	}
	switch {
	case len(c.Values) == 0:
		return Verdict{Situation, "a pattern of the answer", 0.5}
	case anchored && (layout || !literal):
		return Verdict{Contract, "how lines of the answer begin", 0.8}
	case literal && layout && c.Not:
		return Verdict{Contract, "markup that the answer must not have", 0.7}
	case literal && c.Not:
		return Verdict{Situation, "a wording forbidden in the answer", 0.8}
	case literal:
		return Verdict{Situation, "a fact kept, as a pattern", 0.8}
	case c.Not && personal(c.Values):
		return Verdict{Situation, "personal data forbidden in the answer", 0.75}
	}
	return Verdict{Contract, "the layout, as a pattern", 0.7}
}

// spelled tells whether a pattern spells out a word or a number of two
// characters or more, and whether it is tied to the beginning of a line.
func spelled(p string) (words, anchored bool) {
	run := 0
	braces := false
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\\':
			i++
			run = 0
		case c == '[':
			for i++; i < len(p) && p[i] != ']'; i++ {
				if p[i] == '\\' {
					i++
				}
			}
			run = 0
		case c == '{':
			braces = true
		case c == '}':
			braces = false
		case c == '(' && strings.HasPrefix(p[i:], "(?"):
			for i < len(p) && p[i] != ':' && p[i] != ')' && p[i] != '=' && p[i] != '!' && p[i] != '>' {
				i++
			}
			run = 0
		case c == '^':
			anchored = true
		case !braces && (c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'):
			run++
			words = words || run >= 2
		default:
			run = 0
		}
	}
	return words, anchored
}

// headOf is what a pattern begins with once its anchors and groups are off, with
// escapes undone: "Summary:" of ^(?:^Summary:\n), "<b>" of <b>.
func headOf(p string) string {
	for changed := true; changed; {
		changed = false
		for _, lead := range []string{"(?m)", "(?s)", "(?i)", "(?:", "(", "^", `\A`, `\s*`, `\n`} {
			if strings.HasPrefix(p, lead) {
				p, changed = p[len(lead):], true
			}
		}
	}
	p = strings.ReplaceAll(p, `\n`, "")
	p = strings.TrimRight(p, ")$")
	return strings.ReplaceAll(p, `\`, "")
}

// personal tells patterns of long numbers and addresses.
func personal(values []any) bool {
	for _, v := range values {
		s, _ := v.(string)
		if !strings.Contains(s, "@") && !strings.Contains(s, `\d{`) && !strings.Contains(s, "[0-9]{") {
			return false
		}
	}
	return true
}
