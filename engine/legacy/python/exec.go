package python

import (
	"maps"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// block follows statements in order, and tells whether they returned.
func (e *evaluator) block(body []syntax.Stmt) bool {
	for _, s := range body {
		if e.step() {
			return true
		}
		if e.statement(s) {
			return true
		}
	}
	return false
}

func (e *evaluator) statement(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Assign:
		if s.Value == nil {
			return false
		}
		b := e.bind(s.Value)
		for _, t := range s.Targets {
			e.assign(t, b)
		}
	case *syntax.Augment:
		v := e.plain(&syntax.Binary{Span: s.Span, Left: s.Target, Op: s.Op, Right: s.Value})
		e.assign(s.Target, binding{value: v})
	case *syntax.ExprStmt:
		if y, ok := s.X.(*syntax.Yield); ok {
			if y.X != nil && !y.From {
				e.frame.returned = append(e.frame.returned, e.bind(y.X))
			}
			return false
		}
		e.eval(s.X)
	case *syntax.Return:
		e.frame.returned = append(e.frame.returned, e.bind(s.X))
		return true
	case *syntax.Raise:
		return true
	case *syntax.Assert:
		e.assertion(s)
	case *syntax.IfStmt:
		return e.ifStmt(s)
	case *syntax.For:
		return e.forStmt(s)
	case *syntax.While:
		e.eval(s.Cond)
		e.unsure(func() { e.block(s.Body) })
	case *syntax.With:
		return e.with(s)
	case *syntax.Try:
		return e.try(s)
	case *syntax.Match:
		e.match(s)
	case *syntax.Def:
		e.set(s.Name, binding{value: &function{def: s, module: e.module, scope: e.scope}})
	case *syntax.Class:
		e.set(s.Name, binding{value: &class{def: s, module: e.module}})
	case *syntax.Import:
		for _, a := range s.Names {
			name := a.As
			if a.As == a.Name {
				name, _, _ = strings.Cut(a.As, ".")
			}
			e.set(name, e.module.evaluateImport(e, name, s))
		}
	case *syntax.Bad:
		return e.block(s.Body)
	}
	return false
}

func (e *evaluator) assertion(s *syntax.Assert) {
	v := e.eval(s.Cond)
	if is, ok := truthy(v); ok {
		if _, isConstant := s.Cond.(*syntax.Keyword); isConstant && is {
			return
		}
		v = unknownf("it compares values of the source with each other")
	}
	e.assert(e.condition(v, s.Cond), s)
}

// assign binds a target. What is spread over several names is taken apart.
func (e *evaluator) assign(t syntax.Expr, b binding) {
	switch t := t.(type) {
	case *syntax.Name:
		e.set(t.ID, b)
	case *syntax.Star:
		e.assign(t.X, b)
	case *syntax.Sequence:
		e.unpack(t, b)
	case *syntax.Attribute:
		switch of := e.eval(t.X).(type) {
		case *object:
			of.attrs[t.Name] = b
		case *class:
			if e.self != nil {
				e.self.attrs[t.Name] = b
			}
		case *symbol:
			if t.Name == "return_value" || t.Name == "side_effect" {
				e.toldTo(b.value, 0)
			}
		}
	case *syntax.Subscript:
		e.assignItem(t, b)
	}
}

func (e *evaluator) unpack(t *syntax.Sequence, b binding) {
	switch v := b.value.(type) {
	case *symbol:
		for i, item := range t.Items {
			e.assign(item, binding{value: v.item(i, v.source)})
		}
		return
	case unknown:
		for _, item := range t.Items {
			e.assign(item, b)
		}
		return
	}
	items, ok := iterate(b.value)
	for i, target := range t.Items {
		if _, star := target.(*syntax.Star); star || !ok || len(items) != len(t.Items) {
			e.assign(target, binding{value: unknownf("a part of %s", brief(e.source(t)))})
			continue
		}
		e.assign(target, binding{value: items[i]})
	}
}

