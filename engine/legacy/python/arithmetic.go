package python

import (
	"math/big"
	"strings"

	"docket/engine/legacy/python/syntax"
)

func (e *evaluator) binary(x *syntax.Binary) value {
	left, right := e.eval(x.Left), e.eval(x.Right)
	if l, ok := left.(*symbol); ok {
		if r, ok := right.(*symbol); !ok || r.role == runtimeRole || x.Op == "-" {
			return l.renamed(e.source(x))
		}
	}
	if r, ok := right.(*symbol); ok {
		return r.renamed(e.source(x))
	}
	switch l := left.(type) {
	case located:
		if r, ok := right.(text); ok && x.Op == "/" {
			return l.join(string(r))
		}
	case text:
		switch x.Op {
		case "+":
			if r, ok := right.(text); ok && len(l)+len(r) <= maxText {
				return l + r
			}
		case "*":
			if n, ok := integer(right); ok && n*len(l) <= maxText && n < maxText {
				return text(strings.Repeat(string(l), max(n, 0)))
			}
		case "%":
			return percent(string(l), right)
		}
	case *sequence:
		if r, ok := right.(*sequence); ok && x.Op == "+" && len(l.items)+len(r.items) < fuel {
			return &sequence{open: l.open, items: append(append([]value(nil), l.items...), r.items...)}
		}
		if n, ok := integer(right); ok && x.Op == "*" && n < maxText && n*len(l.items) < fuel {
			s := &sequence{open: l.open}
			for range max(n, 0) {
				s.items = append(s.items, l.items...)
			}
			return s
		}
	case *dict:
		if r, ok := right.(*dict); ok && x.Op == "|" {
			d := &dict{}
			for i := range l.keys {
				d.put(l.keys[i], l.values[i])
			}
			for i := range r.keys {
				d.put(r.keys[i], r.values[i])
			}
			return d
		}
	case number:
		if r, ok := right.(number); ok {
			return arithmetic(l, x.Op, r)
		}
		if r, ok := right.(text); ok && x.Op == "*" {
			if n, ok := integer(l); ok && n < maxText && n*len(r) <= maxText {
				return text(strings.Repeat(string(r), max(n, 0)))
			}
		}
	case *external:
		if x.Op == "/" { // a path of pathlib
			return unknownf("read at run time from %s", brief(e.source(x)))
		}
	case unknown:
		return l
	}
	if r, ok := right.(unknown); ok {
		return r
	}
	return unknownf("computed at run time by %s", brief(e.source(x)))
}

func arithmetic(a number, op string, b number) value {
	x, okx := new(big.Int).SetString(string(a), 10)
	y, oky := new(big.Int).SetString(string(b), 10)
	if !okx || !oky || len(a) > 30 || len(b) > 30 {
		return unknownf("computed at run time by %s %s %s", brief(string(a)), op, brief(string(b)))
	}
	z := new(big.Int)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	default:
		return unknownf("computed at run time by %s %s %s", string(a), op, string(b))
	}
	return number(z.String())
}

func (e *evaluator) unary(x *syntax.Unary) value {
	v := e.eval(x.X)
	switch x.Op {
	case "not":
		if is, ok := truthy(v); ok {
			return truth(!is)
		}
		return e.not(e.condition(v, x.X))
	case "-":
		if n, ok := v.(number); ok {
			if strings.HasPrefix(string(n), "-") {
				return n[1:]
			}
			return number("-") + n
		}
	case "+":
		return v
	}
	if s, ok := v.(*symbol); ok {
		return s
	}
	return unknownf("computed at run time by %s", brief(e.source(x)))
}
