package secret

import (
	"encoding/base64"
	"regexp"
	"strings"
	"sync"
)

// A shape is how a kind of secret looks in any text.
type shape struct {
	triggers []string // one of them stands in every match; looked for first, since it is cheap
	pattern  *regexp.Regexp
	// keep is how many of the pattern's groups, from the first, are text that
	// stays; the secret stands behind them.
	keep int
	// real tells a secret from a text that only looks like one; nil: all are.
	real func(secret string) bool
}

// shapes are compiled on first use, which commands that touch no recording
// never come to.
var shapes = sync.OnceValue(func() []shape {
	return []shape{
		{[]string{"earer", "EARER"}, regexp.MustCompile(`(?i)(\bbearer\s+)([A-Za-z0-9._~+/=-]{8,})`), 1, notProse},
		{[]string{"asic", "ASIC"}, regexp.MustCompile(`(?i)(\bbasic\s+)([A-Za-z0-9+/]{8,}={0,2})`), 1, isBasic},
		{[]string{"sk-", "sk_", "rk_", "pk_", "gsk_", "xai-", "pplx-", "r8_", "nvapi-"}, regexp.MustCompile(`\b((?:sk|rk|pk|gsk|xai|pplx|r8|nvapi)[-_][A-Za-z0-9_-]{16,})`), 0, hasDigit},
		{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_"}, regexp.MustCompile(`\b((?:gh[pousr]_|github_pat_|glpat-|hf_)[A-Za-z0-9_-]{16,})`), 0, nil},
		{[]string{"xox", "xapp-"}, regexp.MustCompile(`\b((?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,})`), 0, nil},
		{[]string{"AKIA", "ASIA"}, regexp.MustCompile(`\b((?:AKIA|ASIA)[0-9A-Z]{16})\b`), 0, nil},
		{[]string{"AIza", "ya29."}, regexp.MustCompile(`\b(AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z._-]{16,})`), 0, nil},
		{[]string{"eyJ"}, regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`), 0, nil},
		{[]string{"PRIVATE KEY"}, regexp.MustCompile(`(?s)(-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z))`), 0, nil},
		{[]string{"key", "Key", "KEY"}, regexp.MustCompile(`(?i)(\b(?:x-)?api[-_ ]?key["'\\]*\s*[:=]\s*["'\\]*)([A-Za-z0-9._~+/=-]{8,})`), 1, notProse},
		{[]string{"://"}, regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.-]*://)([^\s/@:"'<>\\]+:[^\s/@"'<>\\]+)@`), 1, nil},
	}
})

// redactShapes takes out what looks like a secret wherever it stands.
func redactShapes(s string) string {
	for _, sh := range shapes() {
		if !containsAny(s, sh.triggers) {
			continue
		}
		s = replaceGroup(s, sh.pattern, sh.keep+1, sh.real)
	}
	if strings.Contains(s, "=") && strings.ContainsAny(s, "?&") {
		s = redactAddresses(s)
	}
	return s
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// replaceGroup puts the mark in place of one group of each match for which real
// holds.
func replaceGroup(s string, pattern *regexp.Regexp, group int, real func(string) bool) string {
	var b strings.Builder
	done := 0
	for _, m := range pattern.FindAllStringSubmatchIndex(s, -1) {
		start, end := m[2*group], m[2*group+1]
		if real != nil && !real(s[start:end]) {
			continue
		}
		b.WriteString(s[done:start])
		b.WriteString(Redacted)
		done = end
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// notProse tells a token from the word that follows "bearer" in a sentence: a
// token has a digit, a capital behind its first letter, or punctuation inside.
func notProse(token string) bool {
	token = strings.TrimRight(token, ".-/=")
	for i := 1; i < len(token); i++ {
		if c := token[i]; c < 'a' || c > 'z' {
			return true
		}
	}
	return false
}

// hasDigit tells a random key from a name that begins like one, such as
// sk-learn-pipelines or pk_customer_orders.
func hasDigit(token string) bool { return strings.ContainsAny(token, "0123456789") }

// isBasic reports whether a text is user:password in base64.
func isBasic(token string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(token, "="))
	printable := strings.IndexFunc(string(plain), func(r rune) bool { return r < ' ' || r > '~' }) < 0
	return err == nil && printable && strings.Contains(string(plain), ":")
}

var addressParameter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([?&;]|\\u0026)([A-Za-z0-9_.-]{2,64})=([^&;#\s"'<>\\]+)`)
})

// redactAddresses takes the values of secret parameters out of addresses.
func redactAddresses(s string) string {
	var b strings.Builder
	done := 0
	for _, m := range addressParameter().FindAllStringSubmatchIndex(s, -1) {
		if !Parameter(s[m[4]:m[5]]) {
			continue
		}
		b.WriteString(s[done:m[6]])
		b.WriteString(Redacted)
		done = m[7]
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// A member is where a member of JSON stands whose value is a string.
type member struct {
	name        string
	outer       int // backslashes before the quote that ends the name
	backslashes int // before the quote that begins the value
	start       int // of the value, behind its quote
}

// nextMember finds the first member from a byte on: a quote, a name of three to
// 64 characters that begins with a letter, a quote, a colon and the quote of a
// string, which may be the first of a list. By hand, since every raw answer is
// looked through, and a regular expression takes ten times as long.
func nextMember(s string, from int) (m member, ok bool) {
	const shortest, longest = 3, 64
	for {
		quote := strings.IndexByte(s[from:], '"')
		if quote < 0 {
			return member{}, false
		}
		from += quote + 1
		end := from
		for end < len(s) && inName(s[end]) {
			end++
		}
		if n := end - from; n < shortest || n > longest || !isLetter(s[from]) {
			continue
		}
		m.name = s[from:end]
		at := skip(s, end, `\`)
		m.outer = at - end
		if at == len(s) || s[at] != '"' {
			continue
		}
		if at = skip(s, at+1, blanks); at == len(s) || s[at] != ':' {
			continue
		}
		if at = skip(s, at+1, blanks); at < len(s) && s[at] == '[' {
			at = skip(s, at+1, blanks)
		}
		escaped := at
		at = skip(s, at, `\`)
		m.backslashes = at - escaped
		if at < len(s) && s[at] == '"' {
			m.start = at + 1
			return m, true
		}
	}
}

const blanks = " \t\n\f\r"

// skip returns where the bytes of a set end that stand at a place.
func skip(s string, at int, set string) int {
	for at < len(s) && strings.IndexByte(set, s[at]) >= 0 {
		at++
	}
	return at
}

func inName(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c == '.' || c == ' ' || c == '-'
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// redactMembers takes secret members out of JSON that stands in a text: the
// body of a response, an event of a stream, or the arguments of a tool call,
// which are JSON within a JSON string. All other bytes stay.
func redactMembers(s string) string {
	var b strings.Builder
	done := 0
	for at := 0; ; {
		m, ok := nextMember(s, at)
		if !ok {
			break
		}
		at = m.start - 1 // at the quote, since the value may itself be a key
		if m.outer != m.backslashes || !secretMember(m.name, "=") {
			continue
		}
		end := closing(s, m.start, m.backslashes)
		if m.start == end || !secretMember(m.name, s[m.start:end]) {
			continue
		}
		b.WriteString(s[done:m.start])
		b.WriteString(Redacted)
		done, at = end, end
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// closing returns where a string in JSON ends that begins at from, behind a
// quote with a number of backslashes before it; the end is before those of the
// closing quote. Where JSON stands in a string of JSON, n deep, each quote of
// the inner one has 2^n - 1 backslashes before it, what the inner text escapes
// has a multiple of 2^(n+1) more, and a quote with fewer ends an outer string:
// the inner one was cut off, as in the events of a stream. No string of JSON
// goes past the end of a line.
func closing(s string, from, backslashes int) int {
	for i := from; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return i
		case '"':
			run := 0
			for i-1-run >= from && s[i-1-run] == '\\' {
				run++
			}
			if rest := run % (2*backslashes + 2); rest <= backslashes {
				return i - rest
			}
		}
	}
	return len(s)
}
