// Package redaction takes personal data out of what was logged, so that it can
// become a case: every e-mail address, phone number, payment card, IBAN, national
// id and IP address that package check recognises, and the persons whom a caller
// names. What is the same gets the same placeholder wherever it stands, so that
// a conversation stays one about the same customer.
//
// The package refuses to promise more than it does: a name that nobody told it
// of stays, and so does what is disguised. It keeps no table of what it took out.
package redaction

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/engine/check"
)

// A Redactor gives out placeholders. The zero Redactor knows no person.
type Redactor struct {
	numbers map[string]int // by kind and what it stands for
	counts  map[string]int // given out, by kind
	persons []string       // longest first
}

// Persons names people, by the texts that a log has for them. What is shorter
// than two characters is no name.
func (r *Redactor) Persons(names ...string) {
	for _, name := range names {
		if name = strings.TrimSpace(name); utf8.RuneCountInString(name) >= 2 && !slices.Contains(r.persons, name) {
			r.persons = append(r.persons, name)
		}
	}
	slices.SortStableFunc(r.persons, func(a, b string) int { return len(b) - len(a) })
}

// Counts says how many different values were taken out, by kind.
func (r *Redactor) Counts() map[string]int { return r.counts }

// Text returns a text without personal data: "[email 1]" stands for the first
// e-mail address that the Redactor met.
func (r *Redactor) Text(text string) string {
	// What is found is cut out piece by piece, and what stands before it is not
	// looked at again: a placeholder is never taken for data.
	var out strings.Builder
	for {
		kind, found := check.PersonalData(text)
		at := strings.Index(text, found)
		if kind == "" || at < 0 {
			out.WriteString(text)
			break
		}
		if kind == "phone" {
			found = wholeNumber(text[at:], len(found))
		}
		out.WriteString(text[:at])
		out.WriteString(r.placeholder(kind, found))
		text = text[at+len(found):]
	}
	text = out.String()
	for _, name := range r.persons {
		text = r.person(text, name)
	}
	return text
}

// wholeNumber returns the phone number that a text begins with, of which the
// first n bytes are known: a check is content with as many groups of digits as
// make a number, and the rest of it is as personal.
func wholeNumber(text string, n int) string {
	const most = 15 // digits of a number, by ITU-T E.164
	digits := 0
	for _, c := range []byte(text[:n]) {
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	for end := n; end < len(text) && digits < most; end++ {
		switch c := text[end]; {
		case c >= '0' && c <= '9':
			digits++
			n = end + 1
		case end-n < 2 && strings.IndexByte(" -./()", c) >= 0:
		default:
			return text[:n]
		}
	}
	return text[:n]
}

// person takes a name out where it stands as a word, in any case.
func (r *Redactor) person(text, name string) string {
	var out strings.Builder
	for {
		at := foldedIndex(text, name)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := at + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if out.WriteString(text[:at]); joined(before, name[0]) || joined(after, name[len(name)-1]) {
			out.WriteString(text[at:end])
		} else {
			out.WriteString(r.placeholder("person", name))
		}
		text = text[end:]
	}
}

// foldedIndex finds a name whatever its case, where that keeps its length.
func foldedIndex(text, name string) int {
	for at := range text {
		if len(text)-at < len(name) {
			return -1
		}
		if strings.EqualFold(text[at:at+len(name)], name) {
			return at
		}
	}
	return -1
}

// joined reports whether a letter of a script with spaces goes on beside a name
// that ends in one, too.
func joined(beside rune, edge byte) bool {
	return edge < utf8.RuneSelf && beside < 0x2E80 && (unicode.IsLetter(beside) || unicode.IsDigit(beside))
}

func (r *Redactor) placeholder(kind, found string) string {
	if r.numbers == nil {
		r.numbers, r.counts = map[string]int{}, map[string]int{}
	}
	key := kind + "\x00" + plain(kind, found)
	if r.numbers[key] == 0 {
		r.counts[kind]++
		r.numbers[key] = r.counts[kind]
	}
	return fmt.Sprintf("[%s %d]", strings.ReplaceAll(kind, "_", " "), r.numbers[key])
}

// plain is what two spellings of one thing share.
func plain(kind, s string) string {
	if kind == "email" || kind == "person" || kind == "ip_address" {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || unicode.IsLetter(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, s)
}

// Value returns a JSON value without personal data, in a copy: texts, and the
// keys of objects, too. Two keys that become the same are kept apart.
func (r *Redactor) Value(v any) any {
	switch v := v.(type) {
	case string:
		return r.Text(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = r.Value(v[i])
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys) // placeholders are numbered as they are met
		out := make(map[string]any, len(v))
		for _, key := range keys {
			clean := r.Text(key)
			for n := 2; ; n++ {
				if _, taken := out[clean]; !taken {
					break
				}
				clean = fmt.Sprintf("%s (%d)", r.Text(key), n)
			}
			out[clean] = r.Value(v[key])
		}
		return out
	}
	return v
}
