package syntax

import (
	"github.com/tdewolff/parse/v2/js"
)

// imports reads an import; one of types alone names nothing.
func (p *parser) imports() *Node {
	start := p.next().start
	n := &Node{Kind: Import, Start: start}
	types := false
	if t, after := p.toks[p.i], p.ahead(1); p.word(t, "type") && after.kind != js.FromToken && after.kind != js.CommaToken && after.kind != js.EqToken {
		types = true
		p.next()
	}
	add := func(t token, name string) {
		if !types {
			n.Kids = append(n.Kids, &Node{Kind: ImportName, Start: t.start, End: t.end, Text: p.name(t), Op: name})
		}
	}
	if t := p.toks[p.i]; js.IsIdentifier(t.kind) {
		p.next()
		add(t, "default")
		if p.accept(js.EqToken) { // import x = require("y")
			value := p.assignment()
			if args := value.Args(); len(args) == 1 {
				n.Text = args[0].Text
			}
			p.semicolon()
			n.End = p.last()
			return n
		}
		p.accept(js.CommaToken)
	}
	if p.accept(js.MulToken) {
		p.expect(js.AsToken)
		add(p.next(), "*")
	}
	if p.kind() == js.OpenBraceToken {
		for _, pair := range p.specifiers() {
			if pair.types {
				continue
			}
			add(pair.local, p.moduleName(pair.name))
		}
	}
	p.accept(js.FromToken)
	if p.kind() != js.StringToken {
		p.fail("the name of a module was expected here")
	}
	n.Text = p.textual().Text
	if t := p.toks[p.i]; (t.kind == js.WithToken || p.word(t, "assert")) && !t.newline && p.ahead(1).kind == js.OpenBraceToken {
		p.next()
		p.object()
	}
	p.semicolon()
	n.End = p.last()
	return n
}

type specifier struct {
	name, local token
	types       bool
}

// specifiers reads { a, b as c, type D }.
func (p *parser) specifiers() []specifier {
	p.expect(js.OpenBraceToken)
	var list []specifier
	for p.kind() != js.CloseBraceToken {
		s := specifier{}
		if k := p.ahead(1).kind; p.word(p.toks[p.i], "type") && (js.IsIdentifierName(k) || k == js.StringToken) && k != js.AsToken {
			s.types = true
			p.next()
		}
		s.name = p.next()
		if !js.IsIdentifierName(s.name.kind) && s.name.kind != js.StringToken {
			p.fail("a name was expected in the list")
		}
		s.local = s.name
		if p.accept(js.AsToken) {
			s.local = p.next()
		}
		list = append(list, s)
		if p.kind() != js.CloseBraceToken {
			p.expect(js.CommaToken)
		}
	}
	p.next()
	return list
}

func (p *parser) moduleName(t token) string {
	if t.kind == js.StringToken {
		s, _ := unquote(p.source[t.start+1 : t.end-1])
		return s
	}
	return p.name(t)
}

// exports reads an export. A list of names keeps them as ImportName: Text is
// the name outside, Op the one inside.
func (p *parser) exports() *Node {
	start := p.next().start
	n := &Node{Kind: Export, Start: start}
	switch {
	case p.accept(js.DefaultToken):
		n.Op = "default"
		switch t := p.toks[p.i]; {
		case t.kind == js.FunctionToken, t.kind == js.AsyncToken && p.ahead(1).kind == js.FunctionToken:
			n.Kids = []*Node{p.function(true)}
		case t.kind == js.ClassToken, t.kind == atToken, p.word(t, "abstract") && p.ahead(1).kind == js.ClassToken:
			n.Kids = []*Node{p.class()}
		case t.kind == js.InterfaceToken && js.IsIdentifier(p.ahead(1).kind):
			p.statement()
		default:
			n.Kids = []*Node{p.assignment()}
			p.semicolon()
		}
	case p.accept(js.MulToken):
		if p.accept(js.AsToken) {
			p.next()
		}
		p.expect(js.FromToken)
		n.Op, n.Text = "from", p.textual().Text
		p.semicolon()
	case p.kind() == js.EqToken: // export = x
		p.next()
		n.Op = "default"
		n.Kids = []*Node{p.expression()}
		p.semicolon()
	case p.kind() == js.OpenBraceToken, p.word(p.toks[p.i], "type") && p.ahead(1).kind == js.OpenBraceToken:
		types := p.kind() != js.OpenBraceToken
		if types {
			p.next()
		}
		for _, s := range p.specifiers() {
			if !types && !s.types {
				n.Kids = append(n.Kids, &Node{Kind: ImportName, Start: s.name.start, End: s.local.end, Text: p.moduleName(s.local), Op: p.moduleName(s.name)})
			}
		}
		if p.accept(js.FromToken) {
			n.Op, n.Text = "from", p.textual().Text
		}
		p.semicolon()
	case p.kind() == js.ImportToken: // export import x = y
		return p.imports()
	case p.word(p.toks[p.i], "as"): // export as namespace x
		for !p.toks[p.i].newline && p.kind() != js.SemicolonToken {
			p.next()
		}
		return nil
	default:
		if s := p.statement(); s != nil {
			n.Kids = []*Node{s}
		}
	}
	n.End = p.last()
	return n
}
