package syntax

import (
	"github.com/tdewolff/parse/v2/js"
)

// expression reads expressions with commas between them.
func (p *parser) expression() *Node {
	start := p.toks[p.i].start
	n := p.assignment()
	if p.kind() != js.CommaToken {
		return n
	}
	kids := []*Node{n}
	for p.accept(js.CommaToken) {
		kids = append(kids, p.assignment())
	}
	return p.node(Sequence, start, kids...)
}

// assignment reads one expression without a comma.
func (p *parser) assignment() *Node {
	defer p.deeper()()
	if f := p.arrow(); f != nil {
		return f
	}
	start := p.toks[p.i].start
	if p.kind() == js.YieldToken {
		p.next()
		n := p.node(Unary, start)
		n.Op = "yield"
		p.accept(js.MulToken)
		if t := p.toks[p.i]; !t.newline && !closes(t.kind) {
			n.Kids = []*Node{p.assignment()}
		} else {
			n.Kids = []*Node{p.empty()}
		}
		n.End = p.last()
		return n
	}
	left := p.conditional()
	switch p.kind() {
	case js.EqToken, js.AddEqToken, js.SubEqToken, js.MulEqToken, js.DivEqToken, js.ModEqToken, js.ExpEqToken, js.LtLtEqToken, js.GtGtEqToken,
		js.GtGtGtEqToken, js.BitAndEqToken, js.BitOrEqToken, js.BitXorEqToken, js.AndEqToken, js.OrEqToken, js.NullishEqToken:
		op := p.text(p.next())
		n := p.node(Assign, start, left, p.assignment())
		n.Op, n.End = op, p.last()
		return n
	}
	return left
}

// closes reports whether a token ends whatever stands before it.
func closes(kind js.TokenType) bool {
	switch kind {
	case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.CommaToken, js.SemicolonToken, js.ColonToken,
		js.TemplateMiddleToken, js.TemplateEndToken, endToken:
		return true
	}
	return false
}

func (p *parser) conditional() *Node {
	start := p.toks[p.i].start
	test := p.binary(1)
	if p.kind() != js.QuestionToken {
		return test
	}
	p.next()
	noIn := p.noIn
	p.noIn = false
	yes := p.assignment()
	p.noIn = noIn
	p.expect(js.ColonToken)
	no := p.assignment()
	return p.node(Cond, start, test, yes, no)
}

// precedence returns how tight an operator binds, 0 for what is none.
func (p *parser) precedence(t token) int {
	switch t.kind {
	case js.NullishToken, js.OrToken:
		return 1
	case js.AndToken:
		return 2
	case js.BitOrToken:
		return 3
	case js.BitXorToken:
		return 4
	case js.BitAndToken:
		return 5
	case js.EqEqToken, js.EqEqEqToken, js.NotEqToken, js.NotEqEqToken:
		return 6
	case js.LtToken, js.LtEqToken, js.GtToken, js.GtEqToken, js.InstanceofToken:
		return 7
	case js.InToken:
		if p.noIn {
			return 0
		}
		return 7
	case js.AsToken:
		if t.newline {
			return 0
		}
		return 7
	case js.LtLtToken, js.GtGtToken, js.GtGtGtToken:
		return 8
	case js.AddToken, js.SubToken:
		return 9
	case js.MulToken, js.DivToken, js.ModToken:
		return 10
	case js.ExpToken:
		return 11
	case js.IdentifierToken:
		if !t.newline && p.word(t, "satisfies") {
			return 7
		}
	}
	return 0
}

func (p *parser) binary(least int) *Node {
	defer p.deeper()()
	start := p.toks[p.i].start
	left := p.unary()
	for {
		t := p.toks[p.i]
		level := p.precedence(t)
		if level < least || level == 0 {
			return left
		}
		p.next()
		if t.kind == js.AsToken || t.kind == js.IdentifierToken {
			p.skipType()
			continue // a type says nothing about the value
		}
		above := level + 1
		if t.kind == js.ExpToken {
			above = level
		}
		right := p.binary(above)
		left = p.node(Binary, start, left, right)
		left.Op = p.text(t)
	}
}

func (p *parser) unary() *Node {
	t := p.toks[p.i]
	switch t.kind {
	case js.NotToken, js.BitNotToken, js.AddToken, js.SubToken, js.TypeofToken, js.VoidToken, js.DeleteToken, js.IncrToken, js.DecrToken, js.AwaitToken:
		if t.kind == js.AwaitToken && closes(p.ahead(1).kind) {
			break // an old source has a variable of that name
		}
		defer p.deeper()()
		p.next()
		n := p.node(Unary, t.start, p.unary())
		n.Op, n.End = p.text(t), p.last()
		return n
	case js.LtToken:
		// A type before a value, as older TypeScript casts.
		if to := p.typeArguments(p.i); to > 0 && p.dialect == TypeScript {
			defer p.deeper()()
			p.i = to
			return p.unary()
		}
	}
	n := p.suffixes(p.primary(), true)
	if t := p.toks[p.i]; (t.kind == js.IncrToken || t.kind == js.DecrToken) && !t.newline {
		p.next()
		n = p.node(Unary, n.Start, n)
		n.Op = p.text(t)
	}
	return n
}

