package check

import (
	"strings"
	"unicode/utf8"
)

// A digitGroup is a run of digits, and what separates it from the one before.
type digitGroup struct {
	start, end int    // bytes of the text
	separator  string // before it; "" for the first
}

// maxGroups bounds the groups that one run of numbers is cut into; nothing that
// is looked for has more.
const maxGroups = 24

// No number that is looked for is written in more groups than mostPieces, or
// with more groups of one digit than mostSingle.
const (
	mostPieces = 8
	mostSingle = 2
)

// digitRun returns the groups of digits that start at i, with an opening + or
// bracket before the first allowed, and where the run ends. Groups are joined by
// a space, -, ., /, brackets, or a bracket and a space.
func digitRun(text string, i int) (groups []digitGroup, end int) {
	for i < len(text) && len(groups) < maxGroups {
		at := i
		for at < len(text) && !isDigit(text[at]) {
			size := separatorSize(text[at:], len(groups) == 0)
			if size == 0 || at-i > 3 {
				return groups, i
			}
			at += size
		}
		if at == len(text) {
			return groups, i
		}
		g := digitGroup{start: at, separator: text[i:at]}
		for at < len(text) && isDigit(text[at]) {
			at++
		}
		g.end = at
		if at < len(text) && (isLetter(text[at]) || text[at] == '_') {
			return groups, at // 4417a is no number
		}
		groups = append(groups, g)
		i = at
	}
	return groups, i
}

func separatorSize(s string, first bool) int {
	switch s[0] {
	case '(', '+':
		return 1
	case ' ', '-', '.', '/', ')':
		if !first {
			return 1
		}
	}
	if r, size := utf8.DecodeRuneInString(s); !first && (r == '\u00a0' || r == '\u202f' || r == '‑' || r == '–') {
		return size
	}
	return 0
}

// A number is some neighbouring groups of a run.
type number struct {
	text   string // as written, the + before it included
	digits string
	sizes  []int
	marks  []string // the separators between the groups
	plus   bool
	first  bool   // no other group stands before it
	inside bool   // a group of three digits or more stands before it: perhaps a piece of a longer number
	before string // up to 24 bytes before it
}

// numberKind looks for personal data among the neighbouring groups of a run.
func numberKind(text string, groups []digitGroup, kinds piiKinds) (piiKinds, string) {
	if kinds&(piiPhone|piiCard|piiNationalID) == 0 {
		return 0, ""
	}
	for from := range groups {
		digits, single := 0, 0
		for to := from; to < min(len(groups), from+mostPieces); to++ {
			size := groups[to].end - groups[to].start
			if size == 1 {
				single++
			}
			if digits += size; digits > 19 || single > mostSingle {
				break
			}
			if digits < 7 {
				continue
			}
			n := makeNumber(text, groups[from:to+1], from == 0 || groups[from].separator != ".", to+1 < len(groups) && groups[to+1].separator == ".")
			if n == nil {
				continue
			}
			n.first, n.inside = from == 0, from > 0 && groups[from-1].end-groups[from-1].start > 2
			switch {
			case kinds&piiCard != 0 && isPaymentCard(n):
				return piiCard, n.text
			case n.partOfCode():
			case kinds&piiNationalID != 0 && isNumericID(n):
				return piiNationalID, n.text
			case kinds&piiPhone != 0 && isPhone(n):
				return piiPhone, n.text
			}
		}
	}
	return 0, ""
}

// makeNumber returns nil where the groups are part of a longer number, such as
// a decimal fraction.
func makeNumber(text string, groups []digitGroup, startsHere, goesOn bool) *number {
	first, last := groups[0], groups[len(groups)-1]
	if !startsHere || goesOn {
		return nil
	}
	n := &number{}
	start := first.start
	if strings.HasSuffix(first.separator, "(") || strings.HasSuffix(text[:start], "(") {
		start--
	}
	if start > 0 && text[start-1] == '+' {
		n.plus = true
		start--
	}
	n.text = text[start:last.end]
	n.before = text[max(0, start-24):start]
	var digits strings.Builder
	for i, g := range groups {
		digits.WriteString(text[g.start:g.end])
		n.sizes = append(n.sizes, g.end-g.start)
		if i > 0 {
			n.marks = append(n.marks, g.separator)
		}
	}
	n.digits = digits.String()
	return n
}

// grouped reports whether the digits are grouped in this way.
func (n *number) grouped(sizes ...int) bool {
	if len(n.sizes) != len(sizes) {
		return false
	}
	for i, size := range sizes {
		if n.sizes[i] != size {
			return false
		}
	}
	return true
}

// separatedBy reports whether only these characters stand between the groups.
func (n *number) separatedBy(marks string) bool {
	for _, m := range n.marks {
		if strings.Trim(m, marks) != "" {
			return false
		}
	}
	return true
}