// assignItem follows d[key] = value of a known dict; the name gets a dict of its
// own, so that a constant of the module keeps its value.
func (e *evaluator) assignItem(t *syntax.Subscript, b binding) {
	name, ok := t.X.(*syntax.Name)
	if !ok {
		return
	}
	d, ok := e.eval(t.X).(*dict)
	if !ok {
		if _, isSymbol := e.eval(t.X).(*symbol); !isSymbol {
			e.set(name.ID, binding{value: unknownf("%s, which is changed in place", brief(name.ID))})
		}
		return
	}
	c := &dict{append([]value(nil), d.keys...), append([]value(nil), d.values...)}
	c.put(e.eval(t.Index), b.value)
	e.set(name.ID, binding{value: c})
}

// ifStmt follows the branch that the source decides, or all of them: then what
// they bind differently is not known.
func (e *evaluator) ifStmt(s *syntax.IfStmt) bool {
	var open []func()
	for i, c := range s.Conds {
		v := e.eval(c)
		is, ok := truthy(v)
		if ok && !is {
			continue
		}
		if ok && len(open) == 0 {
			return e.block(s.Bodies[i])
		}
		body := s.Bodies[i]
		if len(s.Bodies) == 1 && len(s.Else) == 0 && e.fails(body) {
			// if bad in text: pytest.fail()
			e.assert(e.not(e.condition(v, c)), c)
			return false
		}
		open = append(open, func() { e.block(body) })
		if ok {
			return e.branches(open)
		}
	}
	if len(open) == 0 {
		return e.block(s.Else)
	}
	return e.branches(append(open, func() { e.block(s.Else) }))
}

// fails tells a block that does nothing but fail the test.
func (e *evaluator) fails(body []syntax.Stmt) bool {
	if len(body) != 1 {
		return false
	}
	switch s := body[0].(type) {
	case *syntax.ExprStmt:
		switch dottedName(s.X) {
		case "pytest.fail", "self.fail", "fail":
			return true
		}
	case *syntax.Raise:
		return dottedName(s.X) == "AssertionError"
	case *syntax.Assert:
		k, ok := s.Cond.(*syntax.Keyword)
		return ok && k.ID == "False"
	}
	return false
}

// branches follows several of which one runs.
func (e *evaluator) branches(list []func()) bool {
	if e.scope == nil {
		return false
	}
	before := e.scope.names
	var after []map[string]binding
	for _, run := range list {
		e.scope.names = maps.Clone(before)
		run()
		after = append(after, e.scope.names)
	}
	e.scope.names = after[0]
	for _, m := range after[1:] {
		for name, b := range m {
			if old, ok := e.scope.names[name]; ok {
				b = mergeBinding(old, b)
			}
			e.scope.names[name] = b
		}
	}
	return false
}

func mergeBinding(a, b binding) binding {
	switch a.value.(type) {
	case *function, *class, *object, *module, *external, *pattern:
		return a
	}
	return merge(a, b)
}

// unsure follows what may or may not run, or run more than once.
func (e *evaluator) unsure(run func()) {
	e.branches([]func(){func() {}, run})
}

func (e *evaluator) forStmt(s *syntax.For) bool {
	v := e.bind(s.Iter)
	items, ok := iterate(v.value)
	if !ok || len(items) > maxRounds {
		one := v
		if sym, isSymbol := v.value.(*symbol); isSymbol {
			one = binding{value: sym.item(-1, e.source(s.Iter))}
		} else if ok {
			one = binding{value: unknownf("an item of a list longer than docket follows")}
		}
		e.unsure(func() {
			e.assign(s.Target, one)
			e.block(s.Body)
		})
		return false
	}
	if leaves(s.Body) {
		e.unsure(func() {
			for _, item := range items {
				e.assign(s.Target, binding{value: item})
				e.block(s.Body)
			}
		})
		return false
	}
	for _, item := range items {
		e.assign(s.Target, binding{value: item})
		if e.block(s.Body) {
			return true
		}
	}
	return false
}

// leaves tells a loop that may leave before its last item.
func leaves(body []syntax.Stmt) bool {
	found := false
	syntax.Walk(body, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.Plain); ok && p.End-p.Start != len("pass") {
			found = true
		}
		return !found
	})
	return found
}

func (e *evaluator) with(s *syntax.With) bool {
	for i, item := range s.Items {
		c, isCall := item.(*syntax.Call)
		name := dottedName(item)
		if isCall && (name == "pytest.raises" || name == "raises" || name == "pytest.warns") {
			e.assert(e.raises(positional(e.arguments(c)), item), item)
			if s.Targets[i] != nil {
				e.assign(s.Targets[i], binding{value: &symbol{role: raisedRole, source: e.source(s.Targets[i])}})
			}
			continue
		}
		b := e.bind(item)
		if s.Targets[i] != nil {
			e.assign(s.Targets[i], b)
		}
	}
	return e.block(s.Body)
}

