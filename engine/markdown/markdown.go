// Package markdown makes untrusted text inert where it is written into markdown:
// no markup, mention, link or cell's end inside it is taken for one, whatever
// forge renders it.
//
// It writes no documents and reads none.
package markdown

import (
	"strings"

	"docket/engine/phrase"
	"docket/engine/safetext"
)

// mostShown is how many characters of a text a line can bear.
const mostShown = 160

// Code writes untrusted text as inline code, made safe and cut where it is long.
func Code(s string) string { return codeSpan(phrase.Clip(safetext.Line(s), mostShown)) }

// Span writes untrusted text as inline code outside a table, whole and as it is
// to the letter, so that a reader can paste it: back-ticks in it get a longer
// fence round them.
func Span(s string) string {
	s = safetext.Line(s)
	if s == "" {
		s = " "
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

func codeSpan(s string) string {
	s = bars(strings.NewReplacer("`", "'", "\n", " ").Replace(s))
	if s == "" {
		s = " "
	}
	return "`" + s + "`"
}

// bars escapes the bars of a table's cell, which would end it even inside
// code. Some forges look at the backslash before a bar, others count all that
// stand there; an odd number holds with both.
func bars(s string) string {
	var b strings.Builder
	slashes := 0
	for _, r := range s {
		switch {
		case r == '|' && slashes%2 == 1:
			b.WriteString(`\\`)
		case r == '|':
			b.WriteByte('\\')
		}
		if r == '\\' {
			slashes++
		} else {
			slashes = 0
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Text makes one line of text inert outside a table of code: markup
// characters are escaped. Where that is not enough the line becomes code, since
// forges look for mentions, issues and addresses in what they rendered, when
// entities and escapes are gone.
func Text(s string) string {
	if strings.ContainsAny(s, "@#<&") || strings.Contains(s, "://") || strings.Contains(strings.ToLower(s), "www.") {
		return codeSpan(s)
	}
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]!|~>$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
