package syntax

import (
	"github.com/tdewolff/parse/v2/js"
)

// statement reads one statement; nil for what is only a type or a bare
// semicolon.
func (p *parser) statement() *Node {
	defer p.deeper()()
	t := p.toks[p.i]
	switch t.kind {
	case js.SemicolonToken:
		p.next()
		return nil
	case js.OpenBraceToken:
		return p.block()
	case js.VarToken, js.ConstToken, js.LetToken:
		if t.kind == js.ConstToken && p.ahead(1).kind == js.EnumToken {
			p.next()
			return p.enum()
		}
		if t.kind == js.LetToken && !patternBegins(p.ahead(1).kind) {
			break
		}
		n := p.variables()
		p.semicolon()
		return n
	case js.FunctionToken:
		return p.function(true)
	case js.AsyncToken:
		if after := p.ahead(1); after.kind == js.FunctionToken && !after.newline {
			return p.function(true)
		}
	case js.ClassToken, atToken:
		return p.class()
	case js.IfToken:
		p.next()
		test := p.parenthesised()
		yes, no := p.body(), p.empty()
		if p.accept(js.ElseToken) {
			no = p.body()
		}
		return p.node(If, t.start, test, yes, no)
	case js.ForToken:
		return p.loop()
	case js.WhileToken, js.WithToken:
		p.next()
		head := p.parenthesised()
		return p.node(Loop, t.start, head, p.body())
	case js.DoToken:
		p.next()
		body := p.body()
		p.expect(js.WhileToken)
		head := p.parenthesised()
		p.accept(js.SemicolonToken)
		return p.node(Loop, t.start, head, body)
	case js.SwitchToken:
		return p.choice()
	case js.TryToken:
		return p.try()
	case js.ReturnToken, js.ThrowToken:
		p.next()
		kind := Return
		if t.kind == js.ThrowToken {
			kind = Throw
		}
		value := p.empty()
		if after := p.toks[p.i]; !after.newline && !closes(after.kind) {
			value = p.expression()
		}
		p.semicolon()
		return p.node(kind, t.start, value)
	case js.BreakToken, js.ContinueToken, js.DebuggerToken:
		p.next()
		if after := p.toks[p.i]; js.IsIdentifier(after.kind) && !after.newline {
			p.next()
		}
		p.semicolon()
		return nil
	case js.ImportToken:
		if k := p.ahead(1).kind; k != js.OpenParenToken && k != js.DotToken {
			return p.imports()
		}
	case js.ExportToken:
		return p.exports()
	case js.EnumToken:
		return p.enum()
	}
	if n, ok := p.declaration(); ok {
		return n
	}
	if js.IsIdentifier(t.kind) && p.ahead(1).kind == js.ColonToken {
		p.next()
		p.next()
		return p.statement()
	}
	n := p.node(ExprStmt, t.start, p.expression())
	n.End = p.last()
	p.semicolon()
	return n
}

func patternBegins(kind js.TokenType) bool {
	return js.IsIdentifier(kind) || kind == js.OpenBraceToken || kind == js.OpenBracketToken || kind == js.AwaitToken || kind == js.YieldToken
}

// declaration reads what only TypeScript has: interfaces, types, namespaces,
// abstract classes, declare, and `using`.
func (p *parser) declaration() (n *Node, ok bool) {
	t, after := p.toks[p.i], p.ahead(1)
	named := js.IsIdentifier(after.kind) && !after.newline
	switch {
	case t.kind == js.InterfaceToken && named:
		p.next()
		p.next()
		p.skipTypeParameters()
		if p.accept(js.ExtendsToken) {
			for {
				// The members of an interface look like the next piece of a type, so that a
				// name with arguments is passed over here, and not a type.
				p.suffixes(p.primary(), false)
				if to := p.typeArguments(p.i); to > 0 {
					p.i = to
				}
				if !p.accept(js.CommaToken) {
					break
				}
			}
		}
		p.i = p.expect(js.OpenBraceToken).match
		p.expect(js.CloseBraceToken)
		return nil, true
	case p.word(t, "type") && named:
		if k := p.ahead(2).kind; k != js.EqToken && k != js.LtToken {
			return nil, false
		}
		p.next()
		p.next()
		p.skipTypeParameters()
		p.expect(js.EqToken)
		p.skipType()
		p.semicolon()
		return nil, true
	case (p.word(t, "namespace") || p.word(t, "module")) && (named || after.kind == js.StringToken && !after.newline), p.word(t, "global") && after.kind == js.OpenBraceToken:
		if p.next(); p.kind() != js.OpenBraceToken {
			p.suffixes(p.primary(), false)
		}
		if p.kind() == js.OpenBraceToken {
			return p.block(), true
		}
		p.semicolon()
		return nil, true
	case p.word(t, "abstract") && after.kind == js.ClassToken:
		return p.class(), true
	case p.word(t, "declare") && !after.newline && js.IsIdentifierName(after.kind) && after.kind != js.InToken && after.kind != js.InstanceofToken:
		p.next()
		p.statement()
		return nil, true
	case p.word(t, "using") && named:
		n := p.variables()
		p.semicolon()
		return n, true
	}
	return nil, false
}

