package describe

import (
	"fmt"
	"strconv"
	"strings"

	"docket/engine/canonical"
	"docket/engine/phrase"
	"docket/engine/projection"
	"docket/engine/safetext"
)

// Names and values stand in a sentence between these two marks until a format
// is chosen. Safe text holds no control characters, so nothing that a file
// says can be taken for one.
const (
	nameStart = '\x01'
	nameEnd   = '\x02'
)

// name makes an id, a value or another text that docket did not write part of
// a sentence.
func name(s string) string {
	const most = 100
	s = safetext.Line(s)
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	if s == "" {
		return "nothing"
	}
	return string(nameStart) + s + string(nameEnd)
}

// id is name for a case, which is never cut, since it is there to be pasted.
func id(s string) string { return string(nameStart) + safetext.Line(s) + string(nameEnd) }

// value spells a projection's value as part of a sentence.
func value(v any) string {
	switch v := v.(type) {
	case []any:
		names := make([]string, len(v))
		for i, item := range v {
			names[i] = value(item)
		}
		return phrase.Series(names, "and")
	case map[string]any:
		if set, ok := v["any"].([]any); ok && len(v) == 1 {
			names := make([]string, len(set))
			for i, item := range set {
				names[i] = value(item)
			}
			return phrase.Series(names, "or") + " (either is allowed)"
		}
	}
	return name(projection.Spell(v))
}

// spelled reads a value in its canonical spelling.
func spelled(s string) any {
	v, err := canonical.Parse([]byte(s))
	if err != nil {
		return s
	}
	return v
}

// ids names cases, not more than a reader will look at.
func ids(cases []string) string {
	names := make([]string, len(cases))
	for i, c := range cases {
		names[i] = id(c)
	}
	return phrase.Few(names, 5)
}

// share writes a part of the cases as percents with the number behind it:
// "31% (68)", "all 220".
func share(part, of int) string {
	if part == of && of > 1 {
		return fmt.Sprintf("all %d", of)
	}
	return fmt.Sprintf("%s (%d)", percent(part, of), part)
}

func cases(n int) string { return phrase.Count(n, "case", "cases") }

// number writes a measured number.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// sentence begins a text with a capital, unless a name begins it.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
