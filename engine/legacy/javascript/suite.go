package javascript

import (
	"slices"
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript/syntax"
)

// A group is a describe: its names, and what runs before each of its tests.
type group struct {
	outer  *group
	title  string
	before []hook
}

type hook struct {
	fn    *syntax.Node
	scope *scope
}

// suite reads the tests of the file.
func (r *reader) suite() {
	r.module = r.source
	r.group(r.source.tree.Body, r.source.scope, &group{}, true)
}

// group reads the statements of a describe, or of the file.
func (r *reader) group(list []*syntax.Node, s *scope, g *group, top bool) {
	if !top {
		r.hoist(list, s)
	}
	// What runs before the tests may stand below them.
	for _, n := range list {
		if c := called(n); c != nil {
			switch name, _ := callee(c, r); name {
			case "beforeEach", "beforeAll", "before", "setup", "suiteSetup":
				if fn := function(c.Args()); fn != nil {
					g.before = append(g.before, hook{fn, s})
				}
			}
		}
	}
	for _, n := range list {
		if r.full() {
			return
		}
		r.item(n, s, g, top)
	}
}

func (r *reader) full() bool {
	if len(r.file.Tests) < maxTests {
		return false
	}
	if n := len(r.file.Problems); n == 0 || !strings.HasPrefix(r.file.Problems[n-1].Message, "too many tests") {
		r.problem(r.file.Tests[len(r.file.Tests)-1].Line, "too many tests in one file: the rest was not read")
	}
	return true
}

// item reads one statement of a group: a test, a group, a loop over either.
func (r *reader) item(n *syntax.Node, s *scope, g *group, top bool) {
	switch n.Kind {
	case syntax.ForOf:
		r.tests(n, s, g)
		return
	case syntax.Block, syntax.If:
		for _, k := range n.Kids {
			if k.Kind == syntax.Block {
				r.group(k.Kids, newScope(s, nil), g, false)
			} else {
				r.item(k, s, g, top)
			}
		}
		return
	}
	c := called(n)
	if c == nil {
		if n.Kind == syntax.ExprStmt && !top {
			r.steps = 0
			r.eval(n.Kids[0], s)
		}
		return
	}
	name, modes := callee(c, r)
	switch name {
	case "describe", "context", "suite", "fdescribe", "xdescribe":
		r.describe(c, modes, s, g)
	case "it", "test", "specify", "fit", "xit", "xtest":
		r.declared(c, modes, s, g)
	case "forEach":
		r.forEach(c, s, g)
	}
}

// called returns the call that a statement is.
func called(n *syntax.Node) *syntax.Node {
	if n.Kind == syntax.ExprStmt {
		n = n.Kids[0]
	}
	for n.Kind == syntax.Unary && len(n.Kids) == 1 {
		n = n.Kids[0]
	}
	if n.Kind != syntax.Call {
		return nil
	}
	return n
}

// callee names what is called, and the words behind it: it.skip.each(…)(…) is
// it with skip and each.
func callee(c *syntax.Node, r *reader) (name string, modes []string) {
	n := c.Kids[0]
	for {
		switch n.Kind {
		case syntax.Ident:
			slices.Reverse(modes)
			return n.Text, modes
		case syntax.Member:
			modes = append(modes, n.Text)
			if n.Text == "forEach" {
				return "forEach", modes
			}
			n = n.Kids[0]
		case syntax.Call, syntax.Tagged:
			n = n.Kids[0]
		default:
			return "", nil
		}
	}
}

// function finds the function among arguments.
func function(args []*syntax.Node) *syntax.Node {
	for _, a := range args {
		if a.Kind == syntax.Function && a.Kid(0) != nil {
			return a
		}
	}
	return nil
}

func (r *reader) describe(c *syntax.Node, modes []string, s *scope, g *group) {
	fn := function(c.Args())
	if fn == nil || fn.Kids[0].Kind != syntax.Block {
		return
	}
	if r.depth++; r.depth > maxCalls*4 {
		r.depth--
		r.problem(r.module.line(c), "groups of tests nest too deep: this one was not read")
		return
	}
	defer func() { r.depth-- }()
	rows := []*value{nil}
	if slices.Contains(modes, "each") || slices.Contains(modes, "for") {
		rows = r.rows(c, s)
	}
	for i, row := range rows {
		inner := newScope(s, nil)
		title := r.title(c, s)
		if row != nil {
			title = fill(title, row, i)
			r.bindRow(fn, row, inner)
		}
		r.group(fn.Kids[0].Kids, inner, &group{outer: g, title: title}, false)
	}
}

func (r *reader) title(c *syntax.Node, s *scope) string {
	args := c.Args()
	if len(args) == 0 {
		return ""
	}
	r.steps = 0
	v := r.eval(args[0], s)
	if t, ok := plain(v); ok {
		return t
	}
	if args[0].Kind == syntax.Function {
		return args[0].Text
	}
	return strings.Trim(clip(r.module.text(args[0])), "`")
}

