package jsonl

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/phrase"
)

// A Reader reads one line from left to right. Its methods return an *Error
// with the column where the text is not what was asked for.
type Reader struct {
	text []byte
	at   int
	key  string // of the member that is being read, for messages

	known func(key []byte) string
}

// NewReader returns a reader of one JSON text without its line end. The text
// must not change while the reader, or anything that Raw returned, is in use.
func NewReader(text []byte) *Reader { return &Reader{text: text} }

// Knowing makes the reader ask known for each key that is spelt without escapes:
// a key that it returns needs no memory of its own, and most keys of a file are
// the same few. It returns "" for any other.
func (r *Reader) Knowing(known func(key []byte) string) *Reader {
	r.known = known
	return r
}

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
		key, err := r.keyText()
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
		return 0, r.Fail(start, "%s must be a number that fits 64 bits, found %q", r.name(), phrase.Abridge(string(token), 40))
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