// suffixes reads members, indexes, calls and templates behind a value.
func (p *parser) suffixes(n *Node, calls bool) *Node {
	start := n.Start
	for {
		t := p.toks[p.i]
		switch t.kind {
		case js.DotToken:
			p.next()
			n = p.member(start, n)
		case js.OptChainToken:
			if !calls {
				return n
			}
			p.next()
			switch p.kind() {
			case js.OpenParenToken:
				n = p.call(start, n)
			case js.OpenBracketToken:
				n = p.index(start, n)
			default:
				n = p.member(start, n)
			}
			n.Optional = true
		case js.OpenBracketToken:
			n = p.index(start, n)
		case js.OpenParenToken:
			if !calls {
				return n
			}
			n = p.call(start, n)
		case js.TemplateToken, js.TemplateStartToken:
			n = p.node(Tagged, start, n, p.template())
			n.End = p.last()
		case js.NotToken:
			if t.newline {
				return n
			}
			p.next() // TypeScript: surely there
		case js.LtToken, js.LtLtToken:
			to := p.typeArguments(p.i)
			if to == 0 || !calls && p.toks[to].kind != js.OpenParenToken {
				return n
			}
			switch after := p.toks[to]; {
			case after.kind == js.OpenParenToken, after.kind == js.TemplateToken, after.kind == js.TemplateStartToken,
				p.dialect != JavaScript && closes(after.kind), p.dialect != JavaScript && after.newline && after.kind != js.DotToken:
				p.i = to
			default:
				return n
			}
		default:
			return n
		}
	}
}

func (p *parser) member(start int, object *Node) *Node {
	t := p.toks[p.i]
	if !js.IsIdentifierName(t.kind) && t.kind != js.PrivateIdentifierToken {
		p.fail("a name was expected after the dot")
	}
	p.next()
	n := p.node(Member, start, object)
	n.Text = p.name(t)
	return n
}

func (p *parser) index(start int, object *Node) *Node {
	p.expect(js.OpenBracketToken)
	at := p.inside()
	p.expect(js.CloseBracketToken)
	return p.node(Index, start, object, at)
}

// inside reads an expression in brackets, where `in` is an operator again.
func (p *parser) inside() *Node {
	noIn := p.noIn
	p.noIn = false
	n := p.expression()
	p.noIn = noIn
	return n
}

func (p *parser) call(start int, callee *Node) *Node {
	args := p.list(js.OpenParenToken, js.CloseParenToken)
	return p.node(Call, start, append([]*Node{callee}, args...)...)
}

// list reads what stands in brackets with commas between: arguments or items.
func (p *parser) list(open, end js.TokenType) []*Node {
	noIn := p.noIn
	p.noIn = false
	close := p.expect(open).match
	var items []*Node
	for p.kind() != end {
		if p.i == close {
			p.unclosed(end)
			p.noIn = noIn
			return items
		}
		t := p.toks[p.i]
		switch t.kind {
		case js.CommaToken:
			items = append(items, p.empty())
		case js.EllipsisToken:
			p.next()
			n := p.node(Spread, t.start, p.assignment())
			n.End = p.last()
			items = append(items, n)
		default:
			items = append(items, p.assignment())
		}
		if p.kind() != end && p.i != close {
			p.expect(js.CommaToken)
		}
	}
	p.next()
	p.noIn = noIn
	return items
}

func (p *parser) primary() *Node {
	t := p.toks[p.i]
	switch t.kind {
	case js.StringToken, js.TemplateToken, js.TemplateStartToken, js.RegExpToken:
		return p.textual()
	case js.OpenParenToken:
		p.next()
		n := p.inside()
		p.expect(js.CloseParenToken)
		return n
	case js.OpenBracketToken:
		items := p.list(js.OpenBracketToken, js.CloseBracketToken)
		return p.node(Array, t.start, items...)
	case js.OpenBraceToken:
		return p.object()
	case js.NullToken, js.TrueToken, js.FalseToken:
		p.next()
		return p.named(Literal, t)
	case js.FunctionToken:
		return p.function(false)
	case js.ClassToken, atToken:
		return p.class()
	case js.NewToken:
		return p.construct()
	case js.PrivateIdentifierToken:
		p.next()
		return p.named(Private, t)
	case elementToken:
		p.next()
		return p.node(Element, t.start)
	case js.AsyncToken:
		if after := p.ahead(1); after.kind == js.FunctionToken && !after.newline {
			return p.function(false)
		}
	case js.ImportToken, js.ThisToken, js.SuperToken, js.AwaitToken, js.YieldToken:
		p.next()
		return p.named(Ident, t)
	}
	switch {
	case js.IsNumeric(t.kind):
		p.next()
		return p.named(Number, t)
	case js.IsIdentifier(t.kind):
		p.next()
		return p.named(Ident, t)
	}
	p.fail("a value was expected here")
	return nil
}

func (p *parser) named(kind Kind, t token) *Node {
	n := p.node(kind, t.start)
	n.Text = p.name(t)
	return n
}

// construct reads new and what it makes; new.target is a name.
func (p *parser) construct() *Node {
	defer p.deeper()()
	t := p.next()
	if p.kind() == js.DotToken {
		p.next()
		return p.member(t.start, p.named(Ident, t))
	}
	var callee *Node
	if p.kind() == js.NewToken {
		callee = p.construct()
	} else {
		callee = p.suffixes(p.primary(), false)
	}
	var args []*Node
	if p.kind() == js.OpenParenToken {
		args = p.list(js.OpenParenToken, js.CloseParenToken)
	}
	return p.node(New, t.start, append([]*Node{callee}, args...)...)
}