func (e *evaluator) try(s *syntax.Try) bool {
	done := e.block(s.Body)
	if !done {
		done = e.block(s.Else)
	}
	for _, h := range s.Handlers {
		e.unsure(func() {
			if h.Name != "" {
				e.set(h.Name, binding{value: &symbol{role: raisedRole, source: h.Name}})
			}
			if e.fails(h.Body) {
				return
			}
			e.block(h.Body)
		})
	}
	return e.block(s.Finally) || done
}

// match follows every case, binding what its pattern captures. A case among
// others that fail is a claim that its pattern holds.
func (e *evaluator) match(s *syntax.Match) {
	subject := e.eval(s.Subject)
	var failing, holding []syntax.Case
	for _, c := range s.Cases {
		if e.fails(c.Body) {
			failing = append(failing, c)
		} else {
			holding = append(holding, c)
		}
	}
	if sym, ok := subject.(*symbol); ok && len(failing) > 0 && len(holding) == 1 {
		for _, c := range e.patternClaims(sym, holding[0].Pattern) {
			e.assert(&cond{[]legacy.Claim{c}}, holding[0].Pattern)
		}
	}
	var list []func()
	for _, c := range s.Cases {
		list = append(list, func() {
			e.capture(c.Pattern, subject)
			if !e.fails(c.Body) {
				e.block(c.Body)
			}
		})
	}
	if len(list) > 0 {
		e.branches(list)
	}
}

// patternClaims are what a pattern of a mapping says of a symbol.
func (e *evaluator) patternClaims(s *symbol, p syntax.Expr) []legacy.Claim {
	switch p := p.(type) {
	case *syntax.Walrus:
		return e.patternClaims(s, p.X)
	case *syntax.Dict:
		var out []legacy.Claim
		for i, k := range p.Keys {
			if k == nil {
				continue
			}
			if key, ok := e.eval(k).(text); ok {
				out = append(out, e.patternClaims(s.member(string(key), e.source(p)), p.Values[i])...)
			}
		}
		return out
	case *syntax.String, *syntax.Number, *syntax.Keyword:
		return e.claim(s, legacy.Equals, p, e.eval(p)).claims
	case *syntax.Binary:
		if values := e.alternatives(p); values != nil {
			return e.claim(s, legacy.OneOf, p, values...).claims
		}
	}
	return nil
}

func (e *evaluator) alternatives(p syntax.Expr) []value {
	switch p := p.(type) {
	case *syntax.Binary:
		left, right := e.alternatives(p.Left), e.alternatives(p.Right)
		if p.Op == "|" && left != nil && right != nil {
			return append(left, right...)
		}
	case *syntax.String, *syntax.Number, *syntax.Keyword:
		return []value{e.eval(p)}
	}
	return nil
}

// capture binds the names of a pattern.
func (e *evaluator) capture(p syntax.Expr, v value) {
	member := func(v value, key syntax.Expr, name string) value {
		if s, ok := v.(*symbol); ok {
			if t, ok := e.eval(key).(text); key != nil && ok {
				name = string(t)
			}
			return s.member(name, s.source)
		}
		return unknownf("a part of what is matched")
	}
	switch p := p.(type) {
	case *syntax.Name:
		if p.ID != "_" {
			e.set(p.ID, binding{value: v})
		}
	case *syntax.Walrus:
		e.set(p.Target.ID, binding{value: v})
		e.capture(p.X, v)
	case *syntax.Dict:
		for i, k := range p.Keys {
			if k != nil {
				e.capture(p.Values[i], member(v, k, ""))
			}
		}
	case *syntax.Call:
		for _, a := range p.Args {
			e.capture(a.X, member(v, nil, a.Name))
		}
	case *syntax.Sequence:
		s, ok := v.(*symbol)
		for i, item := range p.Items {
			if ok {
				e.capture(item, s.item(i, s.source))
			} else {
				e.capture(item, unknownf("a part of what is matched"))
			}
		}
	case *syntax.Binary:
		e.capture(p.Left, v)
		e.capture(p.Right, v)
	}
}
