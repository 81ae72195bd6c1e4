package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIndents is how deep blocks may be nested: Python's own limit.
const maxIndents = 100

// A lexer cuts source into tokens. It never fails: what begins no token becomes
// a bad one, and the parser says so.
type lexer struct {
	src      string
	pos      int
	tokens   []token
	comments []Comment
	indents  []int
	open     []int // where the brackets that are not closed yet stand
	problem  func(pos int, message string)
}

func (l *lexer) run() {
	l.indents = append(l.indents, 0)
	l.tokens = make([]token, 0, len(l.src)/4+8)
	l.line()
	for l.pos < len(l.src) {
		l.next()
	}
	if len(l.open) > 0 {
		l.problem(l.open[0], "a bracket is not closed")
	}
	if n := len(l.tokens); n > 0 && l.tokens[n-1].kind != newlineToken && l.tokens[n-1].kind != dedentToken {
		l.emit(newlineToken, l.pos)
	}
	for len(l.indents) > 1 {
		l.indents = l.indents[:len(l.indents)-1]
		l.emit(dedentToken, l.pos)
	}
	l.emit(endToken, l.pos)
}

// emit adds a token that starts at start and ends where the lexer stands.
func (l *lexer) emit(kind tokenKind, start int) {
	l.tokens = append(l.tokens, token{kind: kind, start: start, end: l.pos})
}

// line reads the white space that begins a logical line, passing over lines that
// hold nothing, and emits what the change of indentation means.
func (l *lexer) line() {
	for {
		column := 0
		i := l.pos
	indentation:
		for ; i < len(l.src); i++ {
			switch l.src[i] {
			case ' ':
				column++
			case '\t':
				column = column/8*8 + 8
			case '\f':
				column = 0
			case '\\':
				// A joined line that begins with a join keeps its first column.
				if strings.HasPrefix(l.src[i:], "\\\n") && column > 0 {
					i++
					continue
				}
				break indentation
			default:
				break indentation
			}
		}
		l.pos = i
		if i >= len(l.src) {
			return
		}
		switch l.src[i] {
		case '\n':
			l.pos++
			continue
		case '#':
			l.comment()
			continue
		}
		l.indent(column)
		return
	}
}

func (l *lexer) indent(column int) {
	top := l.indents[len(l.indents)-1]
	if column > top {
		if len(l.indents) >= maxIndents {
			l.problem(l.pos, "blocks are nested too deep")
			return
		}
		l.indents = append(l.indents, column)
		l.emit(indentToken, l.pos)
		return
	}
	for column < l.indents[len(l.indents)-1] {
		l.indents = l.indents[:len(l.indents)-1]
		l.emit(dedentToken, l.pos)
	}
	if top = l.indents[len(l.indents)-1]; column != top {
		l.problem(l.pos, "the indentation fits no block around it")
		// Whoever wrote it meant the block that it is deeper than.
		l.indents[len(l.indents)-1] = column
		if len(l.indents) == 1 {
			l.indents[0] = 0
		}
	}
}

func (l *lexer) comment() {
	end := strings.IndexByte(l.src[l.pos:], '\n')
	if end < 0 {
		end = len(l.src) - l.pos
	}
	l.comments = append(l.comments, Comment{Span{l.pos, l.pos + end}})
	l.pos += end
}

func (l *lexer) next() {
	c := l.src[l.pos]
	switch {
	case c == ' ' || c == '\t' || c == '\f':
		l.pos++
	case c == '\n':
		l.newline()
	case c == '#':
		l.comment()
	case c == '\\':
		if strings.HasPrefix(l.src[l.pos:], "\\\n") {
			l.pos += 2
			return
		}
		l.pos++
		l.emit(badToken, l.pos-1)
	case '0' <= c && c <= '9' || c == '.' && l.pos+1 < len(l.src) && '0' <= l.src[l.pos+1] && l.src[l.pos+1] <= '9':
		l.number()
	case c == '"' || c == '\'':
		l.text(l.pos, l.pos)
	case c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf:
		l.word()
	default:
		l.operator()
	}
}

