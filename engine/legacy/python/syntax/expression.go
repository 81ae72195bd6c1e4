package syntax

// enter counts a level of nesting, which the caller takes back on its way out.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail("expressions are nested too deep")
	}
}

// expressions reads one expression, or a tuple without parentheses. With star,
// starred items, yield and walrus may stand there.
func (p *parser) expressions(star bool) Expr {
	start := p.start()
	if star && p.isWord("yield") {
		return p.yield()
	}
	x := p.item(star)
	if !p.isOp(opComma) {
		return x
	}
	items := []Expr{x}
	for p.acceptOp(opComma) {
		if p.ends() {
			break
		}
		items = append(items, p.item(star))
	}
	return &Sequence{Span: p.from(start), Open: '(', Items: items}
}

// ends tells whether no expression can begin here.
func (p *parser) ends() bool {
	t := &p.tokens[p.i]
	switch t.kind {
	case opToken:
		switch t.op {
		case opRightParen, opRightBracket, opRightBrace, opColon, opAssign, opSemicolon, opComma:
			return true
		}
		_, augmented := t.op.augmented()
		return augmented
	case nameToken:
		switch p.word() {
		case "in", "for", "if", "else", "as", "is", "and", "or", "from":
			return true
		}
		return false
	case numberToken, stringToken:
		return false
	}
	return true
}

func (p *parser) item(star bool) Expr {
	if p.isOp(opStar) {
		start := p.start()
		p.i++
		x := p.binary(0)
		return &Star{Span: p.from(start), X: x}
	}
	if star {
		return p.named()
	}
	return p.expression()
}

func (p *parser) yield() Expr {
	start := p.start()
	p.expectWord("yield")
	y := &Yield{}
	if p.acceptWord("from") {
		y.From = true
		y.X = p.expression()
	} else if !p.ends() {
		y.X = p.expressions(true)
	}
	y.Span = p.from(start)
	return y
}

// named reads an expression that may be "name := expression".
func (p *parser) named() Expr {
	start := p.start()
	x := p.expression()
	if !p.isOp(opWalrus) {
		return x
	}
	n, ok := x.(*Name)
	if !ok {
		p.unexpected()
	}
	p.i++
	v := p.expression()
	return &Walrus{Span: p.from(start), Target: n, X: v}
}

func (p *parser) expression() Expr {
	p.enter()
	defer func() { p.depth-- }()
	start := p.start()
	if p.isWord("lambda") {
		return p.lambda()
	}
	x := p.or()
	if !p.isWord("if") {
		return x
	}
	p.i++
	c := &If{Then: x}
	c.Cond = p.or()
	p.expectWord("else")
	c.Else = p.expression()
	c.Span = p.from(start)
	return c
}

func (p *parser) lambda() Expr {
	start := p.start()
	p.expectWord("lambda")
	l := &Lambda{Params: p.params(opColon, false)}
	p.expectOp(opColon)
	l.Body = p.expression()
	l.Span = p.from(start)
	return l
}

func (p *parser) or() Expr  { return p.chain("or", p.and) }
func (p *parser) and() Expr { return p.chain("and", p.not) }

func (p *parser) chain(word string, operand func() Expr) Expr {
	start := p.start()
	x := operand()
	if !p.isWord(word) {
		return x
	}
	b := &Bool{Op: word, Values: []Expr{x}}
	for p.acceptWord(word) {
		b.Values = append(b.Values, operand())
	}
	b.Span = p.from(start)
	return b
}

func (p *parser) not() Expr {
	if !p.isWord("not") {
		return p.comparison()
	}
	p.enter()
	defer func() { p.depth-- }()
	start := p.start()
	p.i++
	x := p.not()
	return &Unary{Span: p.from(start), Op: "not", X: x}
}

func (p *parser) comparison() Expr {
	start := p.start()
	left := p.binary(0)
	var c *Compare
	for {
		o := p.comparator()
		if o == "" {
			break
		}
		if c == nil {
			c = &Compare{Left: left}
		}
		c.Ops = append(c.Ops, o)
		c.Rights = append(c.Rights, p.binary(0))
	}
	if c == nil {
		return left
	}
	c.Span = p.from(start)
	return c
}

// comparator reads a comparison operator, or gives "".
func (p *parser) comparator() string {
	t := &p.tokens[p.i]
	switch t.kind {
	case opToken:
		switch t.op {
		case opEqual, opNotEqual, opLess, opGreater, opLessEqual, opGreaterEqual:
			p.i++
			return t.op.String()
		}
	case nameToken:
		switch p.word() {
		case "in":
			p.i++
			return "in"
		case "is":
			p.i++
			if p.acceptWord("not") {
				return "is not"
			}
			return "is"
		case "not":
			if n := p.tokens[p.i+1]; n.kind == nameToken && p.src[n.start:n.end] == "in" {
				p.i += 2
				return "not in"
			}
		}
	}
	return ""
}

