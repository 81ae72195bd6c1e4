package python

import "docket/engine/legacy/python/syntax"

func (e *evaluator) subscript(x *syntax.Subscript) value {
	v := e.eval(x.X)
	if s, ok := x.Index.(*syntax.Slice); ok {
		return e.slice(x, v, s)
	}
	index := e.eval(x.Index)
	switch v := v.(type) {
	case *symbol:
		if key, ok := index.(text); ok {
			return v.member(string(key), e.source(x))
		}
		if n, ok := integer(index); ok {
			if n < 0 && v.role == documentRole {
				return &symbol{role: documentRole, path: v.path + "[]", source: e.source(x), call: v.call}
			}
			return v.item(n, e.source(x))
		}
		c := *v
		c.source = e.source(x)
		return &c
	case *dict:
		if got, ok := v.get(index); ok {
			return got
		}
	case *sequence:
		if n, ok := place(index, len(v.items)); ok {
			return v.items[n]
		}
	case text:
		runes := []rune(string(v))
		if n, ok := place(index, len(runes)); ok {
			return text(string(runes[n]))
		}
	case unknown:
		return v
	}
	return unknownf("computed at run time by %s", brief(e.source(x)))
}

// place is an index within n items.
func place(index value, n int) (int, bool) {
	i, ok := integer(index)
	if i < 0 {
		i += n
	}
	return i, ok && i >= 0 && i < n
}

func (e *evaluator) slice(x *syntax.Subscript, v value, s *syntax.Slice) value {
	if sym, ok := v.(*symbol); ok {
		c := *sym
		c.source = e.source(x)
		return &c
	}
	bound := func(b syntax.Expr, otherwise, n int) (int, bool) {
		if b == nil {
			return otherwise, true
		}
		i, ok := integer(e.eval(b))
		if i < 0 {
			i += n
		}
		return min(max(i, 0), n), ok
	}
	cut := func(n int) (low, high int, ok bool) {
		if s.Step != nil {
			return 0, 0, false
		}
		low, okLow := bound(s.Low, 0, n)
		high, okHigh := bound(s.High, n, n)
		return low, max(low, high), okLow && okHigh
	}
	switch v := v.(type) {
	case text:
		runes := []rune(string(v))
		if low, high, ok := cut(len(runes)); ok {
			return text(string(runes[low:high]))
		}
	case *sequence:
		if low, high, ok := cut(len(v.items)); ok {
			return &sequence{open: v.open, items: v.items[low:high:high]}
		}
	}
	return unknownf("computed at run time by %s", brief(e.source(x)))
}
