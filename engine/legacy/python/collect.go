package python

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// collect reads the tests of the main module, in the order of the source.
func (r *reader) collect() { r.collectIn(r.main.tree.Body) }

func (r *reader) collectIn(body []syntax.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Def:
			if strings.HasPrefix(s.Name, "test") && !isFixture(s) {
				r.test(s, nil, "")
			}
		case *syntax.Class:
			r.classTests(s, "")
		case *syntax.IfStmt:
			for _, b := range s.Bodies {
				r.collectIn(b)
			}
			r.collectIn(s.Else)
		case *syntax.Try:
			r.collectIn(s.Body)
			r.collectIn(s.Else)
		case *syntax.With:
			r.collectIn(s.Body)
		case *syntax.Bad:
			r.collectIn(s.Body)
		}
	}
}

// classTests reads the tests of a class: unittest's, or pytest's.
func (r *reader) classTests(s *syntax.Class, outer string) {
	c := &class{def: s, module: r.main}
	name := outer + s.Name
	if !strings.HasPrefix(s.Name, "Test") && !r.isTestCase(c) {
		return
	}
	r.classBody(s.Body, c, name)
}

func (r *reader) classBody(body []syntax.Stmt, c *class, name string) {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Def:
			if strings.HasPrefix(s.Name, "test") && !isFixture(s) {
				r.test(s, c, name+".")
			}
		case *syntax.Class:
			r.classTests(s, name+".")
		case *syntax.IfStmt:
			for _, b := range s.Bodies {
				r.classBody(b, c, name)
			}
		case *syntax.Bad:
			r.classBody(s.Body, c, name)
		}
	}
}

// isTestCase tells a class of unittest, by the names of its bases.
func (r *reader) isTestCase(c *class) bool {
	e := r.evaluator()
	for depth := 0; c != nil && depth < maxCalls; depth++ {
		for _, b := range c.def.Bases {
			name := dottedName(b.X)
			if strings.HasSuffix(name, "TestCase") || strings.HasSuffix(name, "TestBase") {
				return true
			}
		}
		c = e.base(c)
	}
	return false
}

func (r *reader) evaluator() *evaluator {
	return &evaluator{
		reader: r, module: r.main, scope: &scope{names: map[string]binding{}}, frame: &activation{},
		made: map[string]binding{}, params: map[string]binding{}, pending: map[string]bool{}, active: map[*syntax.Def]bool{},
	}
}

// test reads one test function, as one test for each set of its parameters.
func (r *reader) test(d *syntax.Def, c *class, prefix string) {
	sets, problem := r.paramSets(d, c)
	for _, set := range sets {
		name := prefix + d.Name
		if set.id != "" {
			name += "[" + set.id + "]"
		}
		t := r.follow(d, c, name, set)
		if problem != "" {
			t.Unresolved = append([]legacy.Problem{{Line: t.Line, Message: problem}}, t.Unresolved...)
		}
		r.file.Tests = append(r.file.Tests, t)
	}
}

// follow reads one test with given parameters.
func (r *reader) follow(d *syntax.Def, c *class, name string, set paramSet) legacy.Test {
	tree := r.main.tree
	t := legacy.Test{Name: name, Line: tree.Line(d.Start), End: tree.Line(max(d.Start, d.End-1))}
	t.Source = tree.LineText(t.Line, t.End)
	t.Doc = docstring(d.Body)
	t.Comments = r.comments(t.Line, t.End)

	e := r.evaluator()
	e.class = c
	for n, b := range set.values {
		e.params[n] = b
	}
	if c != nil {
		e.self = &object{class: c, attrs: map[string]binding{}}
	}
	e.prepare()
	params := d.Params
	if c != nil && len(params) > 0 && !decorated(d.Decorators, "staticmethod") {
		e.scope.names[params[0].Name] = binding{value: e.self}
		params = params[1:]
	}
	patches := e.patched(d)
	for _, p := range params {
		e.scope.names[p.Name] = e.argument(p, &patches)
	}
	e.claims = nil // what a fixture asserts is no claim of the test
	e.block(d.Body)

	for _, one := range e.claims {
		t.Claims = fold(t.Claims, one)
	}
	r.asked(e, &t)
	r.unresolved(e, &t)
	return t
}

