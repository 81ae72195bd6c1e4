package syntax

import (
	"github.com/tdewolff/parse/v2/js"
)

// object reads an object, or the pattern that takes one apart.
func (p *parser) object() *Node {
	noIn := p.noIn
	p.noIn = false
	open := p.expect(js.OpenBraceToken)
	start := open.start
	var members []*Node
	for p.kind() != js.CloseBraceToken {
		if p.i == open.match {
			p.unclosed(js.CloseBraceToken)
			p.noIn = noIn
			return p.node(Object, start, members...)
		}
		members = append(members, p.property())
		if p.kind() != js.CloseBraceToken && p.i != open.match {
			p.expect(js.CommaToken)
		}
	}
	p.next()
	p.noIn = noIn
	return p.node(Object, start, members...)
}

func (p *parser) property() *Node {
	t := p.toks[p.i]
	if p.accept(js.EllipsisToken) {
		n := p.node(Spread, t.start, p.assignment())
		n.End = p.last()
		return n
	}
	async := p.modifiers()
	shorthand := p.toks[p.i]
	n := &Node{Kind: Property, Start: t.start}
	key := p.key(n)
	switch {
	case p.kind() == js.OpenParenToken, p.kind() == js.LtToken:
		n.Kids = append([]*Node{p.method(shorthand.start, async)}, key...)
	case p.accept(js.ColonToken):
		n.Kids = append([]*Node{p.assignment()}, key...)
	case js.IsIdentifierName(shorthand.kind) && !n.Computed:
		value := p.named(Ident, shorthand)
		value.End = shorthand.end
		if p.accept(js.EqToken) {
			value = p.node(Assign, shorthand.start, value, p.assignment())
			value.Op = "="
		}
		n.Kids = []*Node{value}
	default:
		p.fail("a value was expected after the key")
	}
	n.End = p.last()
	return n
}

// modifiers passes over get, set, async and * before a key, and says whether
// async was among them.
func (p *parser) modifiers() (async bool) {
	for {
		t, after := p.toks[p.i], p.ahead(1)
		switch {
		case t.kind == js.MulToken:
		case (t.kind == js.GetToken || t.kind == js.SetToken || t.kind == js.AsyncToken) && keyBegins(after.kind) && !after.newline:
			async = async || t.kind == js.AsyncToken
		default:
			return async
		}
		p.next()
	}
}

func keyBegins(kind js.TokenType) bool {
	return js.IsIdentifierName(kind) || js.IsNumeric(kind) || kind == js.StringToken || kind == js.OpenBracketToken ||
		kind == js.PrivateIdentifierToken || kind == js.MulToken
}

// key reads the key of a property or a class member into n; an expression in
// brackets is returned as its second kid.
func (p *parser) key(n *Node) []*Node {
	t := p.toks[p.i]
	switch {
	case t.kind == js.OpenBracketToken:
		p.next()
		at := p.inside()
		p.expect(js.CloseBracketToken)
		if at.Kind == String {
			n.Text = at.Text
			return nil
		}
		n.Computed = true
		return []*Node{at}
	case t.kind == js.StringToken:
		s := p.textual()
		n.Text, n.Lossy = s.Text, s.Lossy
	case js.IsIdentifierName(t.kind), js.IsNumeric(t.kind), t.kind == js.PrivateIdentifierToken:
		p.next()
		n.Text = p.name(t)
	default:
		p.fail("a key was expected here")
	}
	return nil
}
