package recording

import (
	"net/url"
	"slices"
	"strings"
)

// Parameters are those of a query or of a form, sorted by name; values of one
// name stay in their order, which may matter.
type parameters []parameter

type parameter struct{ name, value string }

// readParameters reads a query. A part whose escapes are wrong is taken as it
// stands, and so is a semicolon.
func readParameters(query string) parameters {
	var list parameters
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		list = append(list, parameter{unescape(name), unescape(value)})
	}
	slices.SortStableFunc(list, func(a, b parameter) int { return strings.Compare(a.name, b.name) })
	return list
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return strings.ToValidUTF8(plain, "\ufffd")
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// encode spells the parameters in the one way in which they are written and
// hashed.
func (list parameters) encode() string {
	var b strings.Builder
	for i, p := range list {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(p.name))
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(p.value))
	}
	return b.String()
}

// model lays parameters out for a comparison: each name with its value, or
// with the list of its values.
func (list parameters) model() map[string]any {
	m := make(map[string]any, len(list))
	for _, p := range list {
		switch old := m[p.name].(type) {
		case nil:
			m[p.name] = p.value
		case string:
			m[p.name] = []any{old, p.value}
		case []any:
			m[p.name] = append(old, p.value)
		}
	}
	return m
}
