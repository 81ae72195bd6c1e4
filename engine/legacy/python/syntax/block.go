package syntax

import "strings"

// statements reads statements to the end of the file or, within a block, to the
// dedent that ends it, which it reads too.
func (p *parser) statements(block bool) []Stmt {
	var body []Stmt
	for {
		switch p.tokens[p.i].kind {
		case endToken:
			return body
		case dedentToken:
			p.i++
			if block {
				return body
			}
		case newlineToken:
			p.i++
		case indentToken:
			start := p.start()
			p.problem(start, "the indentation fits no block around it")
			p.i++
			body = append(body, p.nested()...)
		default:
			body = p.statement(body)
		}
	}
}

// nested reads a block whose indent was read. The lexer holds indents to a limit.
func (p *parser) nested() []Stmt { return p.statements(true) }

// statement reads one line's statements, or a compound one, and recovers where
// it cannot.
func (p *parser) statement(body []Stmt) (out []Stmt) {
	start, first, depth := p.start(), p.i, p.depth
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		e, ok := r.(syntaxError)
		if !ok {
			panic(r)
		}
		p.depth = depth
		p.problem(e.at, e.message)
		out = append(body, p.recovered(start, first))
	}()
	if s := p.compound(); s != nil {
		return append(body, s)
	}
	for {
		// Each statement joins the ones before at once, so that a bad one on the
		// same line does not take them with it.
		body = append(body, p.simple())
		if !p.acceptOp(opSemicolon) {
			break
		}
		if p.tokens[p.i].kind == newlineToken {
			break
		}
	}
	switch p.tokens[p.i].kind {
	case newlineToken:
		p.i++
	case endToken:
	default:
		p.unexpected()
	}
	return body
}

// recovered passes over the rest of the line and keeps the block below it.
func (p *parser) recovered(start, first int) Stmt {
	if p.i == first {
		p.i++
	}
	for {
		switch p.tokens[p.i].kind {
		case newlineToken:
			p.i++
			b := &Bad{Span: p.from(start)}
			if p.tokens[p.i].kind == indentToken {
				p.i++
				b.Body = p.nested()
				b.Span = p.from(start)
			}
			return p.salvaged(b, first)
		case endToken, dedentToken, indentToken:
			return &Bad{Span: p.from(start)}
		}
		p.i++
	}
}

// salvaged keeps a function or class whose head was broken after its name.
func (p *parser) salvaged(b *Bad, first int) Stmt {
	word := func(i int) string {
		if i < len(p.tokens) && p.tokens[i].kind == nameToken {
			return p.src[p.tokens[i].start:p.tokens[i].end]
		}
		return ""
	}
	i := first
	async := word(i) == "async"
	if async {
		i++
	}
	name := word(i + 1)
	if name == "" || len(b.Body) == 0 {
		return b
	}
	switch word(i) {
	case "def":
		return &Def{Span: b.Span, Name: name, NameAt: p.tokens[i+1].start, Async: async, Body: b.Body}
	case "class":
		return &Class{Span: b.Span, Name: name, Body: b.Body}
	}
	return b
}

// block reads ":" and what stands behind it on the line, or below it.
func (p *parser) block() []Stmt {
	p.expectOp(opColon)
	if p.tokens[p.i].kind != newlineToken {
		p.enter()
		defer func() { p.depth-- }()
		return p.statement(nil)
	}
	p.i++
	if p.tokens[p.i].kind != indentToken {
		p.problem(p.start(), "a block was expected here")
		return nil
	}
	p.i++
	return p.nested()
}

// compound reads a statement that has blocks, or gives nil.
func (p *parser) compound() Stmt {
	start := p.start()
	if p.isOp(opAt) {
		return p.decorated(start)
	}
	switch p.word() {
	case "def":
		return p.def(start, nil, false)
	case "class":
		return p.class(start, nil)
	case "async":
		p.i++
		switch p.word() {
		case "def":
			return p.def(start, nil, true)
		case "for":
			return p.forStmt(start)
		case "with":
			return p.with(start)
		}
		p.unexpected()
	case "if":
		return p.ifStmt(start)
	case "for":
		return p.forStmt(start)
	case "while":
		p.i++
		w := &While{Cond: p.named()}
		w.Body = append(p.block(), p.elseBlock()...)
		w.Span = p.to(start)
		return w
	case "with":
		return p.with(start)
	case "try":
		return p.try(start)
	case "match":
		if p.isMatch() {
			return p.match(start)
		}
	}
	return nil
}

// to is the span from start to the last token that is no end of a line or block.
func (p *parser) to(start int) Span {
	for i := p.i - 1; i >= 0; i-- {
		switch p.tokens[i].kind {
		case newlineToken, dedentToken, indentToken:
			continue
		}
		return Span{start, max(start, p.tokens[i].end)}
	}
	return Span{start, start}
}

func (p *parser) elseBlock() []Stmt {
	if p.acceptWord("else") {
		return p.block()
	}
	return nil
}

func (p *parser) decorated(start int) Stmt {
	var decorators []Expr
	for p.acceptOp(opAt) {
		decorators = append(decorators, p.named())
		if p.tokens[p.i].kind != newlineToken {
			p.unexpected()
		}
		p.i++
	}
	async := p.acceptWord("async")
	switch p.word() {
	case "def":
		return p.def(start, decorators, async)
	case "class":
		return p.class(start, decorators)
	}
	p.fail("a function or class was expected below a decorator")
	return nil
}

