package syntax

// simple reads a statement that has no block.
func (p *parser) simple() Stmt {
	start := p.start()
	switch w := p.word(); w {
	case "pass", "break", "continue":
		p.i++
		return &Plain{p.from(start)}
	case "del", "global", "nonlocal":
		p.i++
		p.expressions(false)
		return &Plain{p.from(start)}
	case "return":
		p.i++
		s := &Return{}
		if !p.lineEnds() {
			s.X = p.expressions(true)
		}
		s.Span = p.from(start)
		return s
	case "raise":
		p.i++
		s := &Raise{}
		if !p.lineEnds() {
			s.X = p.expression()
			if p.acceptWord("from") {
				p.expression()
			}
		}
		s.Span = p.from(start)
		return s
	case "assert":
		p.i++
		s := &Assert{Cond: p.named()}
		if p.acceptOp(opComma) {
			s.Message = p.expression()
		}
		s.Span = p.from(start)
		return s
	case "import":
		p.i++
		s := &Import{Names: p.aliases(true)}
		s.Span = p.from(start)
		return s
	case "from":
		return p.importFrom(start)
	case "type":
		if n := p.tokens[p.i+1]; n.kind == nameToken && !reserved(p.src[n.start:n.end]) {
			p.i += 2
			p.typeParams()
			p.expectOp(opAssign)
			p.expression()
			return &Plain{p.from(start)}
		}
	}
	return p.assignment(start)
}

func (p *parser) lineEnds() bool {
	k := p.tokens[p.i].kind
	return k == newlineToken || k == endToken || p.isOp(opSemicolon)
}

func (p *parser) assignment(start int) Stmt {
	x := p.expressions(true)
	t := p.tokens[p.i]
	if t.kind != opToken {
		return &ExprStmt{p.from(start), x}
	}
	if o, ok := t.op.augmented(); ok {
		p.i++
		value := p.expressions(true)
		return &Augment{Span: p.from(start), Target: x, Op: o.String(), Value: value}
	}
	switch t.op {
	case opColon:
		p.i++
		p.expression()
		s := &Assign{Targets: []Expr{x}}
		if p.acceptOp(opAssign) {
			s.Value = p.expressions(true)
		}
		s.Span = p.from(start)
		return s
	case opAssign:
		s := &Assign{Targets: []Expr{x}}
		for p.acceptOp(opAssign) {
			s.Targets = append(s.Targets, p.expressions(true))
		}
		last := len(s.Targets) - 1
		s.Targets, s.Value = s.Targets[:last], s.Targets[last]
		s.Span = p.from(start)
		return s
	}
	return &ExprStmt{p.from(start), x}
}

func (p *parser) importFrom(start int) Stmt {
	p.expectWord("from")
	s := &Import{From: true}
	for {
		if p.acceptOp(opDot) {
			s.Level++
		} else if p.acceptOp(opEllipsis) {
			s.Level += 3
		} else {
			break
		}
	}
	if !p.isWord("import") {
		s.Module = p.dotted()
	}
	p.expectWord("import")
	switch {
	case p.acceptOp(opStar):
		s.Names = []Alias{{"*", "*"}}
	case p.acceptOp(opLeftParen):
		s.Names = p.aliases(false)
		p.expectOp(opRightParen)
	default:
		s.Names = p.aliases(false)
	}
	s.Span = p.from(start)
	return s
}

func (p *parser) dotted() string {
	name := p.name()
	for p.acceptOp(opDot) {
		name += "." + p.name()
	}
	return name
}

func (p *parser) aliases(dotted bool) []Alias {
	var names []Alias
	for !p.isOp(opRightParen) {
		var a Alias
		if dotted {
			a.Name = p.dotted()
		} else {
			a.Name = p.name()
		}
		a.As = a.Name
		if p.acceptWord("as") {
			a.As = p.name()
		}
		names = append(names, a)
		if !p.acceptOp(opComma) {
			break
		}
	}
	return names
}
