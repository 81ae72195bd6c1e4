package python

import (
	"path"
	"strings"

	"docket/engine/legacy/python/syntax"
)

// A module is one file of the suite.
type module struct {
	name   string // its path, relative to the folder of the file that is read
	tree   *syntax.Tree
	names  map[string][]syntax.Stmt
	unsure map[string]bool // changed in place, so that its source is not its value
	stars  []*syntax.Import
	values map[string]binding
	busy   map[string]bool
}

func newModule(name, source string) *module {
	m := &module{
		name: name, tree: syntax.Parse(source), names: map[string][]syntax.Stmt{}, unsure: map[string]bool{},
		values: map[string]binding{}, busy: map[string]bool{},
	}
	m.index(m.tree.Body, false)
	return m
}

// index notes which statements bind the module's names, without following them.
func (m *module) index(body []syntax.Stmt, branch bool) {
	add := func(name string, s syntax.Stmt) {
		if branch && len(m.names[name]) > 0 {
			if _, isImport := s.(*syntax.Import); !isImport {
				m.unsure[name] = true
			}
		}
		m.names[name] = append(m.names[name], s)
	}
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Def:
			add(s.Name, s)
		case *syntax.Class:
			add(s.Name, s)
		case *syntax.Assign:
			for _, t := range s.Targets {
				for _, n := range targetNames(t) {
					add(n, s)
				}
				if sub, ok := t.(*syntax.Subscript); ok {
					m.changed(sub.X)
				}
			}
		case *syntax.Augment:
			m.changed(s.Target)
		case *syntax.Import:
			for _, a := range s.Names {
				if a.Name == "*" {
					m.stars = append(m.stars, s)
					continue
				}
				name := a.As
				if a.As == a.Name {
					name, _, _ = strings.Cut(a.As, ".")
				}
				add(name, s)
			}
		case *syntax.ExprStmt:
			if c, ok := s.X.(*syntax.Call); ok {
				if a, ok := c.Func.(*syntax.Attribute); ok && mutates(a.Name) {
					m.changed(a.X)
				}
			}
		case *syntax.IfStmt:
			for _, b := range s.Bodies {
				m.index(b, true)
			}
			m.index(s.Else, true)
		case *syntax.Try:
			m.index(s.Body, branch)
			for _, h := range s.Handlers {
				m.index(h.Body, true)
			}
			m.index(s.Else, branch)
			m.index(s.Finally, branch)
		case *syntax.With:
			m.index(s.Body, branch)
		case *syntax.For:
			for _, n := range targetNames(s.Target) {
				m.unsure[n] = true
			}
			m.index(s.Body, true)
			m.loop(s.Body)
		case *syntax.While:
			m.index(s.Body, true)
			m.loop(s.Body)
		}
	}
}

// loop marks what a loop binds: its value is that of some round.
func (m *module) loop(body []syntax.Stmt) {
	for _, s := range body {
		if a, ok := s.(*syntax.Assign); ok {
			for _, t := range a.Targets {
				for _, n := range targetNames(t) {
					m.unsure[n] = true
				}
			}
		}
	}
}

func (m *module) changed(x syntax.Expr) {
	if n, ok := x.(*syntax.Name); ok {
		m.unsure[n.ID] = true
	}
}

func mutates(method string) bool {
	switch method {
	case "append", "extend", "insert", "remove", "pop", "clear", "update", "setdefault", "add", "discard", "sort", "reverse", "popitem":
		return true
	}
	return false
}

func targetNames(t syntax.Expr) []string {
	switch t := t.(type) {
	case *syntax.Name:
		return []string{t.ID}
	case *syntax.Star:
		return targetNames(t.X)
	case *syntax.Sequence:
		var out []string
		for _, item := range t.Items {
			out = append(out, targetNames(item)...)
		}
		return out
	}
	return nil
}

// lookup gives what a name of the module stands for: its own, else a builtin.
func (m *module) lookup(e *evaluator, name string) binding {
	if b, ok := m.values[name]; ok {
		return b
	}
	if e.step() {
		return binding{value: unknownf("more than docket follows in one test")}
	}
	stmts := m.names[name]
	if len(stmts) == 0 {
		for _, s := range m.stars {
			if other := e.reader.imported(m, s); other != nil {
				if _, ok := other.names[name]; ok && other != m {
					return other.lookup(e, name)
				}
			}
		}
		return binding{value: &external{name}}
	}
	if m.busy[name] {
		return binding{value: unknownf("%s, which is made of itself", brief(name))}
	}
	m.busy[name] = true
	defer delete(m.busy, name)
	b := m.evaluate(e, name, stmts[len(stmts)-1])
	if m.unsure[name] {
		if _, isFunction := b.value.(*function); !isFunction {
			b.value = unknownf("%s, which is changed in place or set in a branch", brief(name))
		}
	}
	m.values[name] = b
	return b
}

func (m *module) evaluate(e *evaluator, name string, s syntax.Stmt) binding {
	switch s := s.(type) {
	case *syntax.Def:
		return binding{value: &function{def: s, module: m}}
	case *syntax.Class:
		return binding{value: &class{def: s, module: m}}
	case *syntax.Import:
		return m.evaluateImport(e, name, s)
	case *syntax.Assign:
		if s.Value == nil {
			return binding{value: unknownf("%s, which has no value here", brief(name))}
		}
		own := *e
		own.module, own.scope, own.frame = m, &scope{names: map[string]binding{}}, &activation{}
		own.claims, own.calls, own.steps = nil, nil, 0
		b := own.bind(s.Value)
		for _, t := range s.Targets {
			own.assign(t, b)
		}
		got := own.scope.names[name]
		if got.value == nil {
			got.value = unknownf("the value of %s", brief(name))
		}
		if own.spent {
			got.value = unknownf("more than docket follows in one test")
		}
		if got.from == "" && constant(got.value) {
			got.from = name
		}
		return got
	}
	return binding{value: unknownf("the value of %s", brief(name))}
}

// constant tells a value that tests may share.
func constant(v value) bool {
	switch v.(type) {
	case text, number, *sequence, *dict, unknown:
		return true
	}
	return false
}

func (m *module) evaluateImport(e *evaluator, name string, s *syntax.Import) binding {
	for _, a := range s.Names {
		bound := a.As
		if a.As == a.Name {
			bound, _, _ = strings.Cut(a.As, ".")
		}
		if bound != name {
			continue
		}
		if !s.From {
			if other := e.reader.load(m, strings.ReplaceAll(a.Name, ".", "/"), 0); other != nil && (a.As != a.Name || !strings.Contains(a.Name, ".")) {
				return binding{value: other}
			}
			if a.As != a.Name {
				return binding{value: &external{a.Name}}
			}
			return binding{value: &external{name}}
		}
		if other := e.reader.imported(m, s); other != nil {
			if _, ok := other.names[a.Name]; ok || len(other.stars) > 0 {
				return other.lookup(e, a.Name)
			}
		}
		if s.Level > 0 || s.Module != "" {
			at := strings.ReplaceAll(s.Module, ".", "/")
			if other := e.reader.load(m, path.Join(at, a.Name), s.Level); other != nil {
				return binding{value: other}
			}
		}
		if s.Module == "" {
			return binding{value: &external{a.Name}}
		}
		return binding{value: &external{s.Module + "." + a.Name}}
	}
	return binding{value: unknownf("the value of %s", brief(name))}
}
