package python

import (
	"encoding/json"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// condition turns whatever is asserted into claims.
func (e *evaluator) condition(v value, x syntax.Expr) *cond {
	switch v := v.(type) {
	case *cond:
		return v
	case *symbol:
		return e.claim(v, legacy.Truthy, x)
	case unknown:
		return &cond{[]legacy.Claim{e.at(legacy.Claim{Subject: legacy.Other, Op: legacy.Unknown, Why: v.why}, x)}}
	}
	return &cond{[]legacy.Claim{e.at(legacy.Claim{Subject: legacy.Other, Op: legacy.Unknown, Why: "the source does not tell what it judges"}, x)}}
}

// at gives a claim the place and text of its source.
func (e *evaluator) at(c legacy.Claim, x syntax.Node) legacy.Claim {
	c.Text = e.source(x)
	c.Line = e.module.tree.Line(x.Range().Start)
	c.End = e.module.tree.Line(max(x.Range().Start, x.Range().End-1))
	return c
}

// claim is one claim about a symbol, with known or unknown values.
func (e *evaluator) claim(s *symbol, op legacy.Op, x syntax.Node, values ...value) *cond {
	if s.call != nil {
		e.asked = append(e.asked, s.call)
	}
	c := legacy.Claim{Subject: s.subject(), Path: s.claimPath(e), Op: op, IgnoreCase: s.fold}
	for _, v := range values {
		m, why := model(v)
		if why != "" {
			c.Values, c.Why = nil, why
			break
		}
		c.Values = append(c.Values, m)
	}
	if s.measure == "keys" && s.role == documentRole && op == legacy.Contains {
		c.Op = legacy.HasKey
	}
	return &cond{[]legacy.Claim{e.at(c, x)}}
}

// not denies a condition.
func (e *evaluator) not(c *cond) *cond {
	if len(c.claims) != 1 {
		// Not all of several: no claim says which.
		out := &cond{}
		first := c.claims[0]
		out.claims = append(out.claims, legacy.Claim{Line: first.Line, End: first.End, Text: "not (" + first.Text + " …)", Subject: first.Subject, Op: legacy.Unknown, Why: "it denies several things at once"})
		return out
	}
	n := c.claims[0]
	switch {
	case !n.Not && n.Any:
		n.Any = false // none of them
	case n.Not && !n.Any && len(n.Values) > 1:
		n.Any = true // one of them at least
	case !n.Not && len(n.Values) > 1 && (n.Op == legacy.Contains || n.Op == legacy.Matches):
		n.Any = true // one of them is missing
	}
	n.Not = !n.Not
	return &cond{[]legacy.Claim{n}}
}

// boolean joins the conditions of "and" and "or".
func (e *evaluator) boolean(x *syntax.Bool) value {
	var conds []*cond
	for i, sub := range x.Values {
		v := e.eval(sub)
		if is, ok := truthy(v); ok {
			if is == (x.Op == "or") || i == len(x.Values)-1 && len(conds) == 0 {
				return v
			}
			continue
		}
		if i == len(x.Values)-1 && len(conds) == 0 {
			return v
		}
		if s, ok := v.(*symbol); ok && x.Op == "or" && i == 0 && len(x.Values) == 2 && isDefault(x.Values[1]) {
			return s // text or ""
		}
		conds = append(conds, e.condition(v, sub))
	}
	if len(conds) == 0 {
		return unknownf("computed at run time by %s", brief(e.source(x)))
	}
	if x.Op == "and" {
		out := &cond{}
		for _, c := range conds {
			out.claims = append(out.claims, c.claims...)
		}
		return out
	}
	return e.either(conds, x)
}

// isDefault tells an empty value, as in: response.text or "".
func isDefault(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.String:
		return x.Value == ""
	case *syntax.Sequence:
		return len(x.Items) == 0
	case *syntax.Dict:
		return len(x.Values) == 0
	}
	return false
}

