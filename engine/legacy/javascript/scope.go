package javascript

import (
	"regexp"
	"strings"

	"docket/engine/legacy/javascript/syntax"
)

// A scope holds names. A name's value is looked for when it is first asked for,
// since constants may stand below what uses them.
type scope struct {
	outer  *scope
	module *module
	names  map[string]*binding
	this   *value
}

type binding struct {
	init    *syntax.Node
	scope   *scope
	value   *value
	busy    bool
	pick    func(*value) *value // what of init the name stands for
	imports *syntax.Node        // ImportName
	module  string
}

func newScope(outer *scope, m *module) *scope {
	s := &scope{outer: outer, module: m, names: map[string]*binding{}}
	if outer != nil {
		s.this = outer.this
		if m == nil {
			s.module = outer.module
		}
	}
	return s
}

func (s *scope) find(name string) *binding {
	for ; s != nil; s = s.outer {
		if b, ok := s.names[name]; ok {
			return b
		}
	}
	return nil
}

func (s *scope) bind(name string, v *value) { s.names[name] = &binding{value: v} }

// hoist puts the functions, classes, enums, imports and constants of a list of
// statements into a scope.
func (r *reader) hoist(list []*syntax.Node, s *scope) {
	for _, n := range list {
		switch n.Kind {
		case syntax.Export:
			if n.Op == "default" && len(n.Kids) == 1 {
				s.names["default"] = &binding{init: n.Kids[0], scope: s}
			}
			if n.Op != "from" {
				r.hoist(n.Kids, s)
			}
		case syntax.Function:
			if n.Text != "" && n.Kid(0) != nil {
				s.bind(n.Text, &value{fn: n, scope: s})
			}
		case syntax.Class:
			if n.Text != "" {
				s.bind(n.Text, classValue(n, s))
			}
		case syntax.Enum:
			s.names[n.Text] = &binding{init: n, scope: s}
		case syntax.Import:
			for _, k := range n.Kids {
				s.names[k.Text] = &binding{imports: k, module: n.Text, scope: s}
			}
		case syntax.Var:
			for _, d := range n.Kids {
				r.declare(d.Kids[0], d.Kid(1), nil, s)
			}
		}
	}
}

// declare binds the names of a pattern to what an expression will turn out to
// be.
func (r *reader) declare(pattern, init *syntax.Node, pick func(*value) *value, s *scope) {
	switch pattern.Kind {
	case syntax.Ident:
		s.names[pattern.Text] = &binding{init: init, scope: s, pick: pick}
	case syntax.Assign:
		inner := pick
		fallback := pattern.Kids[1]
		r.declare(pattern.Kids[0], init, func(v *value) *value {
			if inner != nil {
				v = inner(v)
			}
			if v == nil || v.absent {
				return r.eval(fallback, s)
			}
			return v
		}, s)
	case syntax.Object, syntax.Array:
		r.parts(pattern, func(target *syntax.Node, take func(*value) *value) {
			r.declare(target, init, func(v *value) *value {
				if pick != nil {
					v = pick(v)
				}
				return take(v)
			}, s)
		}, s)
	}
}

// parts goes through the targets of a pattern, each with how it is taken from
// the whole.
func (r *reader) parts(pattern *syntax.Node, each func(target *syntax.Node, take func(*value) *value), s *scope) {
	for i, k := range pattern.Kids {
		switch {
		case k.Kind == syntax.Empty:
		case k.Kind == syntax.Spread && pattern.Kind == syntax.Array:
			each(k.Kids[0], func(v *value) *value { return rest(v, i) })
		case k.Kind == syntax.Spread:
			each(k.Kids[0], func(v *value) *value {
				if v.fields == nil {
					return v
				}
				left := object()
				for _, key := range v.keys {
					left.set(key, v.fields[key])
				}
				return left
			})
		case pattern.Kind == syntax.Array:
			each(k, func(v *value) *value { return r.at(v, i) })
		case k.Kind == syntax.Property && !k.Computed:
			each(k.Kids[0], func(v *value) *value { return r.member(v, k.Text) })
		}
	}
}

func rest(v *value, from int) *value {
	if items, ok := v.list(); ok {
		return &value{items: append([]*value{}, items[min(from, len(items)):]...)}
	}
	return v
}

// assign gives the names of a pattern their values at once.
func (r *reader) assign(pattern *syntax.Node, v *value, s *scope, fresh bool) {
	switch pattern.Kind {
	case syntax.Ident:
		if b := s.find(pattern.Text); b != nil && !fresh {
			*b = binding{value: v}
			return
		}
		s.bind(pattern.Text, v)
	case syntax.Assign:
		if v == nil || v.absent {
			v = r.eval(pattern.Kids[1], s)
		}
		r.assign(pattern.Kids[0], v, s, fresh)
	case syntax.Object, syntax.Array:
		r.parts(pattern, func(target *syntax.Node, take func(*value) *value) { r.assign(target, take(v), s, fresh) }, s)
	case syntax.Member:
		if o := r.eval(pattern.Kids[0], s); o.fields != nil {
			o.set(pattern.Text, v)
		}
	}
}

// lookup finds what a name stands for.
func (r *reader) lookup(name string, s *scope) *value {
	b := s.find(name)
	if b == nil {
		return global(name)
	}
	if b.value != nil {
		return b.value
	}
	if b.busy {
		return unknown("it is defined by itself")
	}
	if b.imports != nil {
		b.value = r.imported(b)
		return b.value
	}
	if b.init == nil {
		return undefined()
	}
	b.busy = true
	v := r.within(b.scope.module, func() *value {
		if b.init.Kind == syntax.Enum {
			return r.enum(b.init, b.scope)
		}
		return r.eval(b.init, b.scope)
	})
	if b.pick != nil {
		v = b.pick(v)
	}
	b.busy = false
	b.value = named(v, name)
	return b.value
}

