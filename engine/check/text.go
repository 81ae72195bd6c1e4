package check

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"docket/engine/phrase"
	"docket/engine/prose"
)

// text returns the output's text as strings are searched in it: in NFC, each
// run of white space one space, in lower case where the case says so.
func (s *Subject) text(ignoreCase bool) string {
	normalized := func() string { return prose.Normalize(s.Output.Text) }
	if ignoreCase {
		return s.folded.get(func() string { return strings.ToLower(s.normalized.get(normalized)) })
	}
	return s.normalized.get(normalized)
}

// lines returns the output's text as patterns see it: in NFC, with LF as the
// line end, and all other white space as it came, since a pattern may ask for
// the start of a line.
func (s *Subject) lines() string {
	return s.patternText.get(func() string {
		return norm.NFC.String(strings.ReplaceAll(s.Output.Text, "\r\n", "\n"))
	})
}

// fold brings a string into the form in which it is searched for.
func fold(s string, ignoreCase bool) string {
	s = prose.Normalize(s)
	if ignoreCase {
		s = strings.ToLower(s)
	}
	return s
}

// quote returns untrusted text for a message: in quotes, escaped, short.
func quote(s string) string { return fmt.Sprintf("%q", phrase.Abridge(s, 60)) }

// passed and failed make verdicts of a check that has nothing between.
func passed() Verdict { return Verdict{Pass: true, Score: 1} }

func failed(format string, args ...any) Verdict {
	return Verdict{Message: fmt.Sprintf(format, args...)}
}

// share makes the verdict of a check that counts parts: it passes with all of
// them. With no part asked for it passes.
func share(got, asked float64, message func() string) Verdict {
	if got >= asked {
		return passed()
	}
	return Verdict{Score: max(0, got/asked), Message: message()}
}