// partOfCode reports whether a number is the tail of an identifier or an
// address (ORD-212-555-0142, /items/…, #…), or an amount of money.
func (n *number) partOfCode() bool {
	r, _ := utf8.DecodeLastRuneInString(n.before)
	return strings.ContainsRune("-/.=#_$€£¥@&", r) && n.before != ""
}

// isPaymentCard reports whether a number has the length, prefix and grouping of
// a card, and passes the Luhn check.
func isPaymentCard(n *number) bool {
	d := n.digits
	if len(d) < 13 || n.plus || !n.separatedBy(" -\u00a0\u202f‑") || !luhn(d) {
		return false
	}
	switch {
	case len(n.sizes) == 1, n.grouped(4, 4, 4, 4), n.grouped(4, 6, 5), n.grouped(4, 6, 4), n.grouped(4, 4, 4, 4, 3):
	default:
		return false
	}
	prefix := func(digits int) int {
		value := 0
		for i := range digits {
			value = value*10 + int(d[i]-'0')
		}
		return value
	}
	two, four := prefix(2), prefix(4)
	switch {
	case d[0] == '4':
		return len(d) == 13 || len(d) == 16 || len(d) == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720:
		return len(d) == 16
	case two == 34, two == 37:
		return len(d) == 15
	case two == 36, two == 38, prefix(3) >= 300 && prefix(3) <= 305:
		return len(d) == 14
	case four == 6011, two == 65, prefix(3) >= 644 && prefix(3) <= 649, four >= 3528 && four <= 3589, two == 62:
		return len(d) >= 16
	}
	return false
}

// luhn checks the last digit by the Luhn algorithm (ISO/IEC 7812-1, annex B).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// isPhone reports whether a number is written as people write phone numbers:
//
//   - with + and 8 to 15 digits (E.164), or with 00 and separators;
//   - as in North America: (212) 555-0142, 212-555-0142, 212.555.0142,
//     1-212-555-0142;
//   - with a leading 0 and 9 to 12 digits in two groups or more, and not a date;
//   - 7 to 15 digits after a word such as "phone", "tel." or "call".
//
// A plain run of digits without such a word is none: order numbers look the
// same.
func isPhone(n *number) bool {
	d := n.digits
	if len(d) > 15 || looksLikeDate(n) {
		return false
	}
	if n.plus {
		return len(d) >= 8 && d[0] != '0' && !strings.HasSuffix(n.before, "(")
	}
	if len(n.marks) > 0 {
		area := func(i int) bool { return d[i] >= '2' && d[i+3] >= '2' }
		switch {
		case n.grouped(3, 3, 4) && area(0) && n.separatedBy(" -.()\u00a0‑"):
			return true
		case n.grouped(1, 3, 3, 4) && d[0] == '1' && area(1):
			return true
		case n.first && strings.HasPrefix(d, "00") && len(d) >= 10 && d[2] != '0' && n.sizes[0] >= 2:
			return true
		case !n.inside && d[0] == '0' && d[1] != '0' && len(d) >= 9 && len(d) <= 12 && n.sizes[0] >= 2 && !tooFine(n):
			return true
		}
	}
	return afterPhoneWord(n.before)
}

// tooFine reports whether a number with a leading 0 is cut into pieces as lists
// of small numbers are, and not as phone numbers: single digits.
func tooFine(n *number) bool {
	for _, size := range n.sizes {
		if size == 1 {
			return true
		}
	}
	return false
}

// looksLikeDate reports whether a number starts with a date in digits.
func looksLikeDate(n *number) bool {
	if len(n.sizes) < 3 {
		return false
	}
	if m := n.marks[0]; m != n.marks[1] || m != "/" && m != "." && m != "-" {
		return false
	}
	part := func(i, size int) int { // the value of a group
		value := 0
		for _, c := range n.digits[i : i+size] {
			value = value*10 + int(c-'0')
		}
		return value
	}
	a, b, c := n.sizes[0], n.sizes[1], n.sizes[2]
	first, second, third := part(0, a), part(a, b), part(a+b, c)
	switch {
	case a <= 2 && b <= 2 && (c == 4 || c == 2 && len(n.sizes) == 3):
		return first >= 1 && first <= 31 && second >= 1 && second <= 31 && (c == 2 || third >= 1000)
	case a == 4 && b <= 2 && c <= 2:
		return second >= 1 && second <= 12 && third >= 1 && third <= 31
	}
	return false
}

// afterPhoneWord reports whether the text before a number announces a phone
// number.
func afterPhoneWord(before string) bool {
	return announced(before, " :：.-*_#(\u00a0",
		"phone", "tel", "telephone", "mobile", "cell", "fax", "whatsapp", "call", "call me at", "call us at", "call me on", "call us on",
		"phone number", "phone number is", "phone is", "mobile number is", "telefon", "telefonnummer", "handy", "mobil", "téléphone", "tél",
		"teléfono", "telefono", "telefone", "celular", "телефон", "тел", "電話番号", "電話", "电话", "전화")
}
