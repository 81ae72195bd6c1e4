package python

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// An argument is a value that a call is given.
type argument struct {
	name string // "" by position
	b    binding
}

func (e *evaluator) arguments(x *syntax.Call) []argument {
	var out []argument
	for _, a := range x.Args {
		b := e.bind(a.X)
		switch a.Name {
		case "*":
			items, ok := iterate(b.value)
			if !ok {
				items = []value{b.value}
			}
			for _, item := range items {
				out = append(out, argument{"", binding{value: item}})
			}
		case "**":
			d, ok := b.value.(*dict)
			if !ok {
				out = append(out, argument{"**", b})
				continue
			}
			for i, k := range d.keys {
				if name, ok := k.(text); ok {
					out = append(out, argument{string(name), binding{value: d.values[i]}})
				}
			}
		default:
			out = append(out, argument{a.Name, b})
		}
	}
	return out
}

// positional are the arguments by position.
func positional(args []argument) []value {
	var out []value
	for _, a := range args {
		if a.name == "" {
			out = append(out, a.b.value)
		}
	}
	return out
}

func keyword(args []argument, name string) (value, bool) {
	for _, a := range args {
		if a.name == name {
			return a.b.value, true
		}
	}
	return nil, false
}

func (e *evaluator) call(x *syntax.Call) binding {
	if a, ok := x.Func.(*syntax.Attribute); ok {
		if b, ok := e.method(x, a); ok {
			return b
		}
	}
	f := e.eval(x.Func)
	args := e.arguments(x)
	switch f := f.(type) {
	case *function:
		return e.invoke(f, args, x)
	case *class:
		return binding{value: e.instance(f, args)}
	case *external:
		return binding{value: e.external(f.name, args, x)}
	case *symbol:
		return binding{value: e.called(f, "", args, x)}
	case unknown:
		return binding{value: f}
	}
	return binding{value: unknownf("computed at run time by %s", brief(e.source(x)))}
}

// method follows a call of a method, and gives false where the function is to be
// looked up as any other.
func (e *evaluator) method(x *syntax.Call, a *syntax.Attribute) (binding, bool) {
	if c, ok := a.X.(*syntax.Call); ok {
		if n, ok := c.Func.(*syntax.Name); ok && n.ID == "super" {
			return binding{value: none{}}, true
		}
	}
	of := e.bind(a.X)
	switch v := of.value.(type) {
	case text:
		args := e.arguments(x)
		if a.Name == "format" {
			named := map[string]value{}
			for _, arg := range args {
				named[arg.name] = arg.b.value
			}
			return binding{value: braces(string(v), positional(args), named)}, true
		}
		if s := symbolIn(args); s != nil && a.Name == "join" {
			return binding{value: s}, true
		}
		if got, ok := textMethod(string(v), a.Name, positional(args)); ok {
			b := binding{value: got}
			if got == of.value {
				b.from = of.from // still what the constant holds
			}
			return b, true
		}
	case located:
		return e.locatedMethod(v, a.Name, positional(e.arguments(x)), x), true
	case *sequence, *dict:
		return e.collectionMethod(x, a, of), true
	case *pattern:
		args := positional(e.arguments(x))
		if len(args) > 0 {
			return binding{value: e.search(a.Name, v.text, v.flags, args[0], x)}, true
		}
	case *symbol:
		return binding{value: e.called(v, a.Name, e.arguments(x), x)}, true
	case *cond:
		return binding{value: &symbol{role: answerRole, measure: "matches", source: e.source(x)}}, true
	case *object:
		b := e.objectAttribute(v, a.Name, a)
		switch f := b.value.(type) {
		case *function:
			return e.invoke(f, e.arguments(x), x), true
		case *symbol:
			if v == e.self {
				if c, ok := e.unittest(a.Name, x); ok {
					return binding{value: c}, true
				}
			}
			return binding{value: e.called(f.renamed(e.source(a.X)), a.Name, e.arguments(x), x)}, true
		}
		return binding{value: unknownf("computed at run time by %s", brief(e.source(x)))}, true
	case unknown:
		if strings.HasPrefix(a.Name, "assert_") {
			return binding{value: e.called(&symbol{role: doubleRole, source: e.source(a.X)}, a.Name, e.arguments(x), x)}, true
		}
		e.arguments(x)
		return binding{value: v}, true
	default:
		return binding{}, false
	}
	return binding{value: unknownf("computed at run time by %s", brief(e.source(x)))}, true
}

