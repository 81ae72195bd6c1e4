package syntax

import (
	"fmt"

	"github.com/tdewolff/parse/v2/js"
)

// maxDepth is how deep expressions and statements may nest.
const maxDepth = 400

// A parser reads tokens into nodes. A function that cannot go on calls fail,
// which ends the statement and nothing more.
type parser struct {
	source   []byte
	toks     []token
	dialect  Dialect
	i        int // the next token
	depth    int
	noIn     bool // the head of a for: `in` is no operator
	problems []Problem
}

// A stop is what fail panics with; statements recovers it.
type stop struct {
	offset  int
	message string
}

func (p *parser) fail(format string, args ...any) {
	panic(stop{p.toks[p.i].start, fmt.Sprintf(format, args...)})
}

// deeper counts a level of nesting; its result is deferred.
func (p *parser) deeper() func() {
	p.depth++
	if p.depth > maxDepth {
		defer func() { p.depth-- }()
		p.fail("this nests deeper than %d levels", maxDepth)
	}
	return p.shallower
}

func (p *parser) shallower() { p.depth-- }

func (p *parser) kind() js.TokenType { return p.toks[p.i].kind }

func (p *parser) ahead(n int) token {
	if p.i+n < len(p.toks) {
		return p.toks[p.i+n]
	}
	return p.toks[len(p.toks)-1]
}

func (p *parser) text(t token) string { return string(p.source[t.start:t.end]) }

// next takes the next token; the end is never taken.
func (p *parser) next() token {
	t := p.toks[p.i]
	if p.i < len(p.toks)-1 {
		p.i++
	}
	return t
}

func (p *parser) accept(kind js.TokenType) bool {
	if p.kind() != kind {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(kind js.TokenType) token {
	if p.kind() != kind {
		p.fail("%s was expected here", kind)
	}
	return p.next()
}

// word reports whether a token is a name or keyword with a spelling.
func (p *parser) word(t token, spelling string) bool {
	return js.IsIdentifierName(t.kind) && t.end-t.start == len(spelling) && string(p.source[t.start:t.end]) == spelling
}

// last is the offset behind the token that was taken last.
func (p *parser) last() int {
	if p.i == 0 {
		return 0
	}
	return p.toks[p.i-1].end
}

func (p *parser) node(kind Kind, start int, kids ...*Node) *Node {
	return &Node{Kind: kind, Start: start, End: max(start, p.last()), Kids: kids}
}

func (p *parser) empty() *Node {
	at := p.toks[p.i].start
	return &Node{Kind: Empty, Start: at, End: at}
}

// statements reads up to the token with an index, whatever stands there.
func (p *parser) statements(end int) []*Node {
	var list []*Node
	for p.i < end {
		from := p.i
		if n := p.tolerant(end); n != nil {
			list = append(list, n)
		}
		if p.i == from {
			p.i++ // a bracket that closes nothing
		}
	}
	p.i = end
	return list
}

// tolerant reads a statement, or passes over one that cannot be read: nil.
func (p *parser) tolerant(end int) (n *Node) {
	from, depth, noIn := p.i, p.depth, p.noIn
	p.noIn = false
	defer func() {
		p.noIn = noIn
		r := recover()
		if r == nil {
			return
		}
		s, ok := r.(stop)
		if !ok {
			panic(r)
		}
		p.problems = append(p.problems, Problem{s.offset, s.message})
		p.depth = depth
		p.resume(from, end)
		n = nil
	}()
	return p.statement()
}

// resume moves to where the next statement can begin: behind a semicolon, or at
// a word that begins one at the head of a line.
func (p *parser) resume(from, end int) {
	if p.i == from {
		p.i++
	}
	for p.i < end {
		t := p.toks[p.i]
		if t.newline && p.begins(t) {
			return
		}
		p.i++
		if t.kind == js.SemicolonToken {
			return
		}
	}
	p.i = min(p.i, end)
}

// begins reports whether a token is a word that begins a statement, those of
// test runners among them.
func (p *parser) begins(t token) bool {
	switch t.kind {
	case js.ConstToken, js.LetToken, js.VarToken, js.FunctionToken, js.ClassToken, js.ImportToken, js.ExportToken, js.ReturnToken, js.IfToken, js.ForToken:
		return true
	}
	switch {
	case !js.IsIdentifier(t.kind):
		return false
	case p.word(t, "describe"), p.word(t, "it"), p.word(t, "test"), p.word(t, "expect"), p.word(t, "assert"),
		p.word(t, "beforeEach"), p.word(t, "beforeAll"), p.word(t, "afterEach"), p.word(t, "afterAll"):
		return true
	}
	return false
}

// unclosed notes that a bracket is not closed before what is around it ends, so
// that what was read in it is kept.
func (p *parser) unclosed(end js.TokenType) {
	p.problems = append(p.problems, Problem{p.toks[p.i].start, fmt.Sprintf("%s was expected here", end)})
}

// semicolon ends a statement as the language does: by a semicolon, or where a
// line, a block or the file ends.
func (p *parser) semicolon() {
	switch t := p.toks[p.i]; {
	case t.kind == js.SemicolonToken:
		p.next()
	case t.kind == js.CloseBraceToken, t.kind == endToken, t.newline:
	default:
		p.fail("the statement should end here")
	}
}
