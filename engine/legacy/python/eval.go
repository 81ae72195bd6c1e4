package python

import (
	"strings"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// Limits of what one test is followed through. A test that needs more is read as
// far as they go, and says so.
const (
	fuel       = 8000 // expressions
	maxClaims  = 200  // assertions
	maxCalls   = 12   // functions of the suite within each other
	maxRounds  = 300  // of a loop over known values
	maxNesting = 400  // of expressions; a chain of 2,000 "+" is no test's text
	maxText    = 1 << 20
)

// An evaluator follows one test through its source. It runs nothing: names stand
// for values of the source, or for symbols.
type evaluator struct {
	reader  *reader
	module  *module
	scope   *scope
	frame   *activation
	claims  []legacy.Claim
	calls   []*call
	canned  []string // what doubles were told to say
	tool    string   // the tool that the test spoke of last
	steps   int
	nesting int
	frames  int
	asked   []*call // those whose result was judged
	class   *class  // the test's, or nil
	self    *object
	made    map[string]binding   // fixtures
	params  map[string]binding   // of the test, or of a fixture under "fixture.param"
	pending map[string]bool      // fixtures that are being made
	active  map[*syntax.Def]bool // the functions that are being followed
	spent   bool
}

// An activation is a function of the suite that is being followed.
type activation struct {
	helper   string // its name; "" for the test itself
	line     int    // the test's line that called it
	returned []binding
}

// step counts one step of following, for the test and for its file, and tells
// whether there were too many.
func (e *evaluator) step() bool {
	e.steps++
	e.reader.steps++
	if e.steps > fuel || e.reader.steps > e.reader.budget {
		e.spent = true
		return true
	}
	return false
}

// eval gives what an expression stands for.
func (e *evaluator) eval(x syntax.Expr) value { return e.bind(x).value }

// bind is eval with the name that held the value first.
func (e *evaluator) bind(x syntax.Expr) binding {
	if x == nil {
		return binding{value: none{}}
	}
	e.nesting++
	defer func() { e.nesting-- }()
	if e.step() || e.nesting > maxNesting {
		e.spent = true
		return binding{value: unknownf("more than docket follows in one test")}
	}
	switch x := x.(type) {
	case *syntax.Name:
		return e.lookup(x.ID)
	case *syntax.Attribute:
		return e.attribute(x)
	case *syntax.Await:
		return e.bind(x.X)
	case *syntax.Walrus:
		b := e.bind(x.X)
		e.set(x.Target.ID, b)
		return b
	case *syntax.If:
		if is, ok := truthy(e.eval(x.Cond)); ok {
			if is {
				return e.bind(x.Then)
			}
			return e.bind(x.Else)
		}
		return merge(e.bind(x.Then), e.bind(x.Else))
	case *syntax.Call:
		return e.call(x)
	}
	return binding{value: e.plain(x)}
}

// plain evaluates the expressions whose value no name held.
func (e *evaluator) plain(x syntax.Expr) value {
	switch x := x.(type) {
	case *syntax.String:
		if x.Why != "" {
			return unknownf("a text with %s", x.Why)
		}
		return text(x.Value)
	case *syntax.Format:
		return e.format(x.Parts)
	case *syntax.Number:
		return parseNumber(x.Text)
	case *syntax.Keyword:
		switch x.ID {
		case "True":
			return truth(true)
		case "False":
			return truth(false)
		case "None":
			return none{}
		}
		return unknownf(`"..."`)
	case *syntax.Sequence:
		return e.sequence(x)
	case *syntax.Dict:
		return e.dict(x)
	case *syntax.Comprehension:
		return e.comprehension(x)
	case *syntax.Subscript:
		return e.subscript(x)
	case *syntax.Binary:
		return e.binary(x)
	case *syntax.Unary:
		return e.unary(x)
	case *syntax.Bool:
		return e.boolean(x)
	case *syntax.Compare:
		return e.compare(x)
	case *syntax.Lambda:
		return &function{lambda: x, module: e.module, scope: e.scope}
	case *syntax.Star:
		return e.eval(x.X)
	case *syntax.Yield:
		e.eval(x.X)
		return unknownf("what is sent to a generator")
	}
	return unknownf("an expression that could not be read")
}

// merge is the value of two branches of which only one runs: what is the same in
// both, or the symbol, which tells what it is about in any case.
func merge(a, b binding) binding {
	if same, ok := equal(a.value, b.value); ok && same {
		return a
	}
	for _, x := range []binding{a, b} {
		switch x.value.(type) {
		case *symbol, *cond:
			return x
		}
	}
	if _, ok := a.value.(*function); ok {
		return a
	}
	return binding{value: unknownf("one of several, chosen at run time")}
}

// source is the text of a node in the module that is being followed.
func (e *evaluator) source(n syntax.Node) string { return e.module.tree.Text(n) }

func (e *evaluator) set(name string, b binding) {
	if e.scope == nil {
		return
	}
	e.scope.names[name] = b
}

func (e *evaluator) lookup(name string) binding {
	if b, ok := e.scope.find(name); ok {
		return b
	}
	if name == "__file__" {
		return binding{value: located{e.module.name, true}}
	}
	return e.module.lookup(e, name)
}

func (e *evaluator) format(parts []syntax.FormatPart) value {
	var b strings.Builder
	for _, p := range parts {
		if p.Why != "" {
			return unknownf("a text with %s", p.Why)
		}
		if p.X == nil {
			b.WriteString(p.Text)
			continue
		}
		v := e.eval(p.X)
		spec, ok := e.format(p.Format).(text)
		if !ok {
			return unknownf("a text whose format is computed at run time")
		}
		s, why := formatted(v, p.Conversion, string(spec))
		if why != "" {
			return unknownf("a text with %s in it", why)
		}
		b.WriteString(s)
		if b.Len() > maxText {
			return unknownf("a text longer than docket keeps")
		}
	}
	return text(b.String())
}

func (e *evaluator) sequence(x *syntax.Sequence) value {
	s := &sequence{open: x.Open}
	for _, item := range x.Items {
		star, ok := item.(*syntax.Star)
		if !ok {
			s.items = append(s.items, e.eval(item))
			continue
		}
		items, ok := iterate(e.eval(star.X))
		if !ok {
			return unknownf("a list that %s is spread into", brief(e.source(star.X)))
		}
		s.items = append(s.items, items...)
	}
	return s
}

func (e *evaluator) dict(x *syntax.Dict) value {
	d := &dict{}
	for i := range x.Values {
		v := e.eval(x.Values[i])
		if x.Keys[i] != nil {
			d.put(e.eval(x.Keys[i]), v)
			continue
		}
		from, ok := v.(*dict)
		if !ok {
			return unknownf("a dict that %s is spread into", brief(e.source(x.Values[i])))
		}
		for k := range from.keys {
			d.put(from.keys[k], from.values[k])
		}
	}
	return d
}

func (d *dict) put(key, v value) {
	for i, k := range d.keys {
		if same, ok := equal(k, key); ok && same {
			d.values[i] = v
			return
		}
	}
	d.keys = append(d.keys, key)
	d.values = append(d.values, v)
}

func (d *dict) get(key value) (value, bool) {
	for i, k := range d.keys {
		if same, ok := equal(k, key); ok && same {
			return d.values[i], true
		}
	}
	return nil, false
}

// iterate gives the items of a known value.
func iterate(v value) ([]value, bool) {
	switch v := v.(type) {
	case *sequence:
		return v.items, true
	case *dict:
		return v.keys, true
	case text:
		if len(v) > maxRounds {
			return nil, false
		}
		var out []value
		for _, r := range string(v) {
			out = append(out, text(string(r)))
		}
		return out, true
	}
	return nil, false
}

// comprehension follows a comprehension over known values item by item, and one
// over a symbol once, for any of its items.
func (e *evaluator) comprehension(x *syntax.Comprehension) value {
	e.scope = &scope{names: map[string]binding{}, parent: e.scope}
	defer func() { e.scope = e.scope.parent }()
	out := &sequence{open: x.Open}
	d := &dict{}
	var over *symbol
	lost := ""
	var rounds int
	var clause func(i int)
	clause = func(i int) {
		if lost != "" {
			return
		}
		if i == len(x.Clauses) {
			v := e.eval(x.Value)
			if x.Key != nil {
				d.put(e.eval(x.Key), v)
			} else {
				out.items = append(out.items, v)
			}
			return
		}
		c := x.Clauses[i]
		each := func(v value) {
			e.assign(c.Target, binding{value: v})
			for _, k := range c.Conds {
				is, ok := truthy(e.eval(k))
				if ok && !is {
					return
				}
				if !ok && over == nil {
					lost = "a list of items that are chosen at run time"
					return
				}
			}
			clause(i + 1)
		}
		v := e.eval(c.Iter)
		if s, ok := v.(*symbol); ok {
			over = s
			each(s.item(-1, e.source(c.Iter)))
			return
		}
		items, ok := iterate(v)
		if !ok {
			lost = "a list made of " + brief(e.source(c.Iter))
			return
		}
		for _, item := range items {
			if rounds++; rounds > maxRounds {
				lost = "a list longer than docket follows"
				return
			}
			each(item)
		}
	}
	clause(0)
	switch {
	case lost != "":
		return unknown{lost}
	case over != nil:
		if len(out.items) == 1 {
			return mapped(over, out.items[0], e.source(x))
		}
		return &symbol{role: over.role, path: over.path, measure: over.measure, source: e.source(x), call: over.call}
	case x.Key != nil:
		return d
	}
	return out
}

// mapped is a list made of the items of a symbol, from what became of one item.
func mapped(over *symbol, item value, source string) value {
	switch item := item.(type) {
	case *symbol:
		c := *item
		c.source = source
		return &c
	case *cond:
		return item
	}
	return &symbol{role: over.role, path: over.path, measure: over.measure, source: source, call: over.call}
}