// named notes that a constant holds a value.
func named(v *value, name string) *value {
	if v == nil || v.from != "" || v.judged != nil || v.chain != nil || v.fn != nil {
		return v
	}
	c := *v
	c.from = name
	if v.double {
		c.outside = name
	}
	return &c
}

// within looks at code of another file, so that lines and texts are of it.
func (r *reader) within(m *module, look func() *value) *value {
	before := r.module
	r.module = m
	defer func() { r.module = before }()
	return look()
}

// imported finds what a file imports: of a file beside it, or of a package.
func (r *reader) imported(b *binding) *value {
	m := r.require(b.scope.module, b.module)
	outside := &value{outside: b.module + "." + b.imports.Op}
	if b.imports.Op == "*" || b.imports.Op == "default" {
		outside.outside = b.module
	}
	if m == nil {
		if strings.HasPrefix(b.module, ".") {
			outside.why = "imported from " + clip(b.module) + ", which is not read"
		}
		return outside
	}
	switch {
	case m.json && (b.imports.Op == "default" || b.imports.Op == "*"):
		return data(m.data)
	case m.json:
		return r.member(data(m.data), b.imports.Op)
	case b.imports.Op == "*":
		return &value{namespace: m}
	}
	v := r.exported(m, b.imports.Op, 0)
	if (v.fn != nil || v.instance != "") && !ofSuite(m, b.imports.Text, v) {
		return outside
	}
	return named(v, b.imports.Text)
}

// suiteFile matches the names of files that belong to a suite and not to what
// it tests.
var suiteFile = regexp.MustCompile(`(?i)(test|spec|fixture|helper|util|support|mock|setup|stub|fake|assert|expect|matcher|data)`)

// ofSuite reports whether a function or class of a file beside the suite is one
// of the suite's: what stands beside it may as well be what it tests.
func ofSuite(m *module, name string, v *value) bool {
	if suiteFile.MatchString(m.name) {
		return true
	}
	if v.fn == nil {
		return false
	}
	asserts := false
	syntax.Walk(v.fn, func(n *syntax.Node) bool {
		asserts = asserts || n.Kind == syntax.Ident && (n.Text == "expect" || n.Text == "assert")
		return !asserts
	})
	return asserts || !v.fn.Async && !modelVerb.MatchString(name)
}

// exported finds a name of a module, through the modules that it passes on.
func (r *reader) exported(m *module, name string, depth int) *value {
	if depth > maxCalls {
		return unknown("passed on through too many files")
	}
	for _, n := range m.tree.Body {
		if n.Kind != syntax.Export {
			continue
		}
		for _, k := range n.Kids {
			if k.Kind != syntax.ImportName || k.Text != name {
				continue
			}
			if n.Op != "from" {
				return r.lookup(k.Op, m.scope)
			}
			if next := r.require(m, n.Text); next != nil && !next.json {
				return r.exported(next, k.Op, depth+1)
			}
		}
	}
	if _, ok := m.scope.names[name]; ok {
		return r.lookup(name, m.scope)
	}
	if v := r.commonExports(m); v != nil {
		if name == "default" {
			return v
		}
		return r.member(v, name)
	}
	for _, n := range m.tree.Body {
		if n.Kind == syntax.Export && n.Op == "from" && len(n.Kids) == 0 {
			if next := r.require(m, n.Text); next != nil && !next.json {
				if v := r.exported(next, name, depth+1); v.why == "" {
					return v
				}
			}
		}
	}
	return unknown("not found in the file that is imported")
}

// commonExports finds module.exports = … of a module; nil where it has none.
func (r *reader) commonExports(m *module) *value {
	var all *value
	for _, n := range m.tree.Body {
		a := n.Kid(0)
		if n.Kind != syntax.ExprStmt || a.Kind != syntax.Assign || a.Kids[0].Kind != syntax.Member {
			continue
		}
		target := a.Kids[0]
		of := target.Kids[0]
		whole := of.Kind == syntax.Ident && of.Text == "module" && target.Text == "exports"
		one := of.Kind == syntax.Ident && of.Text == "exports" || of.Kind == syntax.Member && of.Text == "exports"
		switch {
		case whole:
			all = r.within(m, func() *value { return r.eval(a.Kids[1], m.scope) })
		case one:
			if all == nil || all.fields == nil {
				all = object()
			}
			all.set(target.Text, r.within(m, func() *value { return r.eval(a.Kids[1], m.scope) }))
		}
	}
	return all
}

// enum makes the object that an enum of TypeScript is.
func (r *reader) enum(n *syntax.Node, s *scope) *value {
	o := object()
	next := 0.0
	for _, m := range n.Kids {
		v := number(next)
		if init := m.Kid(0); init != nil {
			v = r.eval(init, s)
		}
		if f, ok := v.num(); ok {
			next = f + 1
		}
		o.set(m.Text, v)
	}
	return o
}

func classValue(n *syntax.Node, s *scope) *value {
	v := object()
	v.instance, v.scope = n.Text, s
	for _, m := range n.Kids {
		if m.Kind == syntax.Property && !m.Computed && m.Kid(0) != nil && m.Kids[0].Kind == syntax.Function {
			v.set(m.Text, &value{fn: m.Kids[0], scope: s})
		}
	}
	return v
}

// global is what a name stands for that nothing declares.
func global(name string) *value {
	switch name {
	case "undefined":
		return undefined()
	case "assert":
		return &value{assert: true, outside: name}
	}
	return &value{outside: name}
}
