package syntax

// parenthesised reads (), (x), (x, y), (yield) or a generator.
func (p *parser) parenthesised() Expr {
	p.enter()
	defer func() { p.depth-- }()
	start := p.start()
	p.expectOp(opLeftParen)
	if p.acceptOp(opRightParen) {
		return &Sequence{Span: p.from(start), Open: '('}
	}
	if p.isWord("yield") {
		x := p.yield()
		p.expectOp(opRightParen)
		return x
	}
	x := p.item(true)
	if p.isWord("for") || p.isWord("async") {
		x = p.comprehension(start, '(', nil, x)
		p.expectOp(opRightParen)
		return x
	}
	if !p.isOp(opComma) {
		p.expectOp(opRightParen)
		return x
	}
	items := p.items(x, opRightParen)
	return &Sequence{Span: p.from(start), Open: '(', Items: items}
}

// items reads what follows the first item, and the bracket that closes.
func (p *parser) items(first Expr, close op) []Expr {
	items := []Expr{first}
	for p.acceptOp(opComma) {
		if p.isOp(close) {
			break
		}
		items = append(items, p.item(true))
	}
	p.expectOp(close)
	return items
}

func (p *parser) list() Expr {
	p.enter()
	defer func() { p.depth-- }()
	start := p.start()
	p.expectOp(opLeftBracket)
	if p.acceptOp(opRightBracket) {
		return &Sequence{Span: p.from(start), Open: '['}
	}
	x := p.item(true)
	if p.isWord("for") || p.isWord("async") {
		c := p.comprehension(start, '[', nil, x)
		p.expectOp(opRightBracket)
		c.End = p.from(start).End
		return c
	}
	items := p.items(x, opRightBracket)
	return &Sequence{Span: p.from(start), Open: '[', Items: items}
}

// braces reads a dict, a set, or a comprehension of one.
func (p *parser) braces() Expr {
	p.enter()
	defer func() { p.depth-- }()
	start := p.start()
	p.expectOp(opLeftBrace)
	d := &Dict{}
	for !p.isOp(opRightBrace) {
		var key, value Expr
		if p.acceptOp(opPower) {
			value = p.binary(0)
		} else {
			key = p.item(true)
			if !p.isOp(opColon) && len(d.Values) == 0 {
				return p.set(start, key)
			}
			p.expectOp(opColon)
			value = p.expression()
			if len(d.Values) == 0 && (p.isWord("for") || p.isWord("async")) {
				c := p.comprehension(start, '{', key, value)
				p.expectOp(opRightBrace)
				c.End = p.from(start).End
				return c
			}
		}
		d.Keys = append(d.Keys, key)
		d.Values = append(d.Values, value)
		if !p.acceptOp(opComma) {
			break
		}
	}
	p.expectOp(opRightBrace)
	d.Span = p.from(start)
	return d
}

func (p *parser) set(start int, first Expr) Expr {
	if p.isWord("for") || p.isWord("async") {
		c := p.comprehension(start, '{', nil, first)
		p.expectOp(opRightBrace)
		c.End = p.from(start).End
		return c
	}
	items := p.items(first, opRightBrace)
	return &Sequence{Span: p.from(start), Open: '{', Items: items}
}

func (p *parser) comprehension(start int, open byte, key, value Expr) *Comprehension {
	c := &Comprehension{Open: open, Key: key, Value: value}
	for p.isWord("for") || p.isWord("async") {
		p.acceptWord("async")
		p.expectWord("for")
		clause := Clause{Target: p.targets()}
		p.expectWord("in")
		clause.Iter = p.or()
		for p.acceptWord("if") {
			clause.Conds = append(clause.Conds, p.condition())
		}
		c.Clauses = append(c.Clauses, clause)
	}
	c.Span = p.from(start)
	return c
}

// condition reads a condition of a comprehension, which ends before "if".
func (p *parser) condition() Expr {
	start := p.start()
	if p.isWord("lambda") {
		return p.lambda()
	}
	x := p.or()
	if n, ok := x.(*Name); ok && p.acceptOp(opWalrus) {
		return &Walrus{Span: p.from(start), Target: n, X: p.or()}
	}
	return x
}

// targets reads what a for binds: names, places and tuples of them.
func (p *parser) targets() Expr {
	start := p.start()
	one := func() Expr {
		s := p.start()
		if p.acceptOp(opStar) {
			x := p.postfix()
			return &Star{Span: p.from(s), X: x}
		}
		return p.postfix()
	}
	x := one()
	if !p.isOp(opComma) {
		return x
	}
	items := []Expr{x}
	for p.acceptOp(opComma) {
		if p.isWord("in") || p.isOp(opAssign) {
			break
		}
		items = append(items, one())
	}
	return &Sequence{Span: p.from(start), Open: '(', Items: items}
}

// params reads parameters up to the operator that closes them, which stays.
func (p *parser) params(close op, annotated bool) []Param {
	var params []Param
	for !p.isOp(close) {
		var q Param
		switch {
		case p.acceptOp(opSlash):
			if !p.acceptOp(opComma) {
				return params
			}
			continue
		case p.acceptOp(opPower):
			q.Star = "**"
		case p.acceptOp(opStar):
			q.Star = "*"
			if p.acceptOp(opComma) {
				continue
			}
		}
		q.Name = p.name()
		if annotated && p.acceptOp(opColon) {
			p.item(false)
		}
		if p.acceptOp(opAssign) {
			q.Default = p.expression()
		}
		params = append(params, q)
		if !p.acceptOp(opComma) {
			break
		}
	}
	return params
}
