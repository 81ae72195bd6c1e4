package syntax

import (
	"bytes"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Tokens that the kept lexer has no type for.
const (
	endToken js.TokenType = 0x00f0 + iota
	elementToken
	atToken
)

// A token is a piece of the source with a type. Comments and white space are
// none.
type token struct {
	kind       js.TokenType
	newline    bool // a line ended since the token before
	start, end int
	match      int // for a bracket: the index of the other one, or of the end
}

// maxSearched bounds scanner.searched: for each error the lexer counts the lines
// of the source from its beginning.
const maxSearched = 200_000_000

// A scanner turns a source into tokens. It tells a regular expression from a
// division, and an element of JSX from a comparison, by what stands before.
type scanner struct {
	source   []byte
	dialect  Dialect
	input    *parse.Input
	lexer    *js.Lexer
	tokens   []token
	comments []Comment
	problems []Problem

	searched int // bytes that the lexer went over to say where its errors are

	operand bool   // the last token ended a value
	parens  []bool // for each open (: it belongs to if, while, for or with
	braces  []bool // for each open {: it opens an object
}

func scan(source []byte, dialect Dialect) *scanner {
	s := &scanner{source: source, dialect: dialect, tokens: make([]token, 0, len(source)/4+1)}
	s.input = parse.NewInputBytes(source[:len(source):len(source)]) // the full capacity would be written to
	s.lexer = js.NewLexer(s.input)
	if n := prologue(source); n > 0 {
		s.skipTo(n)
	}
	newline := true
	for {
		before := s.input.Offset()
		if before < len(source) && source[before] == '@' { // an error to the lexer, which knows no decorators
			s.skipTo(before + 1)
			s.take(token{kind: atToken, newline: newline, start: before, end: before + 1})
			newline = false
			continue
		}
		kind, text := s.lexer.Next()
		end := s.input.Offset()
		start := end - len(text)
		switch kind {
		case js.WhitespaceToken:
			continue
		case js.LineTerminatorToken:
			newline = true
			continue
		case js.CommentToken, js.CommentLineTerminatorToken:
			s.comments = append(s.comments, Comment{start, end})
			newline = newline || kind == js.CommentLineTerminatorToken
			continue
		case js.ErrorToken:
			if s.searched += before; s.searched > maxSearched && before < len(source) {
				s.problems = append(s.problems, Problem{before, "too much up to here is no source: the rest was not read"})
				before = len(source)
			}
			if before >= len(source) {
				s.tokens = append(s.tokens, token{kind: endToken, newline: true, start: len(source), end: len(source)})
				matchBrackets(s.tokens)
				return s
			}
			kind, start, end = s.afterError(before)
		case js.DivToken, js.DivEqToken:
			if !s.operand {
				kind, start, end = s.regexp(start)
			}
		case js.LtToken:
			if !s.operand && s.dialect != TypeScript {
				if to := skipElement(source, start); to > 0 {
					s.skipTo(to)
					kind, end = elementToken, to
				}
			}
		}
		s.take(token{kind: kind, newline: newline, start: start, end: end})
		newline = false
	}
}

// prologue returns how many bytes a byte-order mark and a #! line take.
func prologue(source []byte) int {
	n := 0
	if bytes.HasPrefix(source, []byte("\ufeff")) {
		n = 3
	}
	if bytes.HasPrefix(source[n:], []byte("#!")) {
		end := bytes.IndexByte(source[n:], '\n')
		if end < 0 {
			return len(source)
		}
		n += end
	}
	return n
}

// skipTo moves the lexer to an offset, which becomes the start of its next token.
func (s *scanner) skipTo(offset int) {
	s.input.Move(offset - s.input.Offset())
	s.input.Skip()
}

// regexp reads the slash at start again as the beginning of a pattern.
func (s *scanner) regexp(start int) (kind js.TokenType, from, to int) {
	if kind, text := s.lexer.RegExp(); kind == js.RegExpToken {
		end := s.input.Offset()
		return kind, end - len(text), end
	}
	// No pattern: the slash was a division after something that looks like no value.
	s.skipTo(start + 1)
	return js.DivToken, start, start + 1
}

// afterError makes a token of what the lexer could not read from an offset on,
// and sees to it that the lexer moves.
func (s *scanner) afterError(before int) (kind js.TokenType, from, to int) {
	if n := legacyNumber(s.source[before:]); n > 0 {
		s.skipTo(before + n)
		return js.IntegerToken, before, before + n
	}
	end := max(s.input.Offset(), before+1)
	end = min(end, len(s.source))
	s.skipTo(end)
	message := "this character begins nothing that is known"
	switch s.source[before] {
	case '"', '\'':
		message = "a string does not end on its line"
	case '`', '}':
		message = "a template does not end"
	case '/':
		message = "a comment does not end"
	}
	s.problems = append(s.problems, Problem{before, message})
	return js.ErrorToken, before, end
}

// legacyNumber returns the length of a number such as 0755, which old sources
// have; 0 where there is none.
func legacyNumber(b []byte) int {
	if len(b) < 2 || b[0] != '0' {
		return 0
	}
	n := 1
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	if n == 1 {
		return 0
	}
	return n
}

// take adds a token, and keeps what tells the meaning of the next slash.
func (s *scanner) take(t token) {
	s.note(t.kind)
	s.tokens = append(s.tokens, t)
}

func (s *scanner) note(kind js.TokenType) {
	var last js.TokenType
	if n := len(s.tokens); n > 0 {
		last = s.tokens[n-1].kind
	}
	switch kind {
	case js.OpenParenToken:
		s.parens = append(s.parens, last == js.IfToken || last == js.WhileToken || last == js.ForToken || last == js.WithToken)
		s.operand = false
	case js.CloseParenToken:
		head := false
		if n := len(s.parens); n > 0 {
			head, s.parens = s.parens[n-1], s.parens[:n-1]
		}
		s.operand = !head
	case js.OpenBraceToken:
		object := !s.operand
		switch last {
		case 0, js.ArrowToken, js.OpenBraceToken, js.SemicolonToken, js.CloseBraceToken, js.ElseToken, js.DoToken, js.TryToken, js.FinallyToken, js.CloseParenToken:
			object = false
		}
		s.braces = append(s.braces, object)
		s.operand = false
	case js.CloseBraceToken:
		s.operand = false
		if n := len(s.braces); n > 0 {
			s.operand, s.braces = s.braces[n-1], s.braces[:n-1]
		}
	case js.CloseBracketToken, js.StringToken, js.TemplateToken, js.TemplateEndToken, js.RegExpToken, js.PrivateIdentifierToken, elementToken,
		js.ThisToken, js.SuperToken, js.NullToken, js.TrueToken, js.FalseToken:
		s.operand = true
	case js.NotToken, js.IncrToken, js.DecrToken:
		// Behind a value they end one, before a value they begin one.
	default:
		named := js.IsIdentifier(kind) || js.IsReservedWord(kind) && (last == js.DotToken || last == js.OptChainToken)
		s.operand = named || js.IsNumeric(kind)
	}
}

// matchBrackets finds the other half of each bracket. A closing bracket closes
// the nearest open one of its kind; those that are open above it end there.
func matchBrackets(tokens []token) {
	var open []int
	opener := func(kind js.TokenType) js.TokenType {
		switch kind {
		case js.CloseParenToken:
			return js.OpenParenToken
		case js.CloseBracketToken:
			return js.OpenBracketToken
		case js.CloseBraceToken:
			return js.OpenBraceToken
		case js.TemplateEndToken:
			return js.TemplateStartToken
		}
		return 0
	}
	depth := map[js.TokenType]int{}
	for i := range tokens {
		kind := tokens[i].kind
		switch kind {
		case js.OpenParenToken, js.OpenBracketToken, js.OpenBraceToken, js.TemplateStartToken:
			open = append(open, i)
			depth[kind]++
		case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.TemplateEndToken:
			want := opener(kind)
			tokens[i].match = -1
			if depth[want] == 0 {
				continue
			}
			for {
				at := open[len(open)-1]
				open = open[:len(open)-1]
				depth[tokens[at].kind]--
				tokens[at].match = i
				if tokens[at].kind == want {
					tokens[i].match = at
					break
				}
			}
		}
	}
	for _, at := range open {
		tokens[at].match = len(tokens) - 1
	}
}