// either joins conditions of which one is enough: those that differ in their
// value alone are one claim with several values.
func (e *evaluator) either(conds []*cond, x syntax.Node) *cond {
	var joined legacy.Claim
	for i, c := range conds {
		if len(c.claims) != 1 {
			return e.lost(conds, x)
		}
		one := c.claims[0]
		if one.Why != "" || len(one.Values) == 0 || len(one.Values) > 1 && !one.Any || one.Op == legacy.Near {
			return e.lost(conds, x)
		}
		if i == 0 {
			joined = one
			continue
		}
		if one.Subject != joined.Subject || one.Path != joined.Path || one.Op != joined.Op || one.Not != joined.Not || one.IgnoreCase != joined.IgnoreCase {
			return e.lost(conds, x)
		}
		joined.Values = append(joined.Values[:len(joined.Values):len(joined.Values)], one.Values...)
	}
	joined.Any = len(joined.Values) > 1
	if joined.Op == legacy.Equals && joined.Any && !joined.Not {
		joined.Op, joined.Any = legacy.OneOf, false
	}
	return &cond{[]legacy.Claim{e.at(joined, x)}}
}

// lost is a claim about what the first condition is about, of which no more can
// be said.
func (e *evaluator) lost(conds []*cond, x syntax.Node) *cond {
	first := conds[0].claims[0]
	return &cond{[]legacy.Claim{e.at(legacy.Claim{Subject: first.Subject, Path: first.Path, Op: legacy.Unknown, Why: "one of several different things is enough"}, x)}}
}

// compare turns a chain of comparisons into a value or claims.
func (e *evaluator) compare(x *syntax.Compare) value {
	left := e.eval(x.Left)
	out := &cond{}
	all := true
	for i, o := range x.Ops {
		right := e.eval(x.Rights[i])
		switch c := e.compared(left, o, right, x).(type) {
		case truth:
			if !bool(c) {
				return c
			}
		case *cond:
			all = false
			out.claims = append(out.claims, c.claims...)
		case unknown:
			return c
		}
		left = right
	}
	if all {
		return truth(true)
	}
	return out
}

// mirror is the comparison that says the same with its sides changed; "" where
// there is none.
func mirror(o string) string {
	switch o {
	case "<":
		return ">"
	case ">":
		return "<"
	case "<=":
		return ">="
	case ">=":
		return "<="
	case "==", "!=", "is", "is not":
		return o
	}
	return ""
}

func (e *evaluator) compared(left value, o string, right value, x syntax.Expr) value {
	if s, ok := left.(*symbol); ok {
		if c := e.about(s, o, right, x); c != nil {
			return c
		}
	}
	if s, ok := right.(*symbol); ok {
		switch o {
		case "in", "not in":
			c := e.contains(s, left, x)
			if o == "not in" {
				c = e.not(c)
			}
			return c
		}
		if c := e.about(s, mirror(o), left, x); c != nil {
			return c
		}
	}
	if c, ok := left.(*cond); ok {
		if is, known := truthy(right); known {
			// re.search(…) is None, text.startswith(…) == True
			if is == (o == "==" || o == "is") {
				return c
			}
			return e.not(c)
		}
	}
	if n, ok := e.distance(left, o, right, x); ok {
		return n
	}
	return knownComparison(left, o, right, e.source(x))
}

// distance reads abs(x - y) < d, with x at run time.
func (e *evaluator) distance(left value, o string, right value, x syntax.Node) (value, bool) {
	a, ok := left.(*approx)
	if !ok || (o != "<" && o != "<=") {
		return nil, false
	}
	s, ok := a.value.(*symbol)
	if !ok {
		return nil, false
	}
	return e.claim(s, legacy.Near, x, a.within, right), true
}

// about is the claim that s compares so with a value, or nil where the value
// tells more about what is judged.
func (e *evaluator) about(s *symbol, o string, right value, x syntax.Expr) *cond {
	if r, ok := right.(*symbol); ok && r.role == snapshotRole && o == "==" {
		return e.claim(s, legacy.Snapshot, x)
	}
	switch o {
	case "==", "is":
		return e.equals(s, right, x)
	case "!=", "is not":
		return e.not(e.equals(s, right, x))
	case "in":
		return e.oneOf(s, right, x)
	case "not in":
		return e.not(e.oneOf(s, right, x))
	case "<", "<=", ">", ">=":
		return e.ordered(s, o, right, x)
	}
	return nil
}

