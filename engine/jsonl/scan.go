package jsonl

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"docket/engine/phrase"
)

// Skip reads over a value and returns it as it was written. It only finds the
// value's end: for text that is validated elsewhere, or was before.
func (r *Reader) Skip() ([]byte, error) {
	c := r.next()
	start := r.at
	switch c {
	case '{', '[':
		depth := 0
		for r.at < len(r.text) {
			switch r.text[r.at] {
			case '"':
				if !r.skipText() {
					return nil, r.Fail(start, "the line ends inside a string")
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			r.at++
			if depth == 0 {
				return r.text[start:r.at], nil
			}
		}
		return nil, r.Fail(start, "the line ends inside a value that begins here")
	case '"':
		if !r.skipText() {
			return nil, r.Fail(start, "the line ends inside a string")
		}
		return r.text[start:r.at], nil
	}
	if token := r.token(); len(token) > 0 {
		return token, nil
	}
	return nil, r.mismatch("a value")
}

// next skips white space and returns the next byte, 0 at the end.
func (r *Reader) next() byte {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return c
		}
	}
	return 0
}

// quoted reads the string that begins at r.at.
func (r *Reader) quoted() (string, error) {
	start := r.at
	i := start + 1
	for i < len(r.text) {
		c := r.text[i]
		if c == '"' {
			inner := r.text[start+1 : i]
			if !utf8.Valid(inner) {
				return "", r.Fail(start, "the string is not valid UTF-8")
			}
			r.at = i + 1
			return string(inner), nil
		}
		if c == '\\' || c < ' ' {
			break
		}
		i++
	}
	v, _, err := r.valid() // escapes and everything that is wrong
	if err != nil {
		return "", err
	}
	s, ok := v.(string)
	if !ok {
		return "", r.Fail(start, "expected a string")
	}
	return s, nil
}

// keyText reads the key that begins at r.at.
func (r *Reader) keyText() (string, error) {
	if r.known != nil {
		if n := bytes.IndexByte(r.text[r.at+1:], '"'); n >= 0 {
			if key := r.known(r.text[r.at+1 : r.at+1+n]); key != "" {
				r.at += n + 2
				return key, nil
			}
		}
	}
	return r.quoted()
}

// skipText moves behind the string that begins at r.at, and reports whether it
// ends.
func (r *Reader) skipText() bool {
	i := r.at + 1
	for {
		n := bytes.IndexByte(r.text[i:], '"')
		if n < 0 {
			return false
		}
		i += n
		escapes := 0
		for r.text[i-1-escapes] == '\\' {
			escapes++
		}
		i++
		if escapes%2 == 0 {
			r.at = i
			return true
		}
	}
}

// token reads the letters, digits and signs of a number or a word.
func (r *Reader) token() []byte {
	start := r.at
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']', '{', '[', '"':
			return r.text[start:r.at]
		}
		r.at++
	}
	return r.text[start:r.at]
}

func (r *Reader) word(w string) bool {
	if r.next() != w[0] {
		return false
	}
	start := r.at
	if string(r.token()) == w {
		return true
	}
	r.at = start
	return false
}

func (r *Reader) name() string {
	if r.key == "" {
		return "the line"
	}
	return strconv.Quote(r.key)
}

func (r *Reader) mismatch(want string) error {
	found := ""
	switch c := r.next(); {
	case c == 0 && r.at >= len(r.text):
		found = "the end of the line"
	case c == '{':
		found = "an object"
	case c == '[':
		found = "a list"
	case c == '"':
		found = "a string"
	case c == '-' || c >= '0' && c <= '9':
		found = "a number"
	default:
		start := r.at
		found = strconv.Quote(phrase.Abridge(string(r.token()), 40))
		r.at = start
		if found == `""` {
			found = strconv.QuoteRune(rune(c))
		}
	}
	return r.Fail(r.at, "%s must be %s, found %s", r.name(), want, found)
}

// isNumber reports whether a token follows JSON's grammar of numbers, which
// strconv does not hold to: it takes "+1", "01", ".5", "1_0" and "0x1p-2".
func isNumber(t []byte) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(t) && t[i] >= '0' && t[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(t) && t[i] == '-' {
		i++
	}
	if i < len(t) && t[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(t) && t[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(t) && (t[i] == 'e' || t[i] == 'E') {
		i++
		if i < len(t) && (t[i] == '+' || t[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(t)
}
