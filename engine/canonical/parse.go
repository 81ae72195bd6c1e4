package canonical

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how deep lists and objects may nest.
const MaxDepth = 1000

// A SyntaxError says where a text stops being strict JSON, and why. Line and
// Column count from 1, the column in characters.
type SyntaxError struct {
	Line, Column int
	Message      string
}

// Error returns "line L, column C: " and the message.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Parse reads exactly one JSON value, with white space around it, into the JSON
// model. Numbers stay as they were written, in a [json.Number].
//
// It follows RFC 8259 and is stricter than encoding/json: a key that stands
// twice in one object, bytes that are not UTF-8, a \u escape for half of a
// surrogate pair, nesting deeper than [MaxDepth], and anything after the value
// are errors. Every error is a [*SyntaxError].
func Parse(data []byte) (any, error) {
	p := parser{data: data}
	p.space()
	if p.pos == len(p.data) {
		return nil, p.fail(p.pos, "nothing here, expected a JSON value")
	}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(p.data) {
		return nil, p.fail(p.pos, "expected the end after the JSON value, found %s", p.here())
	}
	return v, nil
}

type parser struct {
	data    []byte
	pos     int
	depth   int
	scratch []byte // for strings with escapes
}

// fail makes the error for the byte offset at. Lines and columns are counted
// only here, since text that is right needs none.
func (p *parser) fail(at int, format string, args ...any) error {
	before := p.data[:min(at, len(p.data))]
	line := 1 + bytes.Count(before, []byte{'\n'})
	start := bytes.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Line:    line,
		Column:  1 + utf8.RuneCount(before[start:]),
		Message: fmt.Sprintf(format, args...),
	}
}

// here describes what stands at the current position.
func (p *parser) here() string {
	if p.pos >= len(p.data) {
		return "the end of the text"
	}
	r, size := utf8.DecodeRune(p.data[p.pos:])
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("the byte 0x%02x, which is not UTF-8", p.data[p.pos])
	case r == '\ufeff':
		return "a byte-order mark"
	}
	return strconv.QuoteRune(r)
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value() (any, error) {
	if p.pos == len(p.data) {
		return nil, p.fail(p.pos, "the text ends where a value should stand")
	}
	switch c := p.data[p.pos]; {
	case c == '"':
		return p.boxedText()
	case c == '{':
		return p.object()
	case c == '[':
		return p.list()
	case c == '-' || digit(c):
		return p.number()
	case c == 't':
		return p.word("true", true)
	case c == 'f':
		return p.word("false", false)
	case c == 'n':
		return p.word("null", nil)
	}
	return nil, p.fail(p.pos, "expected a JSON value, found %s", p.here())
}

func (p *parser) boxedText() (any, error) {
	s, err := p.text()
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (p *parser) word(word string, v any) (any, error) {
	end := p.pos + len(word)
	if end > len(p.data) || string(p.data[p.pos:end]) != word {
		return nil, p.fail(p.pos, "expected a JSON value; a word other than true, false and null must be in quotes")
	}
	p.pos = end
	return v, nil
}

func (p *parser) number() (any, error) {
	n, _ := scanNumber(p.data[p.pos:])
	if n == 0 {
		return nil, p.fail(p.pos, "a minus sign with no number after it")
	}
	end := p.pos + n
	if end < len(p.data) {
		switch c := p.data[end]; {
		case digit(c):
			return nil, p.fail(p.pos, "a number must not begin with a zero")
		case c == '.' || c == 'e' || c == 'E':
			return nil, p.fail(end, "digits are missing after the %q of a number", c)
		}
	}
	text := json.Number(p.data[p.pos:end])
	p.pos = end
	return text, nil
}

func (p *parser) enter() error {
	p.depth++
	if p.depth > MaxDepth {
		return p.fail(p.pos, "lists and objects nest deeper than %d", MaxDepth)
	}
	return nil
}

func (p *parser) list() (any, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	open := p.pos
	p.pos++
	items := []any{}
	p.space()
	if p.pos < len(p.data) && p.data[p.pos] == ']' {
		p.pos++
		p.depth--
		return items, nil
	}
	for {
		p.space()
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
		done, err := p.separator(open, "list", ']')
		if err != nil {
			return nil, err
		}
		if done {
			return items, nil
		}
	}
}

func (p *parser) object() (any, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	open := p.pos
	p.pos++
	members := map[string]any{}
	p.space()
	if p.pos < len(p.data) && p.data[p.pos] == '}' {
		p.pos++
		p.depth--
		return members, nil
	}
	for {
		p.space()
		if p.pos < len(p.data) && p.data[p.pos] != '"' {
			return nil, p.fail(p.pos, "expected a key in quotes, found %s", p.here())
		}
		if p.pos == len(p.data) {
			return nil, p.unclosed(open, "object")
		}
		at := p.pos
		key, err := p.text()
		if err != nil {
			return nil, err
		}
		p.space()
		if p.pos == len(p.data) || p.data[p.pos] != ':' {
			return nil, p.fail(p.pos, "expected ':' after the key %q, found %s", key, p.here())
		}
		p.pos++
		p.space()
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		before := len(members)
		members[key] = v
		if len(members) == before {
			return nil, p.fail(at, "the key %q stands twice in one object", key)
		}
		done, err := p.separator(open, "object", '}')
		if err != nil {
			return nil, err
		}
		if done {
			return members, nil
		}
	}
}

// separator reads what follows a member: a comma, or the bracket that closes
// what opened at open.
func (p *parser) separator(open int, what string, closing byte) (done bool, err error) {
	p.space()
	if p.pos == len(p.data) {
		return false, p.unclosed(open, what)
	}
	switch p.data[p.pos] {
	case ',':
		p.pos++
		return false, nil
	case closing:
		p.pos++
		p.depth--
		return true, nil
	}
	return false, p.fail(p.pos, "expected ',' or %q, found %s", closing, p.here())
}

func (p *parser) unclosed(open int, what string) error {
	return p.fail(open, "this %s is never closed: the text ends inside it", what)
}