// symbolIn is the first symbol among the arguments, or nil.
func symbolIn(args []argument) *symbol {
	for _, a := range args {
		if s, ok := a.b.value.(*symbol); ok {
			return s
		}
	}
	return nil
}

// collectionMethod follows a method of a known list or dict. One that changes it
// binds the name anew, so that a constant of the module keeps its value.
func (e *evaluator) collectionMethod(x *syntax.Call, a *syntax.Attribute, of binding) binding {
	args := positional(e.arguments(x))
	lost := binding{value: unknownf("computed at run time by %s", brief(e.source(x)))}
	if mutates(a.Name) {
		name, ok := a.X.(*syntax.Name)
		if !ok {
			return lost
		}
		s, ok := of.value.(*sequence)
		switch {
		case ok && (a.Name == "append" || a.Name == "add") && len(args) == 1:
			items := append(s.items[:len(s.items):len(s.items)], args[0])
			e.set(name.ID, binding{value: &sequence{s.open, items}})
		case ok && a.Name == "extend" && len(args) == 1:
			more, known := iterate(args[0])
			if !known {
				e.set(name.ID, lost)
				return lost
			}
			e.set(name.ID, binding{value: &sequence{s.open, append(s.items[:len(s.items):len(s.items)], more...)}})
		default:
			e.set(name.ID, lost)
			return lost
		}
		return binding{value: none{}}
	}
	switch v := of.value.(type) {
	case *dict:
		switch a.Name {
		case "get":
			if len(args) > 0 {
				if got, ok := v.get(args[0]); ok {
					return binding{value: got}
				}
				if len(args) == 2 {
					return binding{value: args[1]}
				}
			}
		case "keys":
			return binding{value: &sequence{'[', v.keys}}
		case "values":
			return binding{value: &sequence{'[', v.values}}
		case "items":
			s := &sequence{open: '['}
			for i := range v.keys {
				s.items = append(s.items, &sequence{'(', []value{v.keys[i], v.values[i]}})
			}
			return binding{value: s}
		case "copy":
			return of
		}
	case *sequence:
		switch a.Name {
		case "copy":
			return of
		case "issubset":
			if s, ok := first(args).(*symbol); ok {
				return binding{value: e.ordered(s, ">=", v, x)}
			}
		}
	}
	return lost
}