// tests reads a loop around tests.
func (r *reader) tests(n *syntax.Node, s *scope, g *group) {
	target := n.Kids[0]
	if target.Kind == syntax.Var {
		target = target.Kids[0].Kids[0]
	}
	r.steps = 0
	through := r.eval(n.Kids[1], s)
	items, ok := through.list()
	if !ok || n.Op == "in" {
		items = []*value{unknown("an item of a list that is computed at run time")}
	}
	if len(items) > maxRows {
		r.problem(r.module.line(n), "the table has more than %d rows: the rest was not read", maxRows)
		items = items[:maxRows]
	}
	for _, it := range items {
		inner := newScope(s, nil)
		r.assign(target, it, inner, true)
		body := n.Kids[2]
		if body.Kind == syntax.Block {
			r.group(body.Kids, inner, &group{outer: g}, false)
		} else {
			r.item(body, inner, g, false)
		}
	}
}

// forEach reads list.forEach(item => { it(…) }).
func (r *reader) forEach(c *syntax.Node, s *scope, g *group) {
	fn := function(c.Args())
	if fn == nil || c.Kids[0].Kind != syntax.Member || r.depth > maxCalls*4 {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	r.steps = 0
	items, ok := r.eval(c.Kids[0].Kids[0], s).list()
	if !ok {
		items = []*value{unknown("an item of a list that is computed at run time")}
	}
	for i, it := range items[:min(len(items), maxRows)] {
		inner := newScope(s, nil)
		for k, p := range fn.Params() {
			v := it
			if k == 1 {
				v = number(float64(i))
			}
			r.assign(p, v, inner, true)
		}
		if fn.Kids[0].Kind == syntax.Block {
			r.group(fn.Kids[0].Kids, inner, &group{outer: g}, false)
		} else {
			r.item(fn.Kids[0], inner, g, false)
		}
	}
}

// declared reads a test, or all the tests of its table.
func (r *reader) declared(c *syntax.Node, modes []string, s *scope, g *group) {
	if c.Kids[0].Kind == syntax.Member && slices.ContainsFunc(modes, func(m string) bool {
		return slices.Contains([]string{"beforeEach", "before", "after", "afterEach", "serial.before", "use", "setTimeout", "extend", "configure", "step", "always"}, m)
	}) {
		if fn := function(c.Args()); fn != nil && slices.Contains(modes, "beforeEach") {
			g.before = append(g.before, hook{fn, s})
		}
		return
	}
	if slices.Contains(modes, "describe") {
		r.describe(c, modes, s, g)
		return
	}
	if len(c.Args()) == 0 {
		return
	}
	fn := function(c.Args())
	table := slices.Contains(modes, "each") || slices.Contains(modes, "for")
	if !table {
		r.one(c, fn, nil, 0, s, g)
		return
	}
	rows := r.rows(c, s)
	for i, row := range rows {
		if r.full() {
			return
		}
		r.one(c, fn, row, i, s, g)
	}
}

// one reads one test.
func (r *reader) one(c, fn *syntax.Node, row *value, i int, s *scope, g *group) {
	t := r.source.tree
	title := r.title(c, s)
	if row != nil {
		title = fill(title, row, i)
	}
	names := []string{title}
	for at := g; at != nil; at = at.outer {
		if at.title != "" {
			names = append(names, at.title)
		}
	}
	slices.Reverse(names)
	line, end := r.source.line(c), r.source.end(c)
	test := legacy.Test{Name: strings.Join(names, " > "), Line: line, End: end, Doc: title, Source: t.LineSpan(line, end), Comments: r.comments(c)}
	r.test, r.steps, r.asked, r.loops, r.helper = &test, 0, nil, nil, nil
	defer func() { r.test = nil }()
	switch {
	case fn == nil && len(c.Args()) < 2:
		r.unresolved(line, "it has a title and no body")
	case fn == nil:
		v := r.eval(c.Args()[len(c.Args())-1], s)
		if v.fn == nil {
			r.unresolved(line, "its body is "+v.reason())
			break
		}
		r.run(v.fn, v.scope, row, g)
	default:
		r.run(fn, s, row, g)
	}
	if r.steps > maxSteps {
		r.unresolved(line, "it computes too much to follow to its end")
	}
	if test.Call == "" && r.asked != nil {
		r.ask(r.asked)
	}
	if r.hasInner[&test] && len(test.Claims) == 0 {
		return
	}
	r.file.Tests = append(r.file.Tests, test)
}

// run goes through what runs before a test, and through its body.
func (r *reader) run(fn *syntax.Node, s *scope, row *value, g *group) {
	var groups []*group
	for at := g; at != nil; at = at.outer {
		groups = append(groups, at)
	}
	slices.Reverse(groups)
	r.hooks = true
	for _, at := range groups {
		for _, h := range at.before {
			r.body(h.fn, newScope(h.scope, nil))
		}
	}
	r.hooks = false
	inner := newScope(s, nil)
	if row != nil {
		r.bindRow(fn, row, inner)
	} else if params := fn.Params(); len(params) > 0 {
		r.assign(params[0], &value{assert: true, outside: "t"}, inner, true)
		if params[0].Kind == syntax.Object { // vitest's own fixtures
			r.assign(params[0], object(), inner, true)
		}
	}
	r.within(s.module, func() *value { return r.body(fn, inner) })
}
