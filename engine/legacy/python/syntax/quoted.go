package syntax

import "strings"

// maxQuotes is how deep f-strings may hold f-strings.
const maxQuotes = 50

// maxField is how long a replacement field may be, in bytes: a broken one is not
// looked for to the end of the file, string after string.
const maxField = 1 << 14

// stringPrefix tells whether s is a prefix that a string may have, such as rb.
func stringPrefix(s string) bool {
	if len(s) > 2 {
		return false
	}
	switch strings.ToLower(s) {
	case "r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt", "ur":
		return true
	}
	return false
}

// text reads a string whose prefix begins at start and whose quote is at quote.
func (l *lexer) text(start, quote int) {
	end, closed := quotedEnd(l.src, start, quote, 0)
	if !closed {
		l.problem(start, "a string is not closed")
	}
	l.pos = end
	l.emit(stringToken, start)
}

// quotedEnd gives the offset after the string that begins at start with its
// quote at quote, and whether it is closed. One that is not closed ends with its
// line, or with the source where its quote is a triple one.
func quotedEnd(src string, start, quote, depth int) (end int, closed bool) {
	prefix := src[start:quote]
	nested := strings.ContainsAny(prefix, "fFtT")
	raw := strings.ContainsAny(prefix, "rR")
	q := src[quote]
	triple := len(src) >= quote+3 && src[quote+1] == q && src[quote+2] == q
	i := quote + 1
	if triple {
		i = quote + 3
	}
	body := i
	for i < len(src) {
		switch c := src[i]; {
		case c == '\\':
			if nested && !raw && strings.HasPrefix(src[i:], "\\N{") {
				if n := strings.IndexByte(src[i:], '}'); n > 0 && !strings.ContainsAny(src[i:i+n], "\n\"'") {
					i += n + 1
					continue
				}
			}
			if nested && i+1 < len(src) && (src[i+1] == '{' || src[i+1] == '}') {
				i++ // the brace stands for itself
				continue
			}
			i += 2
		case c == '\n' && !triple:
			return i, false
		case c == q && (!triple || strings.HasPrefix(src[i+1:], src[quote+1:quote+3])):
			if triple {
				return i + 3, true
			}
			return i + 1, true
		case nested && c == '{':
			if i+1 < len(src) && src[i+1] == '{' {
				i += 2
				continue
			}
			f, ok := scanField(src, i, q, triple, depth+1)
			switch {
			case ok:
				i = f.end
			case depth > 0:
				return i, false
			default:
				// A broken field. Read from the start as if it had none: trying each
				// brace again would take time exponential in the nesting.
				nested = false
				i = body
			}
		default:
			i++
		}
	}
	return min(i, len(src)), false
}

// A fieldSpan is a replacement field {expression!conversion:format} of an
// f-string, by offsets.
type fieldSpan struct {
	start, end         int // the braces included
	exprStart, exprEnd int
	debug              bool   // it ends with "=", and prints itself
	conversion         string // r, s, a, or ""
	format             int    // where the format begins, or -1
}

func scanField(src string, start int, q byte, triple bool, depth int) (fieldSpan, bool) {
	f := fieldSpan{start: start, exprStart: start + 1, format: -1, end: start + 1}
	if depth > maxQuotes {
		return f, false
	}
	src = src[:min(len(src), start+maxField)]
	var open int
	i := start + 1
	for i < len(src) {
		c := src[i]
		switch {
		case c == '"' || c == '\'':
			j := i
			for j > start+1 && i-j < 2 && isLetter(src[j-1]) {
				j--
			}
			if !stringPrefix(src[j:i]) || j > start+1 && nameByte(src[j-1]) {
				j = i
			}
			after, closed := quotedEnd(src, j, i, depth)
			if !closed {
				return f, false
			}
			i = after
		case c == '#':
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				return f, false
			}
			i += n
		case c == '(' || c == '[' || c == '{':
			open++
			i++
		case c == ')' || c == ']':
			open--
			i++
		case c == '}' && open > 0:
			open--
			i++
		case c == '}':
			f.close(src, i)
			f.end = i + 1
			return f, true
		case c == '!' && open == 0 && !strings.HasPrefix(src[i:], "!="):
			f.close(src, i)
			i++
			from := i
			for i < len(src) && (isLetter(src[i]) || src[i] == ' ') {
				i++
			}
			f.conversion = strings.TrimSpace(src[from:i])
			if i < len(src) && src[i] == '}' {
				f.end = i + 1
				return f, true
			}
			if i >= len(src) || src[i] != ':' {
				return f, false
			}
			return f.scanFormat(src, i, q, triple, depth)
		case c == ':' && open == 0:
			f.close(src, i)
			return f.scanFormat(src, i, q, triple, depth)
		case c == '=' && open == 0 && i+1 < len(src) && src[i+1] == '=' || (c == '<' || c == '>' || c == '!') && i+1 < len(src) && src[i+1] == '=':
			i += 2
		default:
			i++
		}
	}
	return f, false
}

// close ends the expression of the field at i, taking a trailing "=" off it.
func (f *fieldSpan) close(src string, i int) {
	f.exprEnd = i
	e := strings.TrimRight(src[f.exprStart:i], " \t\n")
	if n := len(e); n > 1 && e[n-1] == '=' && strings.IndexByte("=<>!", e[n-2]) < 0 {
		f.debug = true
		f.exprEnd = f.exprStart + n - 1
	}
}

// scanFormat reads the format that begins after the colon at i, and the brace
// that closes the field.
func (f fieldSpan) scanFormat(src string, i int, q byte, triple bool, depth int) (fieldSpan, bool) {
	i++
	f.format = i
	for i < len(src) {
		switch c := src[i]; {
		case c == '{':
			inner, ok := scanField(src, i, q, triple, depth+1)
			if !ok {
				return f, false
			}
			i = inner.end
		case c == '}':
			f.end = i + 1
			return f, true
		case c == q && (!triple || strings.HasPrefix(src[i:], string([]byte{q, q, q}))), c == '\n' && !triple:
			return f, false
		default:
			i++
		}
	}
	return f, false
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func nameByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '_' || c >= 0x80 }