func (p *parser) def(start int, decorators []Expr, async bool) Stmt {
	p.expectWord("def")
	d := &Def{Decorators: decorators, Async: async, NameAt: p.start()}
	d.Name = p.name()
	p.typeParams()
	p.expectOp(opLeftParen)
	d.Params = p.params(opRightParen, true)
	p.expectOp(opRightParen)
	if p.acceptOp(opArrow) {
		p.expression()
	}
	d.Body = p.block()
	d.Span = p.to(start)
	return d
}

// typeParams passes over [T, …] behind a name.
func (p *parser) typeParams() {
	if !p.isOp(opLeftBracket) {
		return
	}
	depth := 0
	for ; ; p.i++ {
		switch t := p.tokens[p.i]; {
		case t.kind == endToken || t.kind == newlineToken:
			p.unexpected()
		case t.kind == opToken && (t.op == opLeftBracket || t.op == opLeftParen || t.op == opLeftBrace):
			depth++
		case t.kind == opToken && (t.op == opRightBracket || t.op == opRightParen || t.op == opRightBrace):
			depth--
			if depth == 0 {
				p.i++
				return
			}
		}
	}
}

func (p *parser) class(start int, decorators []Expr) Stmt {
	p.expectWord("class")
	c := &Class{Decorators: decorators, Name: p.name()}
	p.typeParams()
	if p.isOp(opLeftParen) {
		c.Bases = p.arguments()
	}
	c.Body = p.block()
	c.Span = p.to(start)
	return c
}

func (p *parser) ifStmt(start int) Stmt {
	s := &IfStmt{}
	p.expectWord("if")
	for {
		s.Conds = append(s.Conds, p.named())
		s.Bodies = append(s.Bodies, p.block())
		if !p.acceptWord("elif") {
			break
		}
	}
	s.Else = p.elseBlock()
	s.Span = p.to(start)
	return s
}

func (p *parser) forStmt(start int) Stmt {
	p.expectWord("for")
	s := &For{Target: p.targets()}
	p.expectWord("in")
	s.Iter = p.expressions(true)
	s.Body = append(p.block(), p.elseBlock()...)
	s.Span = p.to(start)
	return s
}

func (p *parser) with(start int) Stmt {
	p.expectWord("with")
	s := &With{}
	item := func() {
		s.Items = append(s.Items, p.named())
		var target Expr
		if p.acceptWord("as") {
			target = p.withTarget()
		}
		s.Targets = append(s.Targets, target)
	}
	if p.isOp(opLeftParen) && p.withParentheses() {
		p.i++
		for !p.isOp(opRightParen) {
			item()
			if !p.acceptOp(opComma) {
				break
			}
		}
		p.expectOp(opRightParen)
	} else {
		item()
		for p.acceptOp(opComma) {
			item()
		}
	}
	s.Body = p.block()
	s.Span = p.to(start)
	return s
}

// withTarget reads what "as" binds: no tuple without brackets, since a comma
// ends the item.
func (p *parser) withTarget() Expr { return p.postfix() }

// withParentheses tells whether the parenthesis here holds the items of a with,
// and not the beginning of an expression: it closes right before the colon.
func (p *parser) withParentheses() bool {
	depth := 0
	items := false
	for i := p.i; ; i++ {
		t := p.tokens[i]
		switch t.kind {
		case endToken, newlineToken:
			return false
		case nameToken:
			items = items || depth == 1 && p.src[t.start:t.end] == "as"
		case opToken:
			switch t.op {
			case opLeftParen, opLeftBracket, opLeftBrace:
				depth++
			case opComma:
				items = items || depth == 1
			case opRightParen, opRightBracket, opRightBrace:
				depth--
				if depth == 0 {
					n := p.tokens[i+1]
					return items && n.kind == opToken && n.op == opColon
				}
			}
		}
	}
}

func (p *parser) try(start int) Stmt {
	p.expectWord("try")
	s := &Try{Body: p.block()}
	for p.acceptWord("except") {
		var h Handler
		p.acceptOp(opStar)
		if !p.isOp(opColon) {
			h.Type = p.expressions(false)
			if p.acceptWord("as") {
				h.Name = p.name()
			}
		}
		h.Body = p.block()
		s.Handlers = append(s.Handlers, h)
	}
	s.Else = p.elseBlock()
	if p.acceptWord("finally") {
		s.Finally = p.block()
	}
	s.Span = p.to(start)
	return s
}

// isMatch tells whether "match" here begins a statement: a line that ends with a
// colon, and below it a block that begins with "case".
func (p *parser) isMatch() bool {
	for i := p.i + 1; ; i++ {
		switch p.tokens[i].kind {
		case endToken:
			return false
		case newlineToken:
			last := p.tokens[i-1]
			return i > p.i+2 && last.kind == opToken && last.op == opColon && i+2 < len(p.tokens) &&
				p.tokens[i+1].kind == indentToken && p.tokens[i+2].kind == nameToken &&
				strings.HasPrefix(p.src[p.tokens[i+2].start:p.tokens[i+2].end], "case")
		}
	}
}

func (p *parser) match(start int) Stmt {
	p.expectWord("match")
	s := &Match{Subject: p.expressions(true)}
	p.expectOp(opColon)
	p.i += 2 // the newline and the indent, which isMatch saw
	for p.acceptWord("case") {
		c := Case{Pattern: p.patterns()}
		if p.acceptWord("if") {
			c.Guard = p.named()
		}
		c.Body = p.block()
		s.Cases = append(s.Cases, c)
		for p.tokens[p.i].kind == newlineToken {
			p.i++
		}
	}
	if p.tokens[p.i].kind != dedentToken && p.tokens[p.i].kind != endToken {
		p.unexpected()
	}
	if p.tokens[p.i].kind == dedentToken {
		p.i++
	}
	s.Span = p.to(start)
	return s
}
