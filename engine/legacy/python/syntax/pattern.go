package syntax

// patterns reads the pattern of a case, as an expression.
func (p *parser) patterns() Expr {
	start := p.start()
	x := p.pattern()
	if !p.isOp(opComma) {
		return x
	}
	items := []Expr{x}
	for p.acceptOp(opComma) {
		if p.isOp(opColon) || p.isWord("if") {
			break
		}
		items = append(items, p.pattern())
	}
	return &Sequence{Span: p.from(start), Open: '(', Items: items}
}

// pattern reads alternatives, and the name that "as" gives them.
func (p *parser) pattern() Expr {
	p.enter()
	defer func() { p.depth-- }()
	start := p.start()
	if p.acceptOp(opStar) {
		x := p.atom()
		return &Star{Span: p.from(start), X: x}
	}
	x := p.closedPattern()
	for n := 0; p.acceptOp(opPipe); n++ {
		if n > maxChain {
			p.fail("an expression is too long a chain")
		}
		right := p.closedPattern()
		x = &Binary{Span: p.from(start), Left: x, Op: "|", Right: right}
	}
	if p.acceptWord("as") {
		at := p.start()
		name := &Name{ID: p.name()}
		name.Span = p.from(at)
		return &Walrus{Span: p.from(start), Target: name, X: x}
	}
	return x
}

// closedPattern reads a pattern without alternatives.
func (p *parser) closedPattern() Expr {
	start := p.start()
	switch {
	case p.acceptOp(opLeftBracket):
		return p.patternItems(start, opRightBracket, '[')
	case p.acceptOp(opLeftParen):
		return p.patternItems(start, opRightParen, '(')
	case p.acceptOp(opLeftBrace):
		d := &Dict{}
		for !p.isOp(opRightBrace) {
			if p.acceptOp(opPower) {
				d.Keys, d.Values = append(d.Keys, nil), append(d.Values, p.atom())
			} else {
				key := p.binary(1)
				p.expectOp(opColon)
				d.Keys, d.Values = append(d.Keys, key), append(d.Values, p.pattern())
			}
			if !p.acceptOp(opComma) {
				break
			}
		}
		p.expectOp(opRightBrace)
		d.Span = p.from(start)
		return d
	}
	if p.tokens[p.i].kind != nameToken {
		return p.binary(1) // a number, a string
	}
	x := p.atom()
	for n := 0; p.acceptOp(opDot); n++ {
		if n > maxChain {
			p.fail("an expression is too long a chain")
		}
		x = &Attribute{X: x, Name: p.name(), Span: p.from(start)}
	}
	if !p.acceptOp(opLeftParen) {
		return x
	}
	c := &Call{Func: x}
	for !p.isOp(opRightParen) {
		var a Arg
		if n := p.tokens[p.i+1]; n.kind == opToken && n.op == opAssign {
			a.Name = p.name()
			p.i++
		}
		a.X = p.pattern()
		c.Args = append(c.Args, a)
		if !p.acceptOp(opComma) {
			break
		}
	}
	p.expectOp(opRightParen)
	c.Span = p.from(start)
	return c
}

func (p *parser) patternItems(start int, close op, open byte) Expr {
	s := &Sequence{Open: open}
	comma := false
	for !p.isOp(close) {
		s.Items = append(s.Items, p.pattern())
		if !p.acceptOp(opComma) {
			break
		}
		comma = true
	}
	p.expectOp(close)
	if open == '(' && len(s.Items) == 1 && !comma {
		return s.Items[0]
	}
	s.Span = p.from(start)
	return s
}
