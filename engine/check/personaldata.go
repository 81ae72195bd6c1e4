package check

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// personalData returns the first personal data of the given kinds in a text:
// its kind and the text of it; 0 where there is none.
//
//   - E-mail addresses: local@domain.tld, in any script. A file name such as
//     logo@2x.png is none.
//   - Numbers, see numberKind: phone numbers, payment cards, and the national ids
//     that are digits.
//   - IBANs whose length is their country's and whose check digits (ISO 7064,
//     mod 97) are right.
//   - National ids with letters: a British national insurance number, a Spanish
//     DNI or NIE with its right letter.
//   - IP addresses, v4 and v6, but for loopback, unspecified and broadcast ones,
//     and for what follows "v" or "version".
//
// Order numbers, dates, amounts, times and versions are the usual false alarms;
// numbers are therefore judged by their grouping and check digits, not by their
// length alone. What is recognised is what a model might leak in the usual
// spellings: a deliberate disguise ("ada at example dot com") is not.
func personalData(text string, kinds piiKinds) (piiKinds, string) {
	if kinds&piiEmail != 0 && strings.IndexByte(text, '@') >= 0 {
		if found := findEmail(text); found != "" {
			return piiEmail, found
		}
	}
	if kinds&piiIP != 0 && strings.Count(text, ":") >= 2 {
		if found := findIPv6(text); found != "" {
			return piiIP, found
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		if !isAlnum(c) && c != '+' && c != '(' {
			i++
			continue
		}
		if continuesWord(text[:i]) {
			i++
			continue
		}
		if kind, found := personalAt(text, i, kinds); kind != 0 {
			return kind, found
		}
		if isDigit(c) || c == '+' || c == '(' {
			run, end := digitRun(text, i)
			if kind, found := numberKind(text, run, kinds); kind != 0 {
				return kind, found
			}
			i = max(end, i+1)
			continue
		}
		i++
	}
	return 0, ""
}

// personalAt looks at what starts a word and is no plain number.
func personalAt(text string, i int, kinds piiKinds) (piiKinds, string) {
	if kinds&piiIBAN != 0 && isLetter(text[i]) {
		if n := ibanLength(text[i:]); n > 0 {
			return piiIBAN, text[i : i+n]
		}
	}
	if kinds&piiNationalID != 0 {
		if n := max(nationalInsurance(text[i:]), spanishID(text[i:])); n > 0 {
			return piiNationalID, text[i : i+n]
		}
	}
	if kinds&piiIP != 0 && isDigit(text[i]) {
		if n := ipv4Length(text, i); n > 0 {
			return piiIP, text[i : i+n]
		}
	}
	return 0, ""
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }

// continuesWord reports whether what follows before is inside a word that
// began in it.
func continuesWord(before string) bool {
	if before == "" {
		return false
	}
	if c := before[len(before)-1]; c < utf8.RuneSelf {
		return isAlnum(c) || c == '_'
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return inWord(r) && !unspaced(r)
}

// endsWord reports whether no word goes on at the start of s.
func endsWord(s string) bool { return s == "" || !isAlnum(s[0]) && s[0] != '_' }

func findEmail(text string) string {
	for from := 0; ; {
		at := strings.IndexByte(text[from:], '@')
		if at < 0 {
			return ""
		}
		at += from
		from = at + 1
		start := at
		for start > 0 {
			r, size := utf8.DecodeLastRuneInString(text[:start])
			if !inWord(r) && !strings.ContainsRune("._%+-'", r) || at-start > 64 {
				break
			}
			start -= size
		}
		local := strings.TrimLeft(text[start:at], ".'-")
		if local == "" || local[len(local)-1] == '.' {
			continue
		}
		end := at + 1
		for end < len(text) && end-at < 255 {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !inWord(r) && r != '.' && r != '-' {
				break
			}
			end += size
		}
		domain := strings.TrimRight(text[at+1:end], ".-")
		dot := strings.LastIndexByte(domain, '.')
		if dot <= 0 || !isTopLevel(domain[dot+1:]) {
			continue
		}
		return local + "@" + domain
	}
}

// isTopLevel reports whether s can end a domain: letters only, two or more, and
// no file extension.
func isTopLevel(s string) bool {
	switch strings.ToLower(s) {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "css", "js", "json":
		return false
	}
	return utf8.RuneCountInString(s) >= 2 && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// ipv4Length returns the length of the IPv4 address that starts at i.
func ipv4Length(text string, i int) int {
	end := i
	for end < len(text) && end-i < 16 && (isDigit(text[end]) || text[end] == '.') {
		end++
	}
	found := strings.TrimRight(text[i:end], ".")
	end = i + len(found)
	address, err := netip.ParseAddr(found)
	if err != nil || !identifies(address) || !endsWord(text[end:]) || i > 0 && (text[i-1] == '.' || text[i-1] == '-') {
		return 0
	}
	if announced(text[max(0, i-16):i], " .:", "version", "v", "ver", "release", "build", "section", "§") {
		return 0
	}
	return len(found)
}

// announced reports whether one of the words stands at the end of before, but
// for the characters of trim.
func announced(before, trim string, words ...string) bool {
	before = strings.ToLower(strings.TrimRight(before, trim))
	for _, word := range words {
		if rest, ok := strings.CutSuffix(before, word); ok && !continuesWord(rest) {
			return true
		}
	}
	return false
}

func identifies(a netip.Addr) bool {
	return !a.IsLoopback() && !a.IsUnspecified() && a != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// findIPv6 finds an IPv6 address. Two colons are frequent in times and in code,
// so it must be a word of its own, hold a digit and more than one group.
func findIPv6(text string) string {
	for i := 0; i < len(text); i++ {
		if !isHexOrColon(text[i]) || continuesWord(text[:i]) || i > 0 && text[i-1] == '.' {
			continue
		}
		end := i
		for end < len(text) && isHexOrColon(text[end]) {
			end++
		}
		found := strings.TrimRight(text[i:end], ":")
		if strings.Count(found, ":") >= 2 && strings.ContainsAny(found, "0123456789") && endsWord(text[i+len(found):]) {
			if a, err := netip.ParseAddr(found); err == nil && identifies(a) {
				return found
			}
		}
		i = end
	}
	return ""
}

func isHexOrColon(c byte) bool {
	return isDigit(c) || c == ':' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
