package output

import (
	"encoding/json"
	"strings"
)

// maxDepth bounds the nesting of a document. Deeper text is no answer that
// anybody reads, and everything that walks a document recurses.
const maxDepth = 1000

// Document returns the JSON that a text holds, in the JSON model of package
// canonical: the whole text where that is JSON, else the first fenced code
// block that is a JSON object or array. It reports false where there is none.
//
// A text of one bare word or number (true, null, 42) is no document: it is a
// short answer in prose as often as JSON, and a shape that depends on whether
// a model wrote "42" or "42." would say nothing. A JSON string in its quotes
// is one. Objects and arrays inside running prose are not searched for.
//
// Models do write objects with a key twice; the last one wins, as in most
// readers of JSON. Text nested deeper than 1,000 is no document. The time is
// linear in the text's length.
func Document(text string) (any, bool) {
	trimmed := trim(text)
	if doc, ok := decode(trimmed, true); ok {
		return doc, true
	}
	for rest := trimmed; ; {
		block, after, ok := nextBlock(rest)
		if !ok {
			return nil, false
		}
		if doc, ok := decode(trim(block), false); ok {
			return doc, true
		}
		rest = after
	}
}

// trim removes white space and byte-order marks from both ends.
func trim(s string) string { return strings.Trim(s, " \t\r\n\v\f\u00a0\ufeff") }

// decode reads a trimmed text as one JSON value: an object, an array, or,
// where a lone string will do, a string.
func decode(s string, orString bool) (any, bool) {
	if len(s) < 2 {
		return nil, false
	}
	switch first, last := s[0], s[len(s)-1]; {
	case first == '{' && last == '}', first == '[' && last == ']':
		if tooDeep(s) {
			return nil, false
		}
	case orString && first == '"' && last == '"':
	default:
		return nil, false
	}
	decoder := json.NewDecoder(strings.NewReader(s))
	decoder.UseNumber()
	var doc any
	if err := decoder.Decode(&doc); err != nil || decoder.InputOffset() != int64(len(s)) {
		return nil, false
	}
	return doc, true
}

// tooDeep reports whether brackets nest deeper than maxDepth. It only has to
// be right about valid JSON.
func tooDeep(s string) bool {
	depth, inString := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// nextBlock finds the first fenced code block in Markdown, and returns what it
// holds and the text behind it. Fences are lines of three or more backticks or
// tildes at any indentation (models indent them below list items), closed by
// at least as many of the same; an answer that was cut off leaves its last
// block open, which then reaches to the end.
func nextBlock(text string) (block, after string, ok bool) {
	for text != "" {
		line, rest := cutLine(text)
		mark, size, info := fence(line)
		if size == 0 || mark == '`' && strings.IndexByte(info, '`') >= 0 {
			text = rest
			continue
		}
		for body := rest; ; {
			if body == "" {
				return rest, "", true
			}
			line, next := cutLine(body)
			if closing, n, tail := fence(line); closing == mark && n >= size && strings.TrimSpace(tail) == "" {
				return rest[:len(rest)-len(body)], next, true
			}
			body = next
		}
	}
	return "", "", false
}

// cutLine returns the first line of a text, without its end, and the rest.
func cutLine(s string) (line, rest string) {
	line, rest, _ = strings.Cut(s, "\n")
	return line, rest
}

// fence reads a line as a code fence: its character, how many of it (0 for any
// other line), and what follows on the line.
func fence(line string) (mark byte, size int, info string) {
	line = strings.TrimLeft(line, " \t")
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return 0, 0, ""
	}
	for size < len(line) && line[size] == line[0] {
		size++
	}
	if size < 3 {
		return 0, 0, ""
	}
	return line[0], size, line[size:]
}
