package draft

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// A literal is a text that has to stand in another, or must not.
type literal struct {
	text string
	fold bool // whatever its case
}

// shape is the text in one case where either side asks for that.
func (l literal) shape(fold bool) string {
	if fold || l.fold {
		return strings.ToLower(l.text)
	}
	return l.text
}

// holds reports that a text which has this literal is sure to have another. A run
// of white space counts as one space, since facts are found that way, but for
// line ends, which only other line ends are.
func (l literal) holds(part literal) bool {
	if l.fold && !part.fold && strings.ToLower(part.text) != strings.ToUpper(part.text) {
		return false // another spelling will do
	}
	if strings.ContainsAny(part.text, "\r\n\t") || strings.TrimSpace(part.text) == "" {
		return strings.Contains(l.shape(part.fold), part.shape(part.fold))
	}
	return strings.Contains(oneSpace(l.shape(part.fold)), oneSpace(part.shape(part.fold)))
}

func oneSpace(s string) string {
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return s
	}
	return strings.Join(fields, " ")
}

// A spelling is what a pattern says letter by letter.
type spelling struct {
	complete     bool    // it says nothing but text, anchors and white space around it
	text         literal // of a complete one
	begins, ends bool    // it is tied to the beginning or the end of the answer
	padded       bool    // with white space between an anchor and the text
	head         literal // what the answer begins with, of one that is not complete
}

// spell reads a pattern of RE2.
func spell(pattern string) spelling {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return spelling{}
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	var s spelling
	if len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		s.begins, parts = true, parts[1:]
	}
	if n := len(parts); n > 0 && parts[n-1].Op == syntax.OpEndText {
		s.ends, parts = true, parts[:n-1]
	}
	if len(parts) > 0 && blanks(parts[0]) {
		s.padded, parts = true, parts[1:]
	}
	if n := len(parts); n > 0 && blanks(parts[n-1]) {
		s.padded, parts = true, parts[:n-1]
	}
	var run literal
	for i, p := range parts {
		if p.Op != syntax.OpLiteral {
			if s.begins && !s.padded && i > 0 {
				s.head = run
			}
			return s
		}
		run.text += string(p.Rune)
		run.fold = run.fold || p.Flags&syntax.FoldCase != 0
	}
	s.text, s.complete = run, true
	return s
}

// blanks reports `\s*`.
func blanks(re *syntax.Regexp) bool {
	return re.Op == syntax.OpStar && re.Sub[0].Op == syntax.OpCharClass && slices.Equal(re.Sub[0].Rune, []rune("\t\n\f\r  "))
}
