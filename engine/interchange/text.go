package interchange

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"docket/engine/canonical"
	"docket/engine/source"
)

// A text is a piece of a file that holds one or more JSON values: one line, or
// the whole of a document.
type text struct {
	file string
	line int // of the first byte, from 1
	// indent is the number of characters before the first byte on its line.
	indent int
	data   []byte
}

// at returns the position of a byte offset; columns count characters.
func (t text) at(offset int) source.Position {
	before := t.data[:offset]
	lines := bytes.Count(before, []byte{'\n'})
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if lines == 0 {
		column += t.indent
	}
	return source.Position{File: t.file, Line: t.line + lines, Column: column}
}

// cutShort reports whether the text ends within a string, a list or an object.
// The text need not be JSON.
func (t text) cutShort() bool {
	depth := 0
	for i := 0; i < len(t.data); i++ {
		switch t.data[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(t.data) && t.data[i] != '"'; i++ {
				if t.data[i] == '\\' {
					i++
				}
			}
			if i >= len(t.data) {
				return true
			}
		}
	}
	return depth > 0
}

func (t text) problemf(offset int, format string, args ...any) source.Problem {
	return source.Problem{Position: t.at(offset), Message: fmt.Sprintf(format, args...)}
}

// parse reads the text as one strict JSON value.
func (t text) parse() (any, error) {
	v, err := canonical.Parse(t.data)
	var syntax *canonical.SyntaxError
	if errors.As(err, &syntax) {
		at := source.Position{File: t.file, Line: t.line + syntax.Line - 1, Column: syntax.Column}
		if syntax.Line == 1 {
			at.Column += t.indent
		}
		return nil, source.Problem{Position: at, Message: syntax.Message}
	}
	return v, err
}

// A span is a value within a text, by its byte offsets.
type span struct{ start, end int }

// A member is one key of an object with the span of its value.
type member struct {
	key   string
	value span
}

// members returns the members of the object that begins at offset i of data,
// which must have been parsed: the scan relies on the JSON being right.
func members(data []byte, i int) []member {
	var all []member
	i = skipSpace(data, i+1)
	for data[i] != '}' {
		end := skipValue(data, i)
		key := unquote(data[i:end])
		i = skipSpace(data, end)
		i = skipSpace(data, i+1) // the colon
		end = skipValue(data, i)
		all = append(all, member{key: key, value: span{i, end}})
		if i = skipSpace(data, end); data[i] == ',' {
			i = skipSpace(data, i+1)
		}
	}
	return all
}

// elements returns the spans of the elements of the list that begins at
// offset i of data, which must have been parsed.
func elements(data []byte, i int) []span {
	var all []span
	i = skipSpace(data, i+1)
	for data[i] != ']' {
		end := skipValue(data, i)
		all = append(all, span{i, end})
		if i = skipSpace(data, end); data[i] == ',' {
			i = skipSpace(data, i+1)
		}
	}
	return all
}

// unquote returns the string that a JSON string spells.
func unquote(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	v, _ := canonical.Parse(quoted) // was parsed before
	s, _ := v.(string)
	return s
}

func skipSpace(data []byte, i int) int {
	for data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r' {
		i++
	}
	return i
}

// skipValue returns the offset after the value that begins at offset i.
func skipValue(data []byte, i int) int {
	depth := 0
	for {
		switch data[i] {
		case '"':
			i = skipString(data, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r': // within an object or a list
			i++
			continue
		default:
			for i < len(data) && strings.IndexByte(",:]} \t\r\n", data[i]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// skipString returns the offset after the string that begins at offset i.
func skipString(data []byte, i int) int {
	for i++; ; {
		n := bytes.IndexAny(data[i:], `"\`)
		i += n
		if data[i] == '"' {
			return i + 1
		}
		i += 2
	}
}
