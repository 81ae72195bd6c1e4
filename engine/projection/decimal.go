package projection

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/engine/canonical"
)

// appendDecimal appends a number as people write it, digits with separators
// but without sign or currency, in the form 1234.5. It reports false where the
// separators make no number: 192.168.0.1, 12,34,56.
//
// Of two kinds of separators the last is the decimal one. A single kind that
// occurs twice groups digits. A single comma groups when three digits follow
// (1,000) and is a decimal comma otherwise (128,40); a single point is always
// a decimal point. An apostrophe or a no-break space only groups. Digits
// without any separator stay as they are, leading zeros included, for they may
// be an order number.
func appendDecimal(dst []byte, s string) ([]byte, bool) {
	var seps [2]rune // the kinds of separators, in order of first use
	var counts [2]int
	kinds, last := 0, -1
	for i, r := range s {
		if isDigit(r) {
			continue
		}
		if r == '\u202f' || r == '\u2009' {
			r = '\u00a0'
		} else if r == '\u2019' {
			r = '\''
		}
		if r != '.' && r != ',' && r != '\'' && r != '\u00a0' {
			return dst, false
		}
		last = i
		switch {
		case kinds > 0 && seps[0] == r:
			if kinds == 2 {
				return dst, false // 1,000.00,0
			}
			counts[0]++
		case kinds > 1 && seps[1] == r:
			counts[1]++
		case kinds == 2:
			return dst, false
		default:
			seps[kinds], counts[kinds] = r, 1
			kinds++
		}
	}
	if kinds == 0 {
		return append(dst, s...), s != ""
	}
	_, width := utf8.DecodeRuneInString(s[last:])
	whole, fraction := s, ""
	switch tail := len(s) - last - width; {
	case kinds == 2 && (counts[1] > 1 || seps[1] != '.' && seps[1] != ','):
		return dst, false
	case kinds == 2,
		counts[0] == 1 && seps[0] == '.',
		counts[0] == 1 && seps[0] == ',' && (tail != 3 || last > 3 || s[0] == '0'):
		whole, fraction = s[:last], s[last+width:]
	}
	return appendGrouped(dst, whole, fraction)
}

// appendGrouped appends digits that may be grouped, and the fraction behind
// them, without zeros that mean nothing. The last group has three digits, the
// first one to three, those between two (as in 1,00,000) or three.
func appendGrouped(dst []byte, whole, fraction string) ([]byte, bool) {
	start := len(dst)
	group, groups := 0, 0
	for _, r := range whole {
		if isDigit(r) {
			dst = append(dst, byte(r))
			group++
			continue
		}
		if group == 0 || group > 3 || groups > 0 && group < 2 {
			return dst[:start], false
		}
		group, groups = 0, groups+1
	}
	if groups > 0 && group != 3 {
		return dst[:start], false
	}
	digits := dst[start:]
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	dst = append(dst[:start], digits...)
	if len(digits) == 0 {
		dst = append(dst, '0')
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		dst = append(append(dst, '.'), fraction...)
	}
	return dst, true
}

func isDigit[T rune | byte](c T) bool { return '0' <= c && c <= '9' }

// readNumber reads text that is one number: with a sign, grouped, with a
// currency or a per cent sign, in accounting parentheses, with the punctuation
// of a sentence behind it; nothing else around it. A unit makes it text.
func readNumber(s string) (json.Number, bool) {
	s = strings.TrimSpace(s)
	negative := false
	if inner, ok := strings.CutPrefix(s, "("); ok {
		if inner, ok = strings.CutSuffix(inner, ")"); !ok {
			return "", false
		}
		s, negative = inner, true
	}
	first := strings.IndexFunc(s, isDigit[rune])
	last := strings.LastIndexFunc(s, isDigit[rune])
	if first < 0 {
		return "", false
	}
	before, digits, after := s[:first], s[first:last+1], strings.TrimRight(s[last+1:], ".,;:!?")
	for _, minus := range [...]string{"-", "\u2212"} {
		if rest := strings.Replace(before, minus, "", 1); rest != before {
			before, negative = rest, !negative
			break
		}
	}
	if rest, ok := strings.CutSuffix(before, "."); ok {
		before, digits = rest, "0."+digits
	}
	before = strings.TrimPrefix(strings.TrimSpace(before), "+")
	if !isMark(strings.TrimFunc(before, unicode.IsSpace)) || !isMark(strings.TrimFunc(after, unicode.IsSpace)) {
		return "", false
	}
	// Around a lone number an ordinary space groups digits, too.
	return number(negative, strings.ReplaceAll(digits, " ", "\u00a0"))
}

// isMark reports whether what stands beside a number leaves it a number.
func isMark(s string) bool {
	return s == "" || s == "%" || currencyOf(s) != ""
}

// number spells a number canonically; false where it is none that a float can
// hold.
func number(negative bool, digits string) (json.Number, bool) {
	b := make([]byte, 0, len(digits)+1)
	if negative {
		b = append(b, '-')
	}
	sign := len(b)
	b, ok := appendDecimal(b, digits)
	if !ok {
		return "", false
	}
	for len(b) > sign+1 && b[sign] == '0' && b[sign+1] != '.' {
		b = append(b[:sign], b[sign+1:]...)
	}
	return canonicalNumber(json.Number(b))
}

func canonicalNumber(n json.Number) (json.Number, bool) {
	if f, err := strconv.ParseFloat(n.String(), 64); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return "", false
	}
	spelled := canonical.AppendNumber(nil, n)
	if len(spelled) > maxDigits || spelled[0] == '"' {
		return "", false
	}
	return json.Number(spelled), true
}

// maxDigits bounds a number in bytes. Longer ones are data, no amount.
const maxDigits = 64
