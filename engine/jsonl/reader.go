package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"docket/engine/canonical"
)

// A Reader reads one line from left to right. Its methods return an *Error
// with the column where the text is not what was asked for.
type Reader struct {
	text []byte
	at   int
	key  string // of the member that is being read, for messages
}

// NewReader returns a reader of one JSON text without its line end. The text
// must not change while the reader, or anything that Raw returned, is in use.
func NewReader(text []byte) *Reader { return &Reader{text: text} }

// Object reads an object and calls member for each of its keys, in their
// order. Member must read the value with one of the reader's methods. A key
// that comes twice is an error.
func (r *Reader) Object(member func(key string) error) error {
	outer := r.key
	if r.next() != '{' {
		return r.mismatch("an object")
	}
	r.at++
	var few [16]string
	seen := few[:0]
	var many map[string]bool // only for objects with more keys than few holds
	for first := true; ; first = false {
		c := r.next()
		if c == '}' {
			r.at++
			r.key = outer
			return nil
		}
		if !first {
			if c != ',' {
				return r.Fail(r.at, "expected a comma or the end of the object")
			}
			r.at++
			c = r.next()
		}
		keyAt := r.at
		if c != '"' {
			return r.Fail(r.at, "expected a key in double quotes")
		}
		key, err := r.quoted()
		if err != nil {
			return err
		}
		switch {
		case many != nil:
			if many[key] {
				return r.Fail(keyAt, "the key %q comes twice", key)
			}
			many[key] = true
		case slices.Contains(seen, key):
			return r.Fail(keyAt, "the key %q comes twice", key)
		case len(seen) == len(few):
			many = map[string]bool{key: true}
			for _, k := range seen {
				many[k] = true
			}
		default:
			seen = append(seen, key)
		}
		if r.next() != ':' {
			return r.Fail(r.at, "expected a colon after the key %q", key)
		}
		r.at++
		r.key = key
		if err := member(key); err != nil {
			return err
		}
	}
}

// List reads an array and calls item before each of its values. Item must read
// the value.
func (r *Reader) List(item func() error) error {
	if r.next() != '[' {
		return r.mismatch("a list")
	}
	r.at++
	for first := true; ; first = false {
		c := r.next()
		if c == ']' {
			r.at++
			return nil
		}
		if !first {
			if c != ',' {
				return r.Fail(r.at, "expected a comma or the end of the list")
			}
			r.at++
		}
		if err := item(); err != nil {
			return err
		}
	}
}

// Text reads a string.
func (r *Reader) Text() (string, error) {
	if r.next() != '"' {
		return "", r.mismatch("a string")
	}
	return r.quoted()
}

// Texts reads a list of strings; an empty list gives nil.
func (r *Reader) Texts() ([]string, error) {
	var all []string
	err := r.List(func() error {
		s, err := r.Text()
		all = append(all, s)
		return err
	})
	return all, err
}

// Int reads a whole number that is no less than least.
func (r *Reader) Int(least int) (int, error) {
	c := r.next()
	start := r.at
	if c != '-' && (c < '0' || c > '9') {
		return 0, r.mismatch("a whole number")
	}
	token := r.token()
	n, err := strconv.Atoi(string(token))
	if err != nil || !isNumber(token) {
		return 0, r.Fail(start, "%s must be a whole number, found %s", r.name(), token)
	}
	if n < least {
		return 0, r.Fail(start, "%s must be %d or more, found %d", r.name(), least, n)
	}
	return n, nil
}

// Float reads a finite number.
func (r *Reader) Float() (float64, error) {
	c := r.next()
	start := r.at
	if c != '-' && (c < '0' || c > '9') {
		return 0, r.mismatch("a number")
	}
	token := r.token()
	f, err := strconv.ParseFloat(string(token), 64)
	if err != nil || math.IsInf(f, 0) || !isNumber(token) {
		return 0, r.Fail(start, "%s must be a number that fits 64 bits, found %q", r.name(), clip(token))
	}
	return f, nil
}

// Bool reads true or false.
func (r *Reader) Bool() (bool, error) {
	switch {
	case r.word("true"):
		return true, nil
	case r.word("false"):
		return false, nil
	}
	return false, r.mismatch("true or false")
}

// Null reads a null where one comes next, and reports whether it did.
func (r *Reader) Null() bool { return r.word("null") }

// Is reports whether the next value begins with this byte: '{', '[', '"', or
// the first of a word or number.
func (r *Reader) Is(c byte) bool { return r.next() == c }

// Value reads any value, in the model of package canonical.
func (r *Reader) Value() (any, error) {
	v, _, err := r.valid()
	return v, err
}

// Raw reads any value and returns it as it was written, without the space
// around it. The bytes are the reader's own and have been validated.
func (r *Reader) Raw() ([]byte, error) {
	_, raw, err := r.valid()
	return raw, err
}

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

// End fails where anything but white space is left.
func (r *Reader) End() error {
	if r.next() != 0 || r.at < len(r.text) {
		return r.Fail(r.at, "unexpected text after the end of the object")
	}
	return nil
}

// Offset returns how many bytes have been read.
func (r *Reader) Offset() int { return r.at }

// Fail returns an error at a byte offset of the line.
func (r *Reader) Fail(offset int, format string, args ...any) error {
	column := utf8.RuneCount(r.text[:min(offset, len(r.text))]) + 1
	return &Error{Column: column, Message: fmt.Sprintf(format, args...)}
}

// Wrong returns an error at the value that was asked for last; format must
// begin with a verb phrase that follows the key's name.
func (r *Reader) Wrong(offset int, format string, args ...any) error {
	return r.Fail(offset, "%s %s", r.name(), fmt.Sprintf(format, args...))
}

func (r *Reader) valid() (any, []byte, error) {
	raw, err := r.Skip()
	if err != nil {
		return nil, nil, err
	}
	start := r.at - len(raw)
	v, err := canonical.Parse(raw)
	if err != nil {
		var syntax *canonical.SyntaxError
		if errors.As(err, &syntax) {
			column := utf8.RuneCount(r.text[:start]) + max(syntax.Column, 1)
			return nil, nil, &Error{Column: column, Message: syntax.Message}
		}
		return nil, nil, r.Fail(start, "%v", err)
	}
	return v, raw, nil
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
		found = strconv.Quote(clip(r.token()))
		r.at = start
		if found == `""` {
			found = strconv.QuoteRune(rune(c))
		}
	}
	return r.Fail(r.at, "%s must be %s, found %s", r.name(), want, found)
}

func clip(token []byte) string {
	const most = 40
	if len(token) <= most {
		return string(token)
	}
	return string(token[:most]) + "…"
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
