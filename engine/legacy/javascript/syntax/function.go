package syntax

import (
	"github.com/tdewolff/parse/v2/js"
)

// arrow reads an arrow function, and nil where none begins.
func (p *parser) arrow() *Node {
	start, from := p.toks[p.i].start, p.i
	async := false
	at := p.i
	if p.toks[at].kind == js.AsyncToken && !p.ahead(1).newline && p.ahead(1).kind != js.ArrowToken {
		async = true
		at++
	}
	t := p.toks[at]
	n := &Node{Kind: Function, Start: start, Arrow: true, Async: async, Kids: []*Node{nil}}
	switch {
	case js.IsIdentifier(t.kind) && at+1 < len(p.toks) && p.toks[at+1].kind == js.ArrowToken:
		p.i = at + 1
		n.Kids = append(n.Kids, &Node{Kind: Ident, Start: t.start, End: t.end, Text: p.name(t)})
	case t.kind == js.OpenParenToken && p.arrowAfter(t.match+1):
		p.i = at
		n.Kids = append(n.Kids, p.parameters()...)
		p.skipReturnType()
	case t.kind == js.LtToken:
		to := p.typeArguments(at)
		if to == 0 || p.toks[to].kind != js.OpenParenToken || !p.arrowAfter(p.toks[to].match+1) {
			return nil
		}
		p.i = to
		n.Kids = append(n.Kids, p.parameters()...)
		p.skipReturnType()
	default:
		return nil
	}
	if p.kind() != js.ArrowToken {
		p.i = from
		return nil
	}
	p.next()
	if p.kind() == js.OpenBraceToken {
		n.Kids[0] = p.block()
	} else {
		n.Kids[0] = p.assignment()
	}
	n.End = p.last()
	return n
}

// arrowAfter reports whether a => stands at a token, a result type before it
// passed over.
func (p *parser) arrowAfter(at int) bool {
	if at >= len(p.toks) {
		return false
	}
	switch p.toks[at].kind {
	case js.ArrowToken:
		return true
	case js.ColonToken:
		to := p.typeFrom(at + 1)
		return to > 0 && p.toks[to].kind == js.ArrowToken
	}
	return false
}

// skipReturnType passes over `: T` and `: x is T` behind parameters.
func (p *parser) skipReturnType() {
	if p.accept(js.ColonToken) {
		p.skipType()
	}
}

// parameters reads the parameters of a function, as patterns.
func (p *parser) parameters() []*Node {
	noIn := p.noIn
	p.noIn = false
	p.expect(js.OpenParenToken)
	var list []*Node
	for p.kind() != js.CloseParenToken {
		p.decorators()
		for p.access() {
			p.next()
		}
		list = append(list, p.parameter())
		if p.kind() != js.CloseParenToken {
			p.expect(js.CommaToken)
		}
	}
	p.next()
	p.noIn = noIn
	return list
}

// access reports whether the next token says who may see a member, as
// TypeScript writes before names.
func (p *parser) access() bool {
	t, after := p.toks[p.i], p.ahead(1)
	switch t.kind {
	case js.PublicToken, js.PrivateToken, js.ProtectedToken, js.StaticToken:
	default:
		if !p.word(t, "readonly") && !p.word(t, "override") && !p.word(t, "abstract") && !p.word(t, "declare") && !p.word(t, "accessor") {
			return false
		}
	}
	return keyBegins(after.kind) || after.kind == js.OpenBraceToken
}

// parameter reads one pattern with its type and default.
func (p *parser) parameter() *Node {
	t := p.toks[p.i]
	if p.accept(js.EllipsisToken) {
		n := p.node(Spread, t.start, p.pattern())
		n.End = p.last()
		p.annotation()
		return n
	}
	n := p.pattern()
	p.annotation()
	if p.accept(js.EqToken) {
		n = p.node(Assign, t.start, n, p.assignment())
		n.Op, n.End = "=", p.last()
	}
	return n
}

// annotation passes over `?`, `!` and `: T` behind a name.
func (p *parser) annotation() {
	if p.kind() == js.QuestionToken || p.kind() == js.NotToken {
		p.next()
	}
	if p.accept(js.ColonToken) {
		p.skipType()
	}
}