// power is how tightly a binary operator binds; 0 is none.
func power(o op) int {
	switch o {
	case opPipe:
		return 1
	case opCaret:
		return 2
	case opAmpersand:
		return 3
	case opShiftLeft, opShiftRight:
		return 4
	case opPlus, opMinus:
		return 5
	case opStar, opSlash, opFloorDivide, opPercent, opAt:
		return 6
	}
	return 0
}

// binary reads operators that bind tighter than least.
func (p *parser) binary(least int) Expr {
	start := p.start()
	left := p.unary()
	for n := 0; ; n++ {
		t := p.tokens[p.i]
		if t.kind != opToken {
			return left
		}
		strength := power(t.op)
		if strength <= least {
			return left
		}
		if n > maxChain {
			p.fail("an expression is too long a chain")
		}
		p.i++
		right := p.binary(strength)
		left = &Binary{Span: p.from(start), Left: left, Op: t.op.String(), Right: right}
	}
}

func (p *parser) unary() Expr {
	t := p.tokens[p.i]
	if t.kind == opToken && (t.op == opMinus || t.op == opPlus || t.op == opTilde) {
		p.enter()
		defer func() { p.depth-- }()
		p.i++
		x := p.unary()
		return &Unary{Span: p.from(t.start), Op: t.op.String(), X: x}
	}
	x := p.postfix()
	if p.isOp(opPower) {
		p.enter()
		defer func() { p.depth-- }()
		p.i++
		right := p.unary()
		return &Binary{Span: p.from(t.start), Left: x, Op: "**", Right: right}
	}
	return x
}

func (p *parser) postfix() Expr {
	start := p.start()
	if p.isWord("await") {
		p.enter()
		defer func() { p.depth-- }()
		p.i++
		x := p.postfix()
		return &Await{Span: p.from(start), X: x}
	}
	x := p.atom()
	for n := 0; ; n++ {
		if n > maxChain {
			p.fail("an expression is too long a chain")
		}
		switch {
		case p.acceptOp(opDot):
			w := p.word()
			if w == "" {
				p.unexpected()
			}
			p.i++
			x = &Attribute{Span: p.from(start), X: x, Name: w}
		case p.isOp(opLeftParen):
			args := p.arguments()
			x = &Call{Span: p.from(start), Func: x, Args: args}
		case p.acceptOp(opLeftBracket):
			index := p.index()
			p.expectOp(opRightBracket)
			x = &Subscript{Span: p.from(start), X: x, Index: index}
		default:
			return x
		}
	}
}

func (p *parser) arguments() []Arg {
	p.enter()
	defer func() { p.depth-- }()
	p.expectOp(opLeftParen)
	var args []Arg
	for !p.isOp(opRightParen) {
		switch t := p.tokens[p.i]; {
		case p.acceptOp(opStar):
			args = append(args, Arg{Name: "*", X: p.expression()})
		case p.acceptOp(opPower):
			args = append(args, Arg{Name: "**", X: p.expression()})
		case t.kind == nameToken && p.tokens[p.i+1].kind == opToken && p.tokens[p.i+1].op == opAssign:
			w := p.name()
			p.i++
			args = append(args, Arg{Name: w, X: p.expression()})
		default:
			start := p.start()
			x := p.named()
			if p.isWord("for") || p.isWord("async") {
				x = p.comprehension(start, '(', nil, x)
			}
			args = append(args, Arg{X: x})
		}
		if !p.acceptOp(opComma) {
			break
		}
	}
	p.expectOp(opRightParen)
	return args
}

func (p *parser) index() Expr {
	p.enter()
	defer func() { p.depth-- }()
	start := p.start()
	x := p.slice()
	if !p.isOp(opComma) {
		return x
	}
	items := []Expr{x}
	for p.acceptOp(opComma) {
		if p.isOp(opRightBracket) {
			break
		}
		items = append(items, p.slice())
	}
	return &Sequence{Span: p.from(start), Open: '(', Items: items}
}

func (p *parser) slice() Expr {
	start := p.start()
	var low Expr
	if !p.isOp(opColon) {
		low = p.item(true)
		if !p.isOp(opColon) {
			return low
		}
	}
	p.i++
	s := &Slice{Low: low}
	part := func() Expr {
		if p.isOp(opColon) || p.isOp(opRightBracket) || p.isOp(opComma) {
			return nil
		}
		return p.expression()
	}
	s.High = part()
	if p.acceptOp(opColon) {
		s.Step = part()
	}
	s.Span = p.from(start)
	return s
}

func (p *parser) atom() Expr {
	t := p.tokens[p.i]
	span := Span{t.start, t.end}
	switch t.kind {
	case nameToken:
		w := p.src[t.start:t.end]
		switch w {
		case "True", "False", "None":
			p.i++
			return &Keyword{span, w}
		}
		return &Name{span, func() string { p.name(); return w }()}
	case numberToken:
		p.i++
		return &Number{span, p.src[t.start:t.end]}
	case stringToken:
		return p.strings()
	case opToken:
		switch t.op {
		case opEllipsis:
			p.i++
			return &Keyword{span, "..."}
		case opLeftParen:
			return p.parenthesised()
		case opLeftBracket:
			return p.list()
		case opLeftBrace:
			return p.braces()
		}
	}
	p.unexpected()
	return nil
}
