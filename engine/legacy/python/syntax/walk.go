package syntax

// Walk calls visit with each statement and expression of body, outer ones first
// and in the order of the source. Where visit gives false, what is within is
// passed over.
func Walk(body []Stmt, visit func(Node) bool) {
	w := walker{visit}
	w.stmts(body)
}

type walker struct{ visit func(Node) bool }

func (w walker) stmts(body []Stmt) {
	for _, s := range body {
		w.stmt(s)
	}
}

func (w walker) stmt(s Stmt) {
	if !w.visit(s) {
		return
	}
	switch s := s.(type) {
	case *Def:
		w.exprs(s.Decorators)
		w.params(s.Params)
		w.stmts(s.Body)
	case *Class:
		w.exprs(s.Decorators)
		w.args(s.Bases)
		w.stmts(s.Body)
	case *Assign:
		w.exprs(s.Targets)
		w.expr(s.Value)
	case *Augment:
		w.expr(s.Target)
		w.expr(s.Value)
	case *ExprStmt:
		w.expr(s.X)
	case *Return:
		w.expr(s.X)
	case *Assert:
		w.expr(s.Cond)
		w.expr(s.Message)
	case *Raise:
		w.expr(s.X)
	case *IfStmt:
		for i := range s.Conds {
			w.expr(s.Conds[i])
			w.stmts(s.Bodies[i])
		}
		w.stmts(s.Else)
	case *For:
		w.expr(s.Target)
		w.expr(s.Iter)
		w.stmts(s.Body)
	case *While:
		w.expr(s.Cond)
		w.stmts(s.Body)
	case *With:
		for i := range s.Items {
			w.expr(s.Items[i])
			w.expr(s.Targets[i])
		}
		w.stmts(s.Body)
	case *Try:
		w.stmts(s.Body)
		for _, h := range s.Handlers {
			w.expr(h.Type)
			w.stmts(h.Body)
		}
		w.stmts(s.Else)
		w.stmts(s.Finally)
	case *Match:
		w.expr(s.Subject)
		for _, c := range s.Cases {
			w.expr(c.Pattern)
			w.expr(c.Guard)
			w.stmts(c.Body)
		}
	case *Bad:
		w.stmts(s.Body)
	}
}

func (w walker) exprs(xs []Expr) {
	for _, x := range xs {
		w.expr(x)
	}
}

func (w walker) args(args []Arg) {
	for _, a := range args {
		w.expr(a.X)
	}
}

func (w walker) params(params []Param) {
	for _, p := range params {
		w.expr(p.Default)
	}
}

func (w walker) expr(x Expr) {
	if x == nil || !w.visit(x) {
		return
	}
	switch x := x.(type) {
	case *Format:
		w.parts(x.Parts)
	case *Attribute:
		w.expr(x.X)
	case *Subscript:
		w.expr(x.X)
		w.expr(x.Index)
	case *Slice:
		w.expr(x.Low)
		w.expr(x.High)
		w.expr(x.Step)
	case *Call:
		w.expr(x.Func)
		w.args(x.Args)
	case *Binary:
		w.expr(x.Left)
		w.expr(x.Right)
	case *Unary:
		w.expr(x.X)
	case *Bool:
		w.exprs(x.Values)
	case *Compare:
		w.expr(x.Left)
		w.exprs(x.Rights)
	case *If:
		w.expr(x.Then)
		w.expr(x.Cond)
		w.expr(x.Else)
	case *Lambda:
		w.params(x.Params)
		w.expr(x.Body)
	case *Sequence:
		w.exprs(x.Items)
	case *Dict:
		for i := range x.Values {
			w.expr(x.Keys[i])
			w.expr(x.Values[i])
		}
	case *Comprehension:
		w.expr(x.Key)
		w.expr(x.Value)
		for _, c := range x.Clauses {
			w.expr(c.Target)
			w.expr(c.Iter)
			w.exprs(c.Conds)
		}
	case *Star:
		w.expr(x.X)
	case *Await:
		w.expr(x.X)
	case *Yield:
		w.expr(x.X)
	case *Walrus:
		w.expr(x.Target)
		w.expr(x.X)
	}
}

func (w walker) parts(parts []FormatPart) {
	for _, p := range parts {
		w.expr(p.X)
		w.parts(p.Format)
	}
}
