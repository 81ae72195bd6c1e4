package python

import (
	"strings"

	"docket/engine/legacy/python/syntax"
)

func isFixture(d *syntax.Def) bool {
	for _, x := range d.Decorators {
		switch dottedName(x) {
		case "pytest.fixture", "fixture", "pytest_asyncio.fixture", "pytest.yield_fixture":
			return true
		}
	}
	return false
}

// fixtureCall is the decorator of a fixture where it has arguments, or nil.
func fixtureCall(d *syntax.Def) *syntax.Call {
	for _, x := range d.Decorators {
		if strings.HasSuffix(dottedName(x), "fixture") {
			c, _ := x.(*syntax.Call)
			return c
		}
	}
	return nil
}

// fixtureName is what a fixture is asked for by.
func fixtureName(d *syntax.Def) string {
	if c := fixtureCall(d); c != nil {
		for _, a := range c.Args {
			if s, ok := a.X.(*syntax.String); ok && a.Name == "name" {
				return s.Value
			}
		}
	}
	return d.Name
}

// findFixture looks for a fixture where pytest does: in the class and its bases,
// the file, what the file imports, and each conftest.py upwards.
func (e *evaluator) findFixture(name string) (*syntax.Def, *module) {
	for c, depth := e.class, 0; c != nil && depth < maxCalls; c, depth = e.base(c), depth+1 {
		if d := fixtureIn(c.def.Body, name); d != nil {
			return d, c.module
		}
	}
	if d := fixtureIn(e.reader.main.tree.Body, name); d != nil {
		return d, e.reader.main
	}
	if _, ok := e.reader.main.names[name]; ok {
		if f, ok := e.reader.main.lookup(e, name).value.(*function); ok && f.def != nil && isFixture(f.def) {
			return f.def, f.module
		}
	}
	for up := 0; up <= len(e.reader.folder)+1 && up < 6; up++ {
		m := e.reader.moduleAt(strings.Repeat("../", up) + "conftest.py")
		if m == nil {
			continue
		}
		if d := fixtureIn(m.tree.Body, name); d != nil {
			return d, m
		}
		if _, ok := m.names[name]; ok {
			if f, ok := m.lookup(e, name).value.(*function); ok && f.def != nil && isFixture(f.def) {
				return f.def, f.module
			}
		}
	}
	return nil, nil
}

func fixtureIn(body []syntax.Stmt, name string) *syntax.Def {
	for i := len(body) - 1; i >= 0; i-- {
		if d, ok := body[i].(*syntax.Def); ok && isFixture(d) && fixtureName(d) == name {
			return d
		}
	}
	return nil
}

// fixture gives what a fixture is: its value in the source, or a symbol.
func (e *evaluator) fixture(name string) binding {
	if b, ok := e.made[name]; ok {
		return b
	}
	if e.pending[name] {
		return binding{value: unknownf("the fixture %s, which asks for itself", brief(name))}
	}
	e.pending[name] = true
	defer delete(e.pending, name)
	d, m := e.findFixture(name)
	if d == nil {
		return e.remember(name, binding{value: e.unknownFixture(name)})
	}
	b := e.makeFixture(d, m)
	if b.from == "" && constant(b.value) {
		b.from = name
	}
	return e.remember(name, b)
}

func (e *evaluator) remember(name string, b binding) binding {
	e.made[name] = b
	return b
}

// makeFixture follows the function of a fixture.
func (e *evaluator) makeFixture(d *syntax.Def, m *module) binding {
	var args []argument
	params := d.Params
	f := &function{def: d, module: m}
	if len(params) > 0 && params[0].Name == "self" {
		if e.self != nil {
			f.self = e.self
		}
		params = params[1:]
	}
	for _, p := range params {
		if p.Name == "request" {
			args = append(args, argument{p.Name, binding{value: e.request(fixtureName(d))}})
			continue
		}
		args = append(args, argument{p.Name, e.fixture(p.Name)})
	}
	return e.invoke(f, args, nil)
}

// request is pytest's request within a fixture, with its parameter.
func (e *evaluator) request(fixture string) value {
	o := &object{attrs: map[string]binding{}}
	if b, ok := e.params["fixture "+fixture]; ok {
		o.attrs["param"] = b
	} else if b, ok := e.params[fixture]; ok { // indirect
		o.attrs["param"] = b
	}
	return o
}

// unknownFixture is one that no file of the suite defines: pytest's and the
// plugins' are known by their names.
func (e *evaluator) unknownFixture(name string) value {
	s := &symbol{source: name}
	switch name {
	case "mocker", "monkeypatch", "httpx_mock", "respx_mock", "requests_mock", "responses":
		s.role = doubleRole
	case "snapshot", "snapshot_json", "data_regression", "file_regression", "regtest":
		s.role = snapshotRole
	case "request", "tmp_path", "tmpdir", "tmp_path_factory", "capsys", "capfd", "caplog", "recwarn", "benchmark", "event_loop", "subtests":
		s.role = runtimeRole
	default:
		s.role = objectRole
		lower := strings.ToLower(name)
		if strings.HasPrefix(lower, "mock") || strings.HasPrefix(lower, "fake") || strings.HasSuffix(lower, "_mock") || strings.HasPrefix(lower, "stub") {
			s.role = doubleRole
		}
	}
	return s
}

// prepare follows what runs before each test: autouse fixtures that set
// something on the test's object, and unittest's setUp methods.
func (e *evaluator) prepare() {
	if e.self == nil {
		return
	}
	for _, name := range []string{"setUpClass", "setup_class", "setUp", "setup_method", "asyncSetUp", "setup"} {
		b, ok := e.classMember(e.self.class, name, e.self)
		if !ok {
			continue
		}
		if f, ok := b.value.(*function); ok && !isFixture(f.def) {
			f.self = e.self
			e.invoke(f, nil, nil)
		}
	}
	for c, depth := e.class, 0; c != nil && depth < maxCalls; c, depth = e.base(c), depth+1 {
		for _, s := range c.def.Body {
			d, ok := s.(*syntax.Def)
			if !ok || !isFixture(d) {
				continue
			}
			if call := fixtureCall(d); call != nil && autouse(call) {
				e.fixture(fixtureName(d))
			}
		}
	}
}

func autouse(c *syntax.Call) bool {
	for _, a := range c.Args {
		if k, ok := a.X.(*syntax.Keyword); ok && a.Name == "autouse" && k.ID == "True" {
			return true
		}
	}
	return false
}
