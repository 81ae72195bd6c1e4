package python

import (
	"strings"

	"docket/engine/legacy/python/syntax"
)

func (e *evaluator) attribute(x *syntax.Attribute) binding {
	return e.attributeOf(e.eval(x.X), x.Name, x)
}

// attributeOf is the attribute of a value that is not called.
func (e *evaluator) attributeOf(v value, name string, x syntax.Expr) binding {
	lost := binding{value: unknownf("computed at run time by %s", brief(e.source(x)))}
	switch v := v.(type) {
	case *object:
		return e.objectAttribute(v, name, x)
	case located:
		if got, ok := locatedAttribute(v, name); ok {
			return binding{value: got}
		}
		return lost
	case *class:
		if b, ok := e.classMember(v, name, nil); ok {
			return b
		}
		return lost
	case *module:
		return v.lookup(e, name)
	case *external:
		return binding{value: &external{v.name + "." + name}}
	case *symbol:
		return binding{value: e.symbolAttribute(v, name, x)}
	case *cond:
		return binding{value: &symbol{role: answerRole, measure: "matches", source: e.source(x)}}
	case text:
		if name == "value" { // of a member of an enumeration
			return binding{value: v}
		}
	case unknown:
		return binding{value: v}
	}
	return lost
}

func (e *evaluator) symbolAttribute(s *symbol, name string, x syntax.Expr) value {
	switch name {
	case "called", "call_count", "call_args", "call_args_list", "mock_calls", "method_calls", "await_count", "awaited", "await_args":
		return &symbol{role: doubleRole, path: name, source: e.source(x), counted: strings.HasSuffix(name, "_count")}
	}
	return s.member(name, e.source(x))
}

func (e *evaluator) objectAttribute(o *object, name string, x syntax.Expr) binding {
	if b, ok := o.attrs[name]; ok {
		return b
	}
	if o.class == nil {
		return binding{value: unknownf("computed at run time by %s", brief(e.source(x)))}
	}
	if b, ok := e.classMember(o.class, name, o); ok {
		return b
	}
	role := objectRole
	if isDouble(o.class.def.Name) {
		role = doubleRole
	}
	return binding{value: &symbol{role: role, source: e.source(x)}}
}

// isDouble tells a class of the suite that stands in for one of the program, by
// its name.
func isDouble(name string) bool {
	name = strings.TrimLeft(name, "_")
	for _, p := range []string{"Fake", "Stub", "Mock", "Spy", "Dummy", "Recording", "Scripted", "Canned"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// classMember finds a name in a class of the suite or its bases. A method is
// bound to self where that is not nil; a property is followed.
func (e *evaluator) classMember(c *class, name string, self *object) (binding, bool) {
	for depth := 0; c != nil && depth < maxCalls; depth++ {
		for i := len(c.def.Body) - 1; i >= 0; i-- {
			switch s := c.def.Body[i].(type) {
			case *syntax.Def:
				if s.Name != name {
					continue
				}
				f := &function{def: s, module: c.module}
				switch {
				case decorated(s.Decorators, "staticmethod"):
				case self != nil && !decorated(s.Decorators, "classmethod"):
					f.self = self
				case decorated(s.Decorators, "classmethod"):
					f.self = c
					if self != nil {
						f.self = self
					}
				}
				if self != nil && (decorated(s.Decorators, "property") || decorated(s.Decorators, "cached_property")) {
					return e.invoke(f, nil, nil), true
				}
				return binding{value: f}, true
			case *syntax.Assign:
				for _, t := range s.Targets {
					n, ok := t.(*syntax.Name)
					if !ok || n.ID != name || s.Value == nil {
						continue
					}
					b := e.within(c.module, &scope{names: map[string]binding{}, parent: e.classScope(c, i)}, s.Value)
					if b.from == "" && constant(b.value) {
						b.from = c.def.Name + "." + name
					}
					return b, true
				}
			}
		}
		c = e.base(c)
	}
	return binding{}, false
}

// classScope holds the plain constants of a class above its statement n, which
// those below may use.
func (e *evaluator) classScope(c *class, n int) *scope {
	s := &scope{names: map[string]binding{}}
	for _, stmt := range c.def.Body[:n] {
		a, ok := stmt.(*syntax.Assign)
		if !ok || a.Value == nil || len(a.Targets) != 1 {
			continue
		}
		if name, ok := a.Targets[0].(*syntax.Name); ok {
			s.names[name.ID] = e.within(c.module, s, a.Value)
		}
	}
	return s
}

// within evaluates an expression of another module or scope.
func (e *evaluator) within(m *module, s *scope, x syntax.Expr) binding {
	module, scope := e.module, e.scope
	e.module, e.scope = m, s
	defer func() { e.module, e.scope = module, scope }()
	return e.bind(x)
}

// base is the first base of a class that the suite defines, or nil.
func (e *evaluator) base(c *class) *class {
	for _, b := range c.def.Bases {
		if b.Name != "" {
			continue
		}
		if base, ok := e.within(c.module, nil, b.X).value.(*class); ok && base.def != c.def {
			return base
		}
	}
	return nil
}

// decorated tells whether one of the decorators is called so, whatever module it
// comes from and whether it has arguments.
func decorated(decorators []syntax.Expr, name string) bool {
	for _, d := range decorators {
		if dotted := dottedName(d); dotted == name || strings.HasSuffix(dotted, "."+name) {
			return true
		}
	}
	return false
}

// dottedName is the name of an expression such as pytest.mark.skip(…), or "".
func dottedName(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Name:
		return x.ID
	case *syntax.Attribute:
		if of := dottedName(x.X); of != "" {
			return of + "." + x.Name
		}
	case *syntax.Call:
		return dottedName(x.Func)
	}
	return ""
}