func (l *lexer) newline() {
	start := l.pos
	l.pos++
	if len(l.open) == 0 {
		l.emit(newlineToken, start)
		l.line()
		return
	}
	if i := l.pos + spaces(l.src[l.pos:]); statementStarts(l.src[i:]) {
		// No expression has a line that begins so: a bracket was left open.
		l.problem(l.open[0], fmt.Sprintf("a bracket is not closed before the statement on line %d", 1+strings.Count(l.src[:i], "\n")))
		l.open = l.open[:0]
		l.emit(newlineToken, start)
		l.line()
	}
}

func spaces(s string) int {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\f') {
		i++
	}
	return i
}

// statementStarts tells whether s begins with a keyword that can only begin a
// statement.
func statementStarts(s string) bool {
	n := 0
	for n < len(s) && n < 9 && 'a' <= s[n] && s[n] <= 'z' {
		n++
	}
	if n < len(s) && (s[n] == '_' || s[n] == '=' || s[n] >= utf8.RuneSelf || '0' <= s[n] && s[n] <= '9') {
		return false
	}
	switch s[:n] {
	case "def", "class", "assert", "return", "import", "while", "raise", "del", "global", "nonlocal", "try", "with":
		return true
	case "async":
		rest := strings.TrimLeft(s[n:], " \t")
		return strings.HasPrefix(rest, "def ") || strings.HasPrefix(rest, "with ")
	}
	return false
}

func (l *lexer) word() {
	start := l.pos
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if c < utf8.RuneSelf {
			if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
				break
			}
			l.pos++
			continue
		}
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if !nameRune(r) {
			break
		}
		l.pos += size
	}
	if l.pos == start {
		_, size := utf8.DecodeRuneInString(l.src[l.pos:])
		l.pos += size
		l.emit(badToken, start)
		return
	}
	if l.pos < len(l.src) && (l.src[l.pos] == '"' || l.src[l.pos] == '\'') && stringPrefix(l.src[start:l.pos]) {
		l.text(start, l.pos)
		return
	}
	l.emit(nameToken, start)
}

func nameRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Pc, r) || unicode.Is(unicode.Other_ID_Start, r) || unicode.Is(unicode.Other_ID_Continue, r))
}

func (l *lexer) number() {
	start := l.pos
	src := l.src
	if src[l.pos] == '0' && l.pos+1 < len(src) && strings.IndexByte("xXoObB", src[l.pos+1]) >= 0 {
		l.pos += 2
		for l.pos < len(src) && (hexDigit(src[l.pos]) || src[l.pos] == '_') {
			l.pos++
		}
		l.emit(numberToken, start)
		return
	}
	digits := func() {
		for l.pos < len(src) && ('0' <= src[l.pos] && src[l.pos] <= '9' || src[l.pos] == '_') {
			l.pos++
		}
	}
	digits()
	if l.pos < len(src) && src[l.pos] == '.' {
		l.pos++
		digits()
	}
	if l.pos < len(src) && (src[l.pos] == 'e' || src[l.pos] == 'E') {
		i := l.pos + 1
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if i < len(src) && '0' <= src[i] && src[i] <= '9' {
			l.pos = i
			digits()
		}
	}
	if l.pos < len(src) && strings.IndexByte("jJlL", src[l.pos]) >= 0 {
		l.pos++
	}
	l.emit(numberToken, start)
}

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func (l *lexer) operator() {
	start := l.pos
	o, n := operatorAt(l.src[l.pos:])
	if n == 0 {
		l.pos++
		l.emit(badToken, start)
		return
	}
	switch o {
	case opLeftParen, opLeftBracket, opLeftBrace:
		l.open = append(l.open, l.pos)
	case opRightParen, opRightBracket, opRightBrace:
		if len(l.open) > 0 {
			l.open = l.open[:len(l.open)-1]
		}
	}
	l.pos += n
	l.tokens = append(l.tokens, token{kind: opToken, op: o, start: start, end: l.pos})
}
