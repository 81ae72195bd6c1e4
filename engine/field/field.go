// Package field finds values in a JSON document by a path such as
// items[].name, so that the label, the numbers and the field checks of a suite
// all address an answer in one way.
//
// The package refuses to be a query language: a path has keys, positions and
// "every item", and nothing that filters, computes or searches. It never fails
// on a document: where a path leads nowhere, it finds nothing.
package field

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/engine/canonical"
)

// maxLength bounds a path in bytes, so that hostile configuration cannot make
// every look-up expensive.
const maxLength = 4096

// A Path leads from a JSON document to values inside it. The zero Path is the
// document itself.
type Path struct{ steps []step }

// A step is one move down a document.
type step struct {
	kind  kind
	key   string
	index int
}

type kind uint8

const (
	member kind = iota // the member of an object that is named key
	item               // the item of a list at index
	every              // each item of a list, in order
)

// Parse reads a path: keys separated by dots, [0] for one item of a list,
// [] or [*] for each of them. A key that holds a dot, a bracket, a quotation
// mark or white space is written as a JSON string: totals."net.amount". A
// leading "$." is accepted, and "$" alone is the whole document. The error
// names the character at which reading stopped, counted from 1.
func Parse(s string) (Path, error) {
	p := parser{text: s}
	if len(s) > maxLength {
		return Path{}, fmt.Errorf("path is %d bytes long, the limit is %d", len(s), maxLength)
	}
	if !utf8.ValidString(s) {
		return Path{}, fmt.Errorf("path %q is not valid UTF-8", s)
	}
	if strings.TrimSpace(s) == "" {
		return Path{}, fmt.Errorf("path is empty: write a key such as status, or $ for the whole document")
	}
	if s == "$" {
		return Path{}, nil
	}
	if strings.HasPrefix(s, "$.") || strings.HasPrefix(s, "$[") {
		p.at = 1
		if s[1] == '.' {
			p.at = 2
		}
	}
	for first := true; first || p.at < len(s); first = false {
		st, err := p.step(first)
		if err != nil {
			return Path{}, fmt.Errorf("path %q: %w", s, err)
		}
		p.steps = append(p.steps, st)
	}
	return Path{steps: p.steps}, nil
}

type parser struct {
	text  string
	at    int
	steps []step
}

// step reads one step. After the first one a key follows a dot.
func (p *parser) step(first bool) (step, error) {
	if p.at < len(p.text) && p.text[p.at] == '[' {
		return p.brackets()
	}
	if !first {
		if p.text[p.at] != '.' {
			return step{}, p.errorf("a dot or a bracket is expected here")
		}
		p.at++
	}
	if p.at < len(p.text) && p.text[p.at] == '"' {
		return p.quoted()
	}
	start := p.at
	for p.at < len(p.text) && !strings.ContainsRune(`.["`, rune(p.text[p.at])) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if r == ']' || unicode.IsSpace(r) || unicode.IsControl(r) {
			return step{}, p.errorf("a key that holds %q is written in double quotes", r)
		}
		p.at += size
	}
	if p.at == start {
		return step{}, p.errorf("a key is missing here")
	}
	if p.at < len(p.text) && p.text[p.at] == '"' {
		return step{}, p.errorf("a key that holds a quotation mark is written in double quotes as a whole")
	}
	return step{kind: member, key: p.text[start:p.at]}, nil
}

func (p *parser) brackets() (step, error) {
	end := strings.IndexByte(p.text[p.at:], ']')
	if end < 0 {
		return step{}, p.errorf("the bracket is never closed")
	}
	inside := p.text[p.at+1 : p.at+end]
	if inside == "" || inside == "*" {
		p.at += end + 1
		return step{kind: every}, nil
	}
	for _, r := range inside {
		if r < '0' || r > '9' {
			return step{}, p.errorf("brackets hold a position counted from 0, or nothing for every item; a key follows a dot")
		}
	}
	n, err := strconv.Atoi(inside)
	if err != nil {
		return step{}, p.errorf("position %s is too large", inside)
	}
	p.at += end + 1
	return step{kind: item, index: n}, nil
}

func (p *parser) quoted() (step, error) {
	end := p.at + 1
	for end < len(p.text) && p.text[end] != '"' {
		if p.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.text) {
		return step{}, p.errorf("the quoted key is never closed")
	}
	var key string
	if err := json.Unmarshal([]byte(p.text[p.at:end+1]), &key); err != nil {
		return step{}, p.errorf("a quoted key is written as a JSON string, with \\\" for a quotation mark")
	}
	p.at = end + 1
	return step{kind: member, key: key}, nil
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("character %d: %w", utf8.RuneCountInString(p.text[:min(p.at, len(p.text))])+1, fmt.Errorf(format, args...))
}

// Find returns the values that the path leads to, in document order; none
// where the document has no such place. A JSON null that is there is found,
// as nil. The document is in the JSON model of package canonical.
func (p Path) Find(doc any) []any {
	found := []any{doc}
	for _, st := range p.steps {
		if st.kind != every && len(found) == 1 {
			v, ok := st.one(found[0])
			if !ok {
				return nil
			}
			found = []any{v}
			continue
		}
		var next []any
		for _, v := range found {
			if st.kind == every {
				items, _ := v.([]any)
				next = append(next, items...)
			} else if w, ok := st.one(v); ok {
				next = append(next, w)
			}
		}
		if len(next) == 0 {
			return nil
		}
		found = next
	}
	return found
}

func (st step) one(v any) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if st.kind == member {
			w, ok := v[st.key]
			return w, ok
		}
	case []any:
		if st.kind == item && st.index < len(v) {
			return v[st.index], true
		}
	}
	return nil, false
}

// Multiple reports whether the path can lead to more than one value, that is,
// whether it says "every item" anywhere.
func (p Path) Multiple() bool {
	return slices.ContainsFunc(p.steps, func(st step) bool { return st.kind == every })
}

// String returns the one spelling of the path, which Parse reads back: without
// "$." except for the whole document, keys in quotes only where they need it.
func (p Path) String() string {
	if len(p.steps) == 0 {
		return "$"
	}
	var b []byte
	for _, st := range p.steps {
		switch st.kind {
		case every:
			b = append(b, "[]"...)
		case item:
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(st.index), 10)
			b = append(b, ']')
		default:
			b = AppendKey(b, st.key)
		}
	}
	return string(b)
}

// AppendKey appends a member's key to a path that is being written, with the
// dot before it where the path has begun, and in quotes where the bare key
// would be read as something else. A key with a colon is quoted, too, so that
// path:type reads one way only.
func AppendKey(path []byte, key string) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	if Bare(key) {
		return append(path, key...)
	}
	return canonical.AppendString(path, key)
}

// Bare reports whether a key stands in a path as it is, without quotes.
func Bare(key string) bool {
	if key == "" || key == "$" {
		return false
	}
	for i := 0; i < len(key); i++ {
		switch c := key[i]; {
		case c >= utf8.RuneSelf:
			return bareRunes(key)
		case c <= ' ', c == 0x7f, c == '.', c == '[', c == ']', c == '"', c == ':', c == '\\':
			return false
		}
	}
	return true
}

// bareRunes is the slow half of Bare. Only visible characters stand bare: a
// key that hides behind format characters is legible in quotes at least as a
// key that somebody quoted.
func bareRunes(key string) bool {
	for _, r := range key {
		if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) || strings.ContainsRune(`.[]":\`, r) {
			return false
		}
	}
	return true
}
