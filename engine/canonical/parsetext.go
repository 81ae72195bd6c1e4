package canonical

import (
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string. The current byte is its opening quote.
func (p *parser) text() (string, error) {
	open := p.pos
	i := p.pos + 1
	for ; i < len(p.data); i++ {
		c := p.data[i]
		if c == '"' {
			p.pos = i + 1
			return string(p.data[open+1 : i]), nil
		}
		if c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			break
		}
	}
	return p.richText(open, i)
}

// richText goes on with a string, from the byte offset i, once it holds more
// than plain ASCII.
func (p *parser) richText(open, i int) (string, error) {
	buf := append(p.scratch[:0], p.data[open+1:i]...)
	for i < len(p.data) {
		c := p.data[i]
		switch {
		case c == '"':
			p.pos = i + 1
			p.scratch = buf
			return string(buf), nil
		case c == '\\':
			r, n, err := p.escape(i)
			if err != nil {
				return "", err
			}
			buf = utf8.AppendRune(buf, r)
			i += n
		case c < ' ':
			return "", p.fail(i, "a control character (0x%02x) must be written as an escape in a string", c)
		case c < utf8.RuneSelf:
			buf = append(buf, c)
			i++
		default:
			r, n := utf8.DecodeRune(p.data[i:])
			if r == utf8.RuneError && n == 1 {
				return "", p.fail(i, "the byte 0x%02x is not UTF-8", c)
			}
			buf = append(buf, p.data[i:i+n]...)
			i += n
		}
	}
	return "", p.fail(open, "this string is never closed: the text ends inside it")
}

// escape reads the escape whose backslash stands at i and returns its character
// and its length in bytes.
func (p *parser) escape(i int) (r rune, n int, err error) {
	if i+1 == len(p.data) {
		return 0, 0, p.fail(i, "the text ends inside an escape")
	}
	switch c := p.data[i+1]; c {
	case '"', '\\', '/':
		return rune(c), 2, nil
	case 'b':
		return '\b', 2, nil
	case 'f':
		return '\f', 2, nil
	case 'n':
		return '\n', 2, nil
	case 'r':
		return '\r', 2, nil
	case 't':
		return '\t', 2, nil
	case 'u':
	default:
		return 0, 0, p.fail(i, "a backslash must not stand before this character; write \\\\ for a backslash")
	}
	first, ok := p.hex4(i)
	if !ok {
		return 0, 0, p.fail(i, "\\u needs four hex digits")
	}
	if !utf16.IsSurrogate(first) {
		return first, 6, nil
	}
	if second, ok := p.hex4(i + 6); ok {
		if both := utf16.DecodeRune(first, second); both != utf8.RuneError {
			return both, 12, nil
		}
	}
	return 0, 0, p.fail(i, "\\u%04x is half of a surrogate pair and no character", first)
}

// hex4 reads the escape at i: a backslash, u, and four hex digits.
func (p *parser) hex4(i int) (rune, bool) {
	if i+6 > len(p.data) || p.data[i] != '\\' || p.data[i+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range p.data[i+2 : i+6] {
		switch {
		case digit(c):
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
