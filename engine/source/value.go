package source

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"docket/engine/phrase"
)

// A Kind is what a value is.
type Kind int

// The kinds of values. Absent is the kind of the zero [Value].
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	List
	Map
)

// String names the kind with its article, as in "expected a list".
func (k Kind) String() string {
	return [...]string{"nothing", "an empty value", "true or false", "a number", "text", "a list", "a mapping"}[k]
}

// A Value is a value with its position. The zero Value stands for one that is
// absent. Values are never changed once they were read and may be shared.
type Value struct{ node *node }

// A node is a value as it is kept: about a third of yaml.v3's own, since the
// values of ten thousand cases are in memory at once.
type node struct {
	file    *string
	line    int32
	column  int32
	kind    Kind
	text    string  // of a scalar, as written, without its quotes
	entries []Entry // of a Map
	items   []Value // of a List
}

// An Entry is one key of a mapping and its value.
type Entry struct {
	Key   string
	KeyAt Position
	Value Value
}

// IsZero reports whether the value is absent.
func (v Value) IsZero() bool { return v.node == nil }

// Kind returns what the value is.
func (v Value) Kind() Kind {
	if v.node == nil {
		return Absent
	}
	return v.node.kind
}

// At returns where the value begins.
func (v Value) At() Position {
	if v.node == nil {
		return Position{}
	}
	return Position{*v.node.file, int(v.node.line), int(v.node.column)}
}

// Problemf makes a problem at the value's position.
func (v Value) Problemf(format string, args ...any) Problem {
	return v.At().Problemf(format, args...)
}

// Describe says what the value is, for the second half of "expected a list,
// got …". It is safe to print.
func (v Value) Describe() string {
	switch v.Kind() {
	case Bool:
		return strings.ToLower(v.node.text)
	case Number:
		return "the number " + phrase.Abridge(v.node.text, mostShown)
	case String:
		return "the text " + strconv.Quote(phrase.Abridge(v.node.text, mostShown))
	}
	return v.Kind().String()
}

// mostShown is how many characters of what somebody wrote stand in a message.
const mostShown = 40

// Entries returns the keys of a mapping in the order of the file; nil for
// anything else. The caller must not change it.
func (v Value) Entries() []Entry {
	if v.node == nil {
		return nil
	}
	return v.node.entries
}

// Get returns the value of a key of a mapping, the zero Value where the key, or
// the mapping, is absent.
func (v Value) Get(key string) Value {
	for _, e := range v.Entries() {
		if e.Key == key {
			return e.Value
		}
	}
	return Value{}
}

// Items returns the items of a list; nil for anything else. The caller must not
// change it.
func (v Value) Items() []Value {
	if v.node == nil {
		return nil
	}
	return v.node.items
}

// Text returns the text of a String, and false for any other kind.
func (v Value) Text() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return v.node.text, true
}

// Number returns a Number in the spelling of JSON, and false for any other
// kind.
func (v Value) Number() (json.Number, bool) {
	if v.Kind() != Number {
		return "", false
	}
	return jsonNumber(v.node.text), true
}

// Bool returns the value of a Bool, and whether it is one.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.node.text[0] == 't' || v.node.text[0] == 'T', true
}

// Scalar returns a string, number or boolean as it was written, without its
// quotes: for ids, dates and labels, where 0047 and 47 are two things. It is
// empty for any other kind.
func (v Value) Scalar() string {
	switch v.Kind() {
	case String, Number, Bool:
		return v.node.text
	}
	return ""
}

// JSON returns the value in the JSON model of package canonical; nil where it
// is absent. Each call makes a new one.
func (v Value) JSON() any {
	switch v.Kind() {
	case Absent, Null:
		return nil
	case Bool:
		b, _ := v.Bool()
		return b
	case Number:
		return jsonNumber(v.node.text)
	case String:
		return v.node.text
	case List:
		items := make([]any, len(v.node.items))
		for i, item := range v.node.items {
			items[i] = item.JSON()
		}
		return items
	case Map:
		members := make(map[string]any, len(v.node.entries))
		for _, e := range v.node.entries {
			members[e.Key] = e.Value.JSON()
		}
		return members
	}
	panic(fmt.Sprintf("source: no kind %d", v.node.kind))
}