func (e *evaluator) equals(s *symbol, right value, x syntax.Expr) *cond {
	if a, ok := right.(*approx); ok {
		return e.claim(s, legacy.Near, x, a.value, a.within)
	}
	if s.role == typeRole {
		return e.claim(s, legacy.IsA, x, typeNames(right)...)
	}
	if s.role == toolNameRole {
		if t, ok := right.(text); ok {
			e.tool = string(t)
			return e.claim(s, legacy.Contains, x, t)
		}
	}
	items, isList := right.(*sequence)
	switch {
	case isList && s.role == documentRole && s.measure == "keys":
		return e.claim(s, legacy.HasKey, x, items.items...)
	case isList && (s.role == toolsRole || s.role == toolRole || s.role == toolNameRole):
		return e.claim(s, legacy.Equals, x, items.items...)
	}
	if _, ok := right.(none); ok && (s.role == resultRole || s.role == answerRole) {
		return e.not(e.claim(s, legacy.Truthy, x))
	}
	return e.claim(s, legacy.Equals, x, right)
}

func (e *evaluator) oneOf(s *symbol, right value, x syntax.Expr) *cond {
	switch r := right.(type) {
	case *sequence:
		return e.claim(s, legacy.OneOf, x, r.items...)
	case *dict:
		return e.claim(s, legacy.OneOf, x, r.keys...)
	case *symbol:
		if s.role != responseRole && s.role != typeRole {
			return e.contains(r, s, x)
		}
	}
	c := e.claim(s, legacy.OneOf, x)
	c.claims[0].Why = "the values that are allowed are not in the source"
	return c
}

func (e *evaluator) contains(s *symbol, v value, x syntax.Expr) *cond {
	if s.role == documentRole && s.path == "" && s.measure == "" {
		return e.claim(s, legacy.HasKey, x, v)
	}
	if s.role == responseRole || s.role == toolArgsRole {
		return e.claim(s, legacy.HasKey, x, v)
	}
	if t, ok := v.(text); ok && s.role == toolNameRole {
		e.tool = string(t)
	}
	return e.claim(s, legacy.Contains, x, v)
}

// ordered reads a limit. Limits of whole numbers are brought to "at most" and
// "at least".
func (e *evaluator) ordered(s *symbol, o string, right value, x syntax.Expr) *cond {
	if set, ok := right.(*sequence); ok && (o == ">=" || o == ">") {
		values := set.items
		if s.role == answerRole || s.role == resultRole {
			values = nil
			for _, v := range set.items {
				if n, ok := v.(number); ok {
					v = text(n)
				}
				values = append(values, v)
			}
			s = s.as(answerRole)
			s.measure = ""
		}
		return e.claim(s, legacy.Contains, x, values...)
	}
	op := legacy.AtMost
	if o == ">" || o == ">=" {
		op = legacy.AtLeast
	}
	if n, ok := integer(right); ok && s.counted {
		switch o {
		case "<":
			n--
		case ">":
			n++
		}
		if s.measure == "occurrences" {
			return e.occurrences(s, op, n, x)
		}
		return e.claim(s, op, x, number(json.Number(itoa(n))))
	}
	switch o { // no number lies between: what is above n is not at most n
	case "<":
		return e.not(e.claim(s, legacy.AtLeast, x, right))
	case ">":
		return e.not(e.claim(s, legacy.AtMost, x, right))
	}
	return e.claim(s, op, x, right)
}

// occurrences reads text.count(word) >= n as that the text holds the word.
func (e *evaluator) occurrences(s *symbol, op legacy.Op, n int, x syntax.Expr) *cond {
	bare := *s
	bare.measure, bare.counted, bare.path = "", false, ""
	switch {
	case op == legacy.AtLeast && n == 1:
		return e.claim(&bare, legacy.Contains, x, text(s.path))
	case op == legacy.AtMost && n == 0:
		return e.not(e.claim(&bare, legacy.Contains, x, text(s.path)))
	}
	return e.claim(s, op, x, number(itoa(n)))
}
