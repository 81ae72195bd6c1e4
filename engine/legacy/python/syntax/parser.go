package syntax

import (
	"fmt"
	"sort"
	"strings"
)

// Limits of nesting, so that no source exhausts the stack.
const (
	maxDepth    = 200  // of expressions within each other
	maxChain    = 2000 // of operators or postfixes in a row
	maxProblems = 100  // of one file
)

// A Tree is a parsed file.
type Tree struct {
	Source   string // what offsets count in: UTF-8, lines ended by "\n"
	Body     []Stmt
	Comments []Comment
	Problems []Problem
	lines    []int
}

// Parse parses a file as far as it can be.
func Parse(src string) *Tree {
	src = strings.TrimPrefix(src, "\ufeff")
	if strings.IndexByte(src, '\r') >= 0 {
		src = strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n")
	}
	t := &Tree{Source: src, lines: []int{0}}
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	p := &parser{src: src, tree: t}
	l := &lexer{src: src, problem: p.problem}
	l.run()
	t.Comments = l.comments
	p.tokens = l.tokens
	t.Body = p.statements(false)
	sort.SliceStable(t.Problems, func(i, j int) bool { return t.Problems[i].At < t.Problems[j].At })
	return t
}

// Line gives the line of an offset, from 1.
func (t *Tree) Line(at int) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > at })
}

// Text is the source of a node.
func (t *Tree) Text(n Node) string {
	s := n.Range()
	return t.Source[s.Start:s.End]
}

// LineText is the source of the lines from first to last, from 1, without the
// last line's end.
func (t *Tree) LineText(first, last int) string {
	if first < 1 || first > last || last > len(t.lines) {
		return ""
	}
	end := len(t.Source)
	if last < len(t.lines) {
		end = t.lines[last] - 1
	}
	return t.Source[t.lines[first-1]:end]
}

// A parser reads the statements of the tokens. What it cannot read it leaves by
// a panic with a syntaxError, which the statement around it catches.
type parser struct {
	src    string
	tree   *Tree
	tokens []token
	i      int
	depth  int
}

type syntaxError struct {
	at      int
	message string
}

func (p *parser) problem(at int, message string) {
	if len(p.tree.Problems) < maxProblems {
		p.tree.Problems = append(p.tree.Problems, Problem{at, message})
	}
}

func (p *parser) fail(message string) {
	panic(syntaxError{p.tokens[p.i].start, message})
}

func (p *parser) unexpected() {
	t := p.tokens[p.i]
	switch t.kind {
	case endToken, newlineToken:
		p.fail("the line ends where more was expected")
	case indentToken, dedentToken:
		p.fail("the indentation changes within a statement")
	}
	text := p.src[t.start:t.end]
	if len(text) > 40 {
		text = text[:40]
	}
	p.fail(fmt.Sprintf("%q was not expected here", text))
}

func (p *parser) isOp(o op) bool {
	t := &p.tokens[p.i]
	return t.kind == opToken && t.op == o
}

func (p *parser) acceptOp(o op) bool {
	if p.isOp(o) {
		p.i++
		return true
	}
	return false
}

func (p *parser) expectOp(o op) {
	if !p.acceptOp(o) {
		t := p.tokens[p.i]
		p.fail(fmt.Sprintf("%q was expected, and %s is there", o.String(), p.found(t)))
	}
}

func (p *parser) found(t token) string {
	switch t.kind {
	case endToken, newlineToken:
		return "the end of the line"
	case indentToken, dedentToken:
		return "a change of indentation"
	}
	text := p.src[t.start:t.end]
	if len(text) > 40 {
		text = text[:40]
	}
	return fmt.Sprintf("%q", text)
}

// word is the name at the parser's place, or "".
func (p *parser) word() string {
	t := &p.tokens[p.i]
	if t.kind != nameToken {
		return ""
	}
	return p.src[t.start:t.end]
}

func (p *parser) isWord(w string) bool { return p.word() == w }

func (p *parser) acceptWord(w string) bool {
	if p.word() == w {
		p.i++
		return true
	}
	return false
}

func (p *parser) expectWord(w string) {
	if !p.acceptWord(w) {
		p.fail(fmt.Sprintf("%q was expected, and %s is there", w, p.found(p.tokens[p.i])))
	}
}

func (p *parser) start() int { return p.tokens[p.i].start }

// from is the span from start to the end of the last token read.
func (p *parser) from(start int) Span {
	if p.i == 0 {
		return Span{start, start}
	}
	return Span{start, max(start, p.tokens[p.i-1].end)}
}

// reserved tells whether a word cannot be a name.
func reserved(w string) bool {
	switch w {
	case "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
		"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass",
		"raise", "return", "try", "while", "with", "yield":
		return true
	}
	return false
}

func (p *parser) name() string {
	w := p.word()
	if w == "" || reserved(w) {
		p.unexpected()
	}
	p.i++
	return w
}

// inner parses the expression of a replacement field.
func (p *parser) inner(start, end int) (x Expr) {
	if strings.TrimSpace(p.src[start:end]) == "" {
		return &BadExpr{Span{start, end}}
	}
	if p.depth >= maxDepth {
		return &BadExpr{Span{start, end}}
	}
	l := &lexer{src: p.src[:end], pos: start, problem: func(int, string) {}, open: []int{start}, indents: []int{0}}
	for l.pos < end {
		l.next()
	}
	l.emit(endToken, end)
	q := &parser{src: p.src, tree: p.tree, tokens: l.tokens, depth: p.depth + 1}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			p.problem(e.at, e.message)
			x = &BadExpr{Span{start, end}}
		}
	}()
	x = q.expressions(true)
	if q.tokens[q.i].kind != endToken {
		q.unexpected()
	}
	return x
}
