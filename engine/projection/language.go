package projection

import (
	"strings"

	"docket/engine/prose"
)

// language is the language of the output's text as an ISO 639-1 code, or
// "unknown", which agrees with every language. Of a JSON document only the
// strings count, in the order of their keys, so that neither the names of its
// fields nor their order bear on the answer.
type language struct{}

const (
	unknownLanguage = "unknown"
	// proseBytes is enough of a document's strings to tell a language by.
	proseBytes = 2000
)

func (language) Name() string { return "language" }

func (language) Project(s *Subject) (any, bool) {
	if !s.HasDocument {
		return prose.Language(s.Output.Text), true
	}
	var b strings.Builder
	for text := range documentTexts(s.Document) {
		// A word alone is a code more often than language.
		if strings.ContainsAny(text, " \n") || !isASCII(text) {
			b.WriteString(text)
			b.WriteByte('\n')
		}
		if b.Len() > proseBytes {
			break
		}
	}
	return prose.Language(b.String()), true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
