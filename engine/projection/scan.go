package projection

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A mention is something in a text that looks like an identifier.
type mention struct {
	// form is the normal form, in which mentions are compared. It is only
	// valid until the next mention.
	form []byte
	// text is the mention as it stands.
	text string
	// sure says that this is an identifier by its looks alone. A mention that
	// is not sure ("20", "3rd") still counts where the other side named it as
	// one.
	sure bool
}

// A scanner finds mentions in text, in one pass and without backtracking.
//
// Normal forms: a date is 2026-08-11; a number has a decimal point and no
// grouping, currency or sign (1,000.00, 1.000,00 and 1000 are one; $20.00 and
// $200.00 are two); a currency is its ISO code; a code is in capitals.
//
// Sure are: dates with a year; numbers with a decimal part or grouping, with a
// currency or # beside them, or of four digits and more (zero never is);
// currencies, where the code is no English word or a number stands beside it;
// and codes, which mix letters and digits (INC-219, TICKET_4471, ab12cd34),
// have a capital or three digits, and are no quantity (30-day, 100ml, 3rd). Web
// and e-mail addresses are passed over.
type scanner struct {
	emit   func(mention)
	text   string
	at     int
	buffer []byte
	// last is the number before at, for a currency or a month that follows.
	last struct {
		start, end int // 0, 0 where there is none
	}
	// money is where a currency ended, for a number that follows.
	money int
}

// maxIdentifier is the longest code or number, in bytes. Longer ones are data.
const maxIdentifier = 64

func (s *scanner) scan(text string) {
	s.text, s.at = text, 0
	s.last.start, s.last.end, s.money = 0, 0, -1
	for s.at < len(text) {
		c := text[s.at]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[s.at:])
			if joinsWords(r) {
				s.word()
			} else {
				s.sign(size)
			}
		case isAlnum(c) || c == '_':
			s.word()
		case c == '$':
			s.sign(1)
		case c == '@', c == ':' && strings.HasPrefix(text[s.at:], "://"):
			s.skipAddress()
		default:
			s.at++
		}
	}
}

// skipAddress passes over the rest of a web or an e-mail address.
func (s *scanner) skipAddress() {
	for s.at < len(s.text) && s.text[s.at] > ' ' && !strings.ContainsRune(`"<>)]`, rune(s.text[s.at])) {
		s.at++
	}
}

// sign reads one character that is no part of a word: a currency sign, or
// nothing of interest.
func (s *scanner) sign(size int) {
	start := s.at
	s.at += size
	if code := currencyOf(s.text[start:s.at]); code != "" {
		s.currency(code, start, true)
	}
}

// word reads a run of letters and digits with what joins them.
func (s *scanner) word() {
	start := s.at
	if date, end, ok := isoDate(s.text, start); ok {
		s.at = end
		s.date(date, start)
		return
	}
	letters, capitals, digits := 0, 0, 0
	part := start // of the current run between hyphens
scan:
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case isDigit(c):
			digits++
			s.at++
		case c >= 'A' && c <= 'Z':
			letters, capitals = letters+1, capitals+1
			s.at++
		case isAlnum(c) || c == '_':
			letters++
			s.at++
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.text[s.at:])
			switch {
			case joinsWords(r):
				letters++
			case letters == 0 && isSpacer(r) && s.groupFollows(size):
			default:
				break scan
			}
			s.at += size
		case !s.joined(c, part):
			break scan
		default:
			s.at++
			if c == '-' {
				part = s.at
			}
		}
	}
	text := s.text[start:s.at]
	switch {
	case s.at < len(s.text) && s.text[s.at] == '@':
	case digits == 0:
		s.letters(text, start)
	case letters == 0:
		s.digits(text, start, digits)
	default:
		s.code(text, start, letters, capitals, digits)
	}
}

// joined reports whether the character at s.at joins what is before it to what
// is behind it. A hyphen between a number and a plain word does not
// ("30-day"), a point joins digits only, and so do comma and slash.
func (s *scanner) joined(c byte, part int) bool {
	if s.at+1 >= len(s.text) || s.at == 0 {
		return false
	}
	before, next := s.text[s.at-1], s.text[s.at+1]
	switch c {
	case '.':
		return isAlnum(before) && isDigit(next)
	case ',', '/', '\'':
		return isDigit(before) && isDigit(next)
	case '-':
		if !isAlnum(before) && before < utf8.RuneSelf || !isAlnum(next) {
			return false
		}
		return next < 'a' || !allDigits(s.text[part:s.at])
	}
	return false
}

// groupFollows reports whether three digits and no fourth follow a no-break
// space that stands behind a digit.
func (s *scanner) groupFollows(size int) bool {
	if s.at == 0 || !isDigit(s.text[s.at-1]) {
		return false
	}
	rest := s.text[s.at+size:]
	return len(rest) >= 3 && allDigits(rest[:3]) && (len(rest) == 3 || !isDigit(rest[3]))
}

