// Package secret takes API keys, tokens and passwords out of what docket writes:
// those of the environment by their values, in whatever spelling they stand, and
// others by the name of the member, header or parameter that holds them, or by
// their look.
//
// What is taken out reads [redacted], whoever's it was, so that two people with
// different keys write the same bytes. The package refuses to promise more: a
// secret that no variable holds, that has no telling name and looks like any
// other word is not known for one.
package secret

import (
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"strings"

	"docket/engine/canonical"
)

// Redacted stands where a secret stood, and says nothing of which.
const Redacted = "[redacted]"

// A Redactor takes secrets out. It may be used from several goroutines.
type Redactor struct {
	known *strings.Replacer // nil where no value is known
	forms []string          // of the known values, the longer ones first
}

// New returns a Redactor that knows these values in whatever spelling they stand,
// besides what is a secret by its name or its look. Values under eight bytes are
// left out.
func New(values []string) *Redactor {
	var forms []string
	for _, v := range values {
		if len(v) >= minSecret {
			forms = append(forms, spellings(v)...)
		}
	}
	if len(forms) == 0 {
		return &Redactor{}
	}
	slices.SortFunc(forms, func(a, b string) int { // longer ones first, as one may hold another
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	forms = slices.Compact(forms)
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, Redacted)
	}
	return &Redactor{known: strings.NewReplacer(pairs...), forms: forms}
}

// spellings are the ways in which a secret may stand in a text.
func spellings(secret string) []string {
	quoted := canonical.AppendString(nil, secret)
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), string(quoted[1 : len(quoted)-1])}
	// In base64 a secret looks in three ways, by where among three bytes it
	// begins; the characters at its edges depend on its neighbours.
	for offset := range 3 {
		padded := append(make([]byte, offset), secret...)
		for _, enc := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := enc.EncodeToString(padded)
			whole := len(padded) / 3 * 4
			forms = append(forms, text[(offset*8+5)/6:whole])
		}
	}
	return slices.DeleteFunc(forms, func(f string) bool { return len(f) < minSecret })
}

// Known takes the values that the Redactor was made with out of a text, and nothing
// else: it is for texts that are measured, in which a look or a name is no proof.
func (r *Redactor) Known(s string) string {
	if r.known == nil {
		return s
	}
	if containsAny(s, r.forms) { // far quicker than to replace, and seldom so
		s = r.known.Replace(s)
	}
	return r.abridged(s)
}

// ellipsis is what docket ends a text with that it cut.
const ellipsis = "…"

// abridged takes out the beginning of a known value that a text was cut in.
func (r *Redactor) abridged(s string) string {
	for from := 0; ; {
		at := strings.Index(s[from:], ellipsis)
		if at < 0 {
			return s
		}
		at += from
		begun := 0
		for _, form := range r.forms {
			for n := min(len(form)-1, at); n >= minSecret && n > begun; n-- {
				if strings.HasSuffix(s[:at], form[:n]) {
					begun = n
					break
				}
			}
		}
		if begun > 0 {
			s = s[:at-begun] + Redacted + s[at:]
			at += len(Redacted) - begun
		}
		from = at + len(ellipsis)
	}
}

// Text takes every secret out of a text: what is known, what is named like one in
// JSON or in an address, and what looks like one.
func (r *Redactor) Text(s string) string {
	s = r.Known(s)
	// Shapes and members are made of ASCII alone: they are found between bytes
	// that are no UTF-8, too, which stay as they are.
	s = redactMembers(s)
	return redactShapes(s)
}

// Value takes secrets out of a value of the JSON model, in a copy. Keys of objects
// may hold them, too; of two that read the same then, the last one's value stays.
func (r *Redactor) Value(v any) any {
	switch v := v.(type) {
	case string:
		return r.Text(v)
	case []any:
		out := make([]any, len(v))
		for i, w := range v {
			out[i] = r.Value(w)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[r.Text(k)] = r.member(k, v[k])
		}
		return out
	}
	return v
}

func (r *Redactor) member(name string, v any) any {
	switch v := v.(type) {
	case string:
		if v != "" && secretMember(name, v) {
			return Redacted
		}
	case []any: // as HTTP headers are written in JSON
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = r.member(name, item)
		}
		return out
	}
	return r.Value(v)
}
