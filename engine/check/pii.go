package check

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/engine/source"
)

// A piiCheck passes when the text holds no personal data of its kinds, and none
// of its names. See personalData for what is recognised.
type piiCheck struct {
	kinds piiKinds
	names []string // folded
}

// The kinds of personal data.
type piiKinds uint8

const (
	piiEmail piiKinds = 1 << iota
	piiPhone
	piiCard
	piiIBAN
	piiNationalID
	piiIP
	piiAll = piiEmail | piiPhone | piiCard | piiIBAN | piiNationalID | piiIP
)

// piiNames gives each kind its name in a case, and in messages.
func piiNames() []struct {
	kind          piiKinds
	name, message string
} {
	return []struct {
		kind          piiKinds
		name, message string
	}{
		{piiEmail, "email", "an e-mail address"},
		{piiPhone, "phone", "a phone number"},
		{piiCard, "payment_card", "a payment card number"},
		{piiIBAN, "iban", "an IBAN"},
		{piiNationalID, "national_id", "a national id"},
		{piiIP, "ip_address", "an IP address"},
	}
}

// PersonalData returns the first personal data in a text: its kind, as
// must_not_contain_pii names it, and the text of it; "" where there is none.
func PersonalData(text string) (kind, found string) {
	of, found := personalData(text, piiAll)
	for _, k := range piiNames() {
		if k.kind == of {
			return k.name, found
		}
	}
	return "", ""
}

func (p *piiCheck) Name() string { return "must_not_contain_pii" }

func (p *piiCheck) Judge(_ context.Context, s *Subject) (Verdict, error) {
	if kind, found := personalData(s.Output.Text, p.kinds); kind != 0 {
		for _, k := range piiNames() {
			if k.kind == kind {
				return failed("the text holds %s, %s", k.message, quote(mask(found))), nil
			}
		}
	}
	if len(p.names) > 0 {
		text := s.text(true)
		for _, name := range p.names {
			if containsWord(text, name) {
				return failed("the text holds a listed name, %s", quote(mask(name))), nil
			}
		}
	}
	return passed(), nil
}

// mask keeps enough of personal data to find it by, since a message goes into
// reports.
func mask(s string) string {
	runes := []rune(s)
	shown := 2
	if len(runes) < 8 {
		shown = 1
	}
	for i := shown; i < len(runes)-shown; i++ {
		if unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]) {
			runes[i] = '*'
		}
	}
	return string(runes)
}

// containsWord reports whether name stands in text with no letter or digit
// joined to it. Scripts that are written without spaces have no such bounds.
func containsWord(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		first, size := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !joined(before, first) && !joined(last, after) {
			return true
		}
		from = start + size
	}
}

func joined(a, b rune) bool {
	return inWord(a) && inWord(b) && !unspaced(a) && !unspaced(b)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func compilePII(c *compiler, v source.Value) []item {
	const forms = "true, a list of kinds such as [email, phone], or {kinds: [..], names: [..]}"
	p := &piiCheck{kinds: piiAll}
	switch v.Kind() {
	case source.Bool:
		if on, _ := v.Bool(); !on {
			c.problem(v, "must_not_contain_pii: false asks nothing; leave the key out")
			return nil
		}
	case source.List:
		p.kinds = c.piiKinds(v)
	case source.Map:
		c.known(v, "must_not_contain_pii", "kinds", "names")
		if k := v.Get("kinds"); !k.IsZero() {
			p.kinds = c.piiKinds(k)
		}
		if n := v.Get("names"); !n.IsZero() {
			for _, name := range c.strings(n, "names", "[Ada Lovelace]") {
				p.names = append(p.names, fold(name, true))
			}
		}
	default:
		c.problem(v, "must_not_contain_pii: expected %s, got %s", forms, v.Describe())
		return nil
	}
	var kinds []string
	for _, k := range piiNames() {
		if p.kinds&k.kind != 0 {
			kinds = append(kinds, k.name)
		}
	}
	names := slices.Clone(p.names)
	slices.Sort(names)
	return []item{{p, map[string]any{"kinds": texts(kinds), "names": texts(names)}}}
}

func (c *compiler) piiKinds(v source.Value) piiKinds {
	var known []string
	for _, k := range piiNames() {
		known = append(known, k.name)
	}
	var kinds piiKinds
	for _, it := range c.list(v, "must_not_contain_pii", "["+strings.Join(known, ", ")+"]") {
		i := slices.Index(known, it.Scalar())
		if i < 0 {
			c.problem(it, "must_not_contain_pii: %s is no kind of personal data; %s", it.Describe(), source.Suggest(it.Scalar(), known))
			continue
		}
		kinds |= piiNames()[i].kind
	}
	return kinds
}