// letters reads a word without digits: a currency, or a month.
func (s *scanner) letters(text string, start int) {
	if code := currencyOf(text); code != "" {
		s.currency(code, start, !isWordToo(text))
		return
	}
	if month := monthOf(text); month > 0 {
		s.month(month, start)
	}
}

// digits reads a run of digits and separators.
func (s *scanner) digits(text string, start, digits int) {
	if date, ok := numericDate(text); ok {
		s.date(date, start)
		return
	}
	if date, end, ok := cjkDate(s.text, start, s.at); ok {
		s.at = end
		s.date(date, start)
		return
	}
	if digits >= 9 && strings.ContainsAny(text, "-/") { // a telephone or an account number
		s.found(text, text, true)
		return
	}
	for offset := 0; offset <= len(text); {
		end := strings.IndexAny(text[offset:], "-/")
		if end < 0 {
			end = len(text) - offset
		}
		s.number(text[offset:offset+end], start+offset)
		offset += end + 1
	}
}

// number reads one number.
func (s *scanner) number(text string, start int) {
	if text == "" || len(text) > maxIdentifier {
		return
	}
	var ok bool
	s.buffer, ok = appendDecimal(s.buffer[:0], text)
	if !ok { // a version, an IP address
		s.found(text, text, len(text) > 4)
		return
	}
	s.last.start, s.last.end = start, start+len(text)
	paid := s.money >= 0 && blank(s.text[s.money:start])
	marked := start > 0 && s.text[start-1] == '#'
	s.emit(mention{form: s.buffer, text: text, sure: (paid || marked || len(text) >= 4) && string(s.buffer) != "0"})
}

// code reads a run of letters and digits.
func (s *scanner) code(text string, start, letters, capitals, digits int) {
	if len(text) > maxIdentifier {
		return
	}
	if code, amount, ok := gluedCurrency(text); ok {
		s.found(code, code, true)
		at := start
		if !isDigit(text[0]) {
			at += len(text) - len(amount)
		}
		s.money = at
		s.number(amount, at)
		return
	}
	if date, ok := namedDate(text); ok {
		s.date(date, start)
		return
	}
	if n := len(text) - 2; n <= 2 && allDigits(text[:n]) && trimOrdinal(text[n:]) == "" {
		s.last.start, s.last.end = start, start+n // the day of a month that may follow
	}
	quantity := digits < 4 && allDigits(text[:digits])
	sure := len(text) >= 3 && (capitals > 0 || digits >= 3) && !quantity
	s.buffer = s.buffer[:0]
	for i := range len(text) {
		c := text[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		s.buffer = append(s.buffer, c)
	}
	s.emit(mention{form: s.buffer, text: text, sure: sure})
}

// currency books a currency. A number right before it is an amount.
func (s *scanner) currency(code string, start int, sure bool) {
	if s.last.end > 0 && blank(s.text[s.last.end:start]) {
		sure = true
		if s.last.end-s.last.start < 4 { // else it was sure already
			s.money = s.last.start
			s.number(s.text[s.last.start:s.last.end], s.last.start)
		}
		s.last.end = 0
	} else if !sure {
		// A number right behind makes it one.
		rest := strings.TrimLeft(s.text[s.at:], " \u00a0")
		sure = rest != "" && isDigit(rest[0])
	}
	s.money = s.at
	s.found(code, code, sure)
}

func (s *scanner) date(form string, start int) {
	s.last.end = 0
	s.found(form, s.text[start:s.at], true)
}

func (s *scanner) found(form, text string, sure bool) {
	s.buffer = append(s.buffer[:0], form...)
	s.emit(mention{form: s.buffer, text: text, sure: sure})
}

// gluedCurrency splits EUR20 and 20EUR.
func gluedCurrency(text string) (code, amount string, ok bool) {
	if len(text) < 4 {
		return "", "", false
	}
	if code := currencyOf(text[:3]); code != "" && isNumeric(text[3:]) {
		return code, text[3:], true
	}
	if code := currencyOf(text[len(text)-3:]); code != "" && isNumeric(text[:len(text)-3]) {
		return code, text[:len(text)-3], true
	}
	return "", "", false
}

// isNumeric reports whether text is digits, points and commas.
func isNumeric(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) && text[i] != '.' && text[i] != ',' {
			return false
		}
	}
	return text != "" && isDigit(text[0])
}

// blank reports whether nothing but a little white space is in a text.
func blank(s string) bool { return len(s) <= 3 && strings.TrimFunc(s, unicode.IsSpace) == "" }

func isAlnum(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// isSpacer reports whether a rune is a space that groups digits.
func isSpacer(r rune) bool { return r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '\u2019' }

// joinsWords reports whether a rune past ASCII is part of a word. In scripts
// without spaces between words every letter stands alone, so that an order
// number there ends where its digits do.
func joinsWords(r rune) bool {
	return unicode.IsLetter(r) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