// pattern reads a name, or what takes an object or a list apart.
func (p *parser) pattern() *Node {
	defer p.deeper()()
	t := p.toks[p.i]
	switch {
	case t.kind == js.OpenBraceToken:
		return p.object()
	case t.kind == js.OpenBracketToken:
		items := p.list(js.OpenBracketToken, js.CloseBracketToken)
		return p.node(Array, t.start, items...)
	case js.IsIdentifier(t.kind), t.kind == js.ThisToken, t.kind == js.AwaitToken, t.kind == js.YieldToken:
		p.next()
		return p.named(Ident, t)
	}
	p.fail("a name was expected here")
	return nil
}

// function reads a function with its keyword. One of TypeScript without a body
// is a declaration: it has an Empty one.
func (p *parser) function(statement bool) *Node {
	start := p.toks[p.i].start
	async := p.accept(js.AsyncToken)
	p.expect(js.FunctionToken)
	p.accept(js.MulToken)
	name := ""
	if t := p.toks[p.i]; js.IsIdentifierName(t.kind) {
		p.next()
		name = p.name(t)
	}
	n := p.method(start, async)
	n.Text = name
	if statement && n.Kids[0].Kind == Empty {
		p.semicolon()
	}
	return n
}

// method reads type parameters, parameters and body.
func (p *parser) method(start int, async bool) *Node {
	defer p.deeper()()
	p.skipTypeParameters()
	n := &Node{Kind: Function, Start: start, Async: async, Kids: []*Node{nil}}
	n.Kids = append(n.Kids, p.parameters()...)
	p.skipReturnType()
	if p.kind() == js.OpenBraceToken {
		n.Kids[0] = p.block()
	} else {
		n.Kids[0] = p.empty()
	}
	n.End = p.last()
	return n
}

// decorators passes over decorators, which are read and not kept.
func (p *parser) decorators() {
	for p.kind() == atToken {
		p.next()
		p.suffixes(p.primary(), true)
	}
}

// class reads a class; its decorators are passed over.
func (p *parser) class() *Node {
	defer p.deeper()()
	start := p.toks[p.i].start
	p.decorators()
	for p.word(p.toks[p.i], "abstract") || p.kind() == js.ExportToken || p.kind() == js.DefaultToken {
		p.next()
	}
	p.expect(js.ClassToken)
	n := &Node{Kind: Class, Start: start}
	if t := p.toks[p.i]; js.IsIdentifier(t.kind) && t.kind != js.ImplementsToken {
		p.next()
		n.Text = p.name(t)
	}
	p.skipTypeParameters()
	super := p.empty()
	if p.accept(js.ExtendsToken) {
		super = p.suffixes(p.primary(), true)
		if to := p.typeArguments(p.i); to > 0 {
			p.i = to
		}
	}
	if p.accept(js.ImplementsToken) {
		for {
			p.skipType()
			if !p.accept(js.CommaToken) {
				break
			}
		}
	}
	open := p.expect(js.OpenBraceToken)
	end := open.match
	for p.i < end {
		if m := p.classMember(); m != nil {
			n.Kids = append(n.Kids, m)
		}
	}
	p.i = end
	p.expect(js.CloseBraceToken)
	n.Kids = append(n.Kids, super)
	n.End = p.last()
	return n
}

// classMember reads a field or a method; nil for what is only a type.
func (p *parser) classMember() *Node {
	if p.accept(js.SemicolonToken) {
		return nil
	}
	p.decorators()
	start := p.toks[p.i].start
	if p.kind() == js.StaticToken && p.ahead(1).kind == js.OpenBraceToken {
		p.next()
		return p.block()
	}
	for p.access() {
		p.next()
	}
	if t := p.toks[p.i]; t.kind == js.OpenBracketToken && js.IsIdentifier(p.ahead(1).kind) && p.ahead(2).kind == js.ColonToken {
		p.i = t.match
		p.expect(js.CloseBracketToken)
		p.annotation()
		p.semicolon()
		return nil
	}
	async := p.modifiers()
	n := &Node{Kind: Property, Start: start}
	key := p.key(n)
	if p.kind() == js.QuestionToken || p.kind() == js.NotToken {
		p.next()
	}
	if p.kind() == js.OpenParenToken || p.kind() == js.LtToken {
		n.Kids = append([]*Node{p.method(start, async)}, key...)
		if n.Kids[0].Kids[0].Kind == Empty {
			p.semicolon()
		}
		n.End = p.last()
		return n
	}
	if p.accept(js.ColonToken) {
		p.skipType()
	}
	value := p.empty()
	if p.accept(js.EqToken) {
		value = p.assignment()
	}
	p.semicolon()
	n.Kids = append([]*Node{value}, key...)
	n.End = p.last()
	return n
}
