package javascript

import (
	"docket/engine/legacy/javascript/syntax"
)

// An outcome is what a function returns, as far as its statements tell.
type outcome struct {
	value *value
	done  bool
}

// statements goes through a list of statements in order.
func (r *reader) statements(list []*syntax.Node, s *scope, out *outcome) {
	for _, n := range list {
		if n.Kind == syntax.Function && n.Text != "" {
			s.bind(n.Text, &value{fn: n, scope: s})
		}
	}
	for _, n := range list {
		if out.done || r.steps > maxSteps {
			return
		}
		r.statement(n, s, out)
	}
}

func (r *reader) statement(n *syntax.Node, s *scope, out *outcome) {
	switch n.Kind {
	case syntax.ExprStmt:
		r.statementValue(n.Kids[0], s)
	case syntax.Var:
		for _, d := range n.Kids {
			v := undefined()
			if init := d.Kid(1); init != nil {
				v = r.eval(init, s)
				if d.Kids[0].Kind == syntax.Ident && (init.Kind == syntax.String || init.Kind == syntax.Template || init.Kind == syntax.Array || init.Kind == syntax.Object) {
					v = named(v, d.Kids[0].Text)
				}
			}
			r.assign(d.Kids[0], v, s, true)
		}
	case syntax.Class:
		s.bind(n.Text, classValue(n, s))
	case syntax.Enum:
		s.bind(n.Text, r.enum(n, s))
	case syntax.Return:
		v := r.eval(n.Kid(0), s)
		r.finish(v, n)
		out.value = better(out.value, v)
		if out.value != v && v.known && out.value != nil && out.value.why != "" {
			out.value = unknown("it depends on a condition")
		}
		out.done = true
	case syntax.Block:
		r.statements(n.Kids, newScope(s, nil), out)
	case syntax.If:
		test := r.eval(n.Kids[0], s)
		if test.known {
			branch := n.Kid(2)
			if truth(test.data) && !test.absent {
				branch = n.Kid(1)
			}
			if branch != nil {
				r.statement(branch, s, out)
			}
			return
		}
		for _, branch := range []*syntax.Node{n.Kid(1), n.Kid(2)} {
			if branch != nil {
				before := r.claims()
				r.statement(branch, s, out)
				out.done = false
				if r.claims() > before {
					r.unresolved(r.module.line(n), "what it claims below this depends on a condition")
				}
			}
		}
	case syntax.ForOf:
		r.forOf(n, s, out)
	case syntax.Loop:
		inner := newScope(s, nil)
		for _, k := range n.Kids {
			switch k.Kind {
			case syntax.Var, syntax.Block, syntax.ExprStmt:
				r.statement(k, inner, out)
			}
		}
	case syntax.Try:
		for _, k := range n.Kids {
			if k.Kind == syntax.Block {
				r.statement(k, s, out)
				out.done = false
			}
		}
	case syntax.Switch:
		inner := newScope(s, nil)
		for _, k := range n.Kids[1:] {
			r.statement(k, inner, out)
			out.done = false
		}
	}
}

// statementValue evaluates an expression that stands for itself, where a chain
// such as expect(x).to.be.true is a claim without a call.
func (r *reader) statementValue(n *syntax.Node, s *scope) *value {
	v := r.eval(n, s)
	r.finish(v, n)
	return v
}

func (r *reader) finish(v *value, n *syntax.Node) {
	if v != nil && v.chain != nil {
		v.chain.finish(r, n)
	}
}

// forOf goes through a list of the suite item by item, and through any other
// once.
func (r *reader) forOf(n *syntax.Node, s *scope, out *outcome) {
	target := n.Kids[0]
	if target.Kind == syntax.Var {
		target = target.Kids[0].Kids[0]
	}
	through := r.eval(n.Kids[1], s)
	items, ok := through.list()
	if !ok || len(items) > maxItems || n.Op == "in" {
		item := unknown("an item of what is computed at run time")
		if through.judged != nil {
			item = r.at(through, 0)
			if j := *through.judged; item.judged != nil && item.judged.subject == "document" {
				j.subject, j.whole = "document", false
				j.path += "[]"
				item = about(j)
			}
		}
		items = []*value{item}
	}
	r.loops = append(r.loops, loop{r.claims()})
	defer func() { r.loops = r.loops[:len(r.loops)-1] }()
	for _, it := range items {
		inner := newScope(s, nil)
		r.assign(target, it, inner, true)
		r.statement(n.Kids[2], inner, out)
	}
}