// block reads statements in braces, up to the brace that closes them, whatever
// of them can be read.
func (p *parser) block() *Node {
	open := p.expect(js.OpenBraceToken)
	noIn := p.noIn
	p.noIn = false
	list := p.statements(open.match)
	p.noIn = noIn
	p.accept(js.CloseBraceToken)
	return p.node(Block, open.start, list...)
}

// body reads the statement of an if or a loop.
func (p *parser) body() *Node {
	if n := p.statement(); n != nil {
		return n
	}
	return p.empty()
}

func (p *parser) parenthesised() *Node {
	p.expect(js.OpenParenToken)
	n := p.inside()
	p.expect(js.CloseParenToken)
	return n
}

// variables reads const, let, var or using, and what it declares.
func (p *parser) variables() *Node {
	t := p.next()
	n := &Node{Kind: Var, Start: t.start, Op: p.text(t)}
	for {
		start := p.toks[p.i].start
		target := p.pattern()
		p.annotation()
		value := p.empty()
		if p.accept(js.EqToken) {
			value = p.assignment()
		}
		n.Kids = append(n.Kids, p.node(Declarator, start, target, value))
		if !p.accept(js.CommaToken) {
			n.End = p.last()
			return n
		}
	}
}

func (p *parser) loop() *Node {
	start := p.next().start
	p.accept(js.AwaitToken)
	p.expect(js.OpenParenToken)
	noIn := p.noIn
	p.noIn = true
	first := p.empty()
	switch t := p.toks[p.i]; {
	case t.kind == js.SemicolonToken:
	case t.kind == js.VarToken, t.kind == js.ConstToken, t.kind == js.LetToken && patternBegins(p.ahead(1).kind), p.word(t, "using") && js.IsIdentifier(p.ahead(1).kind):
		first = p.variables()
	default:
		first = p.expression()
	}
	p.noIn = false
	if t := p.toks[p.i]; t.kind == js.OfToken || t.kind == js.InToken {
		p.next()
		through := p.expression()
		p.expect(js.CloseParenToken)
		p.noIn = noIn
		n := p.node(ForOf, start, first, through, p.body())
		n.Op, n.End = p.text(t), p.last()
		return n
	}
	kids := []*Node{first}
	for range 2 {
		if p.kind() != js.CloseParenToken {
			p.expect(js.SemicolonToken)
		}
		if k := p.kind(); k != js.SemicolonToken && k != js.CloseParenToken {
			kids = append(kids, p.expression())
		}
	}
	p.expect(js.CloseParenToken)
	p.noIn = noIn
	kids = append(kids, p.body())
	return p.node(Loop, start, kids...)
}

func (p *parser) choice() *Node {
	start := p.next().start
	n := &Node{Kind: Switch, Start: start, Kids: []*Node{p.parenthesised()}}
	end := p.expect(js.OpenBraceToken).match
	for p.i < end {
		switch {
		case p.accept(js.CaseToken):
			n.Kids = append(n.Kids, p.expression())
			p.expect(js.ColonToken)
		case p.accept(js.DefaultToken):
			p.expect(js.ColonToken)
		default:
			if s := p.statement(); s != nil {
				n.Kids = append(n.Kids, s)
			}
		}
	}
	p.expect(js.CloseBraceToken)
	n.End = p.last()
	return n
}

func (p *parser) try() *Node {
	start := p.next().start
	block, handler, finalizer := p.block(), p.empty(), p.empty()
	if p.accept(js.CatchToken) {
		if p.accept(js.OpenParenToken) {
			p.pattern()
			p.annotation()
			p.expect(js.CloseParenToken)
		}
		handler = p.block()
	}
	if p.accept(js.FinallyToken) {
		finalizer = p.block()
	}
	return p.node(Try, start, block, handler, finalizer)
}

func (p *parser) enum() *Node {
	start := p.expect(js.EnumToken).start
	n := &Node{Kind: Enum, Start: start, Text: p.name(p.next())}
	p.expect(js.OpenBraceToken)
	for p.kind() != js.CloseBraceToken {
		m := &Node{Kind: Property, Start: p.toks[p.i].start}
		key := p.key(m)
		value := p.empty()
		if p.accept(js.EqToken) {
			value = p.assignment()
		}
		m.Kids = append([]*Node{value}, key...)
		m.End = p.last()
		n.Kids = append(n.Kids, m)
		if p.kind() != js.CloseBraceToken {
			p.expect(js.CommaToken)
		}
	}
	p.next()
	n.End = p.last()
	return n
}