func first(args []value) value {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// instance makes an object of a class of the suite.
func (e *evaluator) instance(c *class, args []argument) value {
	o := &object{class: c, attrs: map[string]binding{}}
	if b, ok := e.classMember(c, "__init__", o); ok {
		if f, ok := b.value.(*function); ok {
			e.invoke(f, args, nil)
		}
		return o
	}
	var fields []string
	for _, s := range c.def.Body {
		if a, ok := s.(*syntax.Assign); ok && len(a.Targets) == 1 {
			fields = append(fields, targetNames(a.Targets[0])...)
		}
	}
	i := 0
	for _, a := range args {
		if a.name != "" {
			o.attrs[a.name] = a.b
		} else if i < len(fields) {
			o.attrs[fields[i]] = a.b
			i++
		}
	}
	return o
}

// invoke follows a function of the suite with its arguments. X is the call, or
// nil.
func (e *evaluator) invoke(f *function, args []argument, x syntax.Node) binding {
	if e.frames >= maxCalls || e.step() {
		e.spent = true
		return binding{value: unknownf("more than docket follows in one test")}
	}
	params := []syntax.Param(nil)
	if f.lambda != nil {
		params = f.lambda.Params
	} else {
		params = f.def.Params
	}
	inner := &scope{names: map[string]binding{}, parent: f.scope}
	if f.self != nil && len(params) > 0 && params[0].Star == "" {
		inner.names[params[0].Name] = binding{value: f.self}
		params = params[1:]
	}
	e.parameters(inner, f, params, args)

	module, outer, frame := e.module, e.scope, e.frame
	line := frame.line
	if frame.helper == "" && x != nil {
		line = module.tree.Line(x.Range().Start)
	}
	e.module, e.scope = f.module, inner
	e.frames++
	defer func() {
		e.module, e.scope, e.frame = module, outer, frame
		e.frames--
	}()
	if f.lambda != nil {
		e.frame = frame
		return e.bind(f.lambda.Body)
	}
	if e.active[f.def] {
		// What calls itself goes as deep as the values of run time do.
		return binding{value: unknownf("computed at run time by %s, which calls itself", brief(f.def.Name))}
	}
	e.active[f.def] = true
	defer delete(e.active, f.def)
	e.frame = &activation{helper: f.def.Name, line: line}
	e.block(f.def.Body)
	return result(e.frame.returned)
}

// result joins what a function returned in its branches.
func result(returned []binding) binding {
	if len(returned) == 0 {
		return binding{value: none{}}
	}
	b := returned[0]
	for _, r := range returned[1:] {
		if _, isNone := b.value.(none); isNone {
			b = r
			continue
		}
		b = merge(b, r)
	}
	return b
}

// parameters binds the arguments of a function to its parameters.
func (e *evaluator) parameters(inner *scope, f *function, params []syntax.Param, args []argument) {
	rest := &sequence{open: '('}
	more := &dict{}
	i := 0
	bound := map[string]bool{}
	for _, a := range args {
		if a.name == "**" {
			continue
		}
		if a.name != "" {
			found := false
			for _, p := range params {
				found = found || p.Name == a.name && p.Star == ""
			}
			if found {
				inner.names[a.name] = a.b
				bound[a.name] = true
			} else {
				more.put(text(a.name), a.b.value)
			}
			continue
		}
		if i < len(params) && params[i].Star == "" {
			inner.names[params[i].Name] = a.b
			bound[params[i].Name] = true
			i++
			continue
		}
		rest.items = append(rest.items, a.b.value)
	}
	for _, p := range params {
		switch {
		case p.Star == "*":
			inner.names[p.Name] = binding{value: rest}
		case p.Star == "**":
			inner.names[p.Name] = binding{value: more}
		case bound[p.Name]:
		case p.Default != nil:
			inner.names[p.Name] = e.within(f.module, f.scope, p.Default)
		default:
			inner.names[p.Name] = binding{value: unknownf("the parameter %s", brief(p.Name))}
		}
	}
}

// assert adds what is asserted to the test.
func (e *evaluator) assert(c *cond, x syntax.Node) {
	for _, one := range c.claims {
		if len(c.claims) == 1 {
			one.Text = e.source(x)
			one.Line = e.module.tree.Line(x.Range().Start)
			one.End = e.module.tree.Line(x.Range().End - 1)
		}
		if one.Subject == legacy.Answer && (one.Op == legacy.Equals || one.Op == legacy.Contains) && e.told(one.Values) {
			one.Subject, one.Path = legacy.Double, "its own answer"
		}
		one.Helper = e.frame.helper
		one.At = one.Line
		if one.Helper != "" {
			one.At = e.frame.line
		}
		if e.module != e.reader.main {
			one.Line, one.End = one.At, one.At
		}
		if len(e.claims) >= maxClaims {
			e.spent = true
			return
		}
		e.claims = append(e.claims, one)
	}
}

// told tells whether all values are what a double was told to say.
func (e *evaluator) told(values []any) bool {
	for _, v := range values {
		s, ok := v.(string)
		found := false
		for _, c := range e.canned {
			found = found || ok && s != "" && strings.Contains(c, s)
		}
		if !found {
			return false
		}
	}
	return len(values) > 0
}