// argument is what pytest passes for a parameter of a test: its value of the
// set, what a decorator patches, or a fixture.
func (e *evaluator) argument(p syntax.Param, patches *int) binding {
	if b, ok := e.params[p.Name]; ok {
		return b
	}
	if *patches > 0 {
		*patches--
		return binding{value: &symbol{role: doubleRole, source: p.Name}}
	}
	return e.fixture(p.Name)
}

// patched counts the decorators that pass a mock to the test.
func (e *evaluator) patched(d *syntax.Def) int {
	n := 0
	for _, x := range d.Decorators {
		c, ok := x.(*syntax.Call)
		if !ok {
			continue
		}
		name := dottedName(x)
		if name == "patch" || strings.HasSuffix(name, ".patch") {
			e.tell(e.arguments(c))
			if len(positional(e.arguments(c))) < 2 {
				n++
			}
		}
		if strings.HasSuffix(name, "patch.object") && len(positional(e.arguments(c))) < 3 {
			n++
		}
	}
	return n
}

// asked finds the call that asks the model: the first whose result is judged,
// else the last one.
func (r *reader) asked(e *evaluator, t *legacy.Test) {
	var c *call
	for _, a := range e.asked {
		if a.model {
			c = a
			break
		}
	}
	if c == nil && len(e.calls) > 0 {
		c = e.calls[len(e.calls)-1]
	}
	if c == nil {
		return
	}
	t.Call = c.text
	t.Inputs = c.inputs
}

func (r *reader) unresolved(e *evaluator, t *legacy.Test) {
	if e.spent {
		t.Unresolved = append(t.Unresolved, legacy.Problem{Line: t.Line, Message: "the test is longer than docket follows: what comes last is missing"})
	}
	for _, in := range t.Inputs {
		if in.Why != "" {
			name := in.Name
			if name == "" {
				name = "the input"
			}
			t.Unresolved = append(t.Unresolved, legacy.Problem{Line: t.Line, Message: name + ": " + in.Why})
		}
	}
	for _, c := range t.Claims {
		if c.Why != "" {
			t.Unresolved = append(t.Unresolved, legacy.Problem{Line: c.At, Message: brief(c.Text) + ": " + c.Why})
		}
	}
}

// docstring is the text that a body begins with, without its indentation.
func docstring(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	s, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	if t, ok := s.X.(*syntax.String); ok && !t.Bytes && t.Why == "" {
		return strings.TrimSpace(cleandoc(t.Value))
	}
	return ""
}

// comments are those within the lines of a test, and right above it.
func (r *reader) comments(first, last int) []string {
	tree := r.main.tree
	lo := r.commentAt(first)
	from := lo
	for from > 0 {
		line := tree.Line(tree.Comments[from-1].Start)
		if line != first-(lo-from)-1 || strings.TrimSpace(tree.LineText(line, line)) != tree.Text(tree.Comments[from-1]) {
			break
		}
		from--
	}
	var out []string
	for _, c := range tree.Comments[from:] {
		if tree.Line(c.Start) > last {
			break
		}
		if text := strings.TrimSpace(strings.TrimLeft(tree.Text(c), "#:!")); text != "" && strings.Trim(text, "-=*#~ ") != "" {
			out = append(out, text)
		}
	}
	return out
}

// commentAt is the place of the first comment on or behind a line.
func (r *reader) commentAt(line int) int {
	tree := r.main.tree
	lo, hi := 0, len(tree.Comments)
	for lo < hi {
		mid := (lo + hi) / 2
		if tree.Line(tree.Comments[mid].Start) < line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
