package python

import (
	"sort"
	"unicode/utf8"

	"docket/engine/legacy"
	"docket/engine/legacy/python/syntax"
)

// builtin follows a builtin function; false is one that is none, or whose value
// is not in the source.
func (e *evaluator) builtin(name string, pos []value, args []argument, x *syntax.Call) (value, bool) {
	a := first(pos)
	if s, ok := a.(*symbol); ok {
		if v, ok := e.builtinOf(name, s, pos, x); ok {
			return v, true
		}
	}
	switch name {
	case "any", "all":
		return e.quantified(name == "any", a, x), true
	case "isinstance", "issubclass", "callable":
		return e.typed(a, pos, x), true
	case "hasattr":
		return e.typed(a, nil, x), true
	case "print", "setattr", "delattr":
		return none{}, true
	case "next", "iter", "anext":
		if items, ok := iterate(a); ok && len(items) > 0 && name == "next" {
			return items[0], true
		}
		return orUnknown(a, e.source(x)), true
	case "type":
		if len(pos) == 1 {
			return &symbol{role: typeRole, source: e.source(x)}, true
		}
	case "getattr":
		if t, ok := second(pos).(text); ok {
			return e.attributeOf(a, string(t), x).value, true
		}
	case "dict":
		d := &dict{}
		if from, ok := a.(*dict); ok {
			d.keys, d.values = append(d.keys, from.keys...), append(d.values, from.values...)
		} else if a != nil {
			return nil, false
		}
		for _, arg := range args {
			if arg.name == "**" {
				return unknownf("a dict that is made at run time"), true
			}
			if arg.name != "" {
				d.put(text(arg.name), arg.b.value)
			}
		}
		return d, true
	case "open":
		if l, ok := pathTo(a); ok && !writes(pos, args) {
			return l, true
		}
		return unknownf("read at run time by %s", brief(e.source(x))), true
	case "input":
		return unknownf("typed at run time"), true
	}
	return knownBuiltin(name, a, pos, args)
}

// writes reports a file that is opened for anything but its text.
func writes(pos []value, args []argument) bool {
	mode := second(pos)
	for _, a := range args {
		if a.name == "mode" {
			mode = a.b.value
		}
	}
	t, ok := mode.(text)
	return mode != nil && (!ok || t != "r" && t != "rt")
}

func second(args []value) value {
	if len(args) < 2 {
		return nil
	}
	return args[1]
}

// knownBuiltin computes a builtin function of known values.
func knownBuiltin(name string, a value, pos []value, args []argument) (value, bool) {
	switch name {
	case "len":
		if t, ok := a.(text); ok {
			return number(itoa(utf8.RuneCountInString(string(t)))), true
		}
		if items, ok := iterate(a); ok {
			return number(itoa(len(items))), true
		}
	case "str":
		if len(pos) == 1 {
			if s, ok := display(a); ok {
				return text(s), true
			}
		}
	case "int":
		if n, ok := integer(a); ok && len(pos) == 1 {
			return number(itoa(n)), true
		}
	case "list", "tuple", "set", "frozenset":
		open := map[string]byte{"list": '[', "tuple": '(', "set": '{', "frozenset": '{'}[name]
		if a == nil {
			return &sequence{open: open}, true
		}
		if items, ok := iterate(a); ok {
			return &sequence{open, items}, true
		}
	case "sorted", "reversed":
		items, ok := iterate(a)
		if !ok || len(args) > 1 || len(items) > maxRounds {
			return nil, false
		}
		out := append([]value(nil), items...)
		if name == "reversed" {
			for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
				out[i], out[j] = out[j], out[i]
			}
			return &sequence{'[', out}, true
		}
		for _, v := range out {
			if _, ok := v.(text); !ok {
				return nil, false
			}
		}
		sort.SliceStable(out, func(i, j int) bool { return out[i].(text) < out[j].(text) })
		return &sequence{'[', out}, true
	case "enumerate":
		items, ok := iterate(a)
		if ok && len(args) == 1 {
			s := &sequence{open: '['}
			for i, v := range items {
				s.items = append(s.items, &sequence{'(', []value{number(itoa(i)), v}})
			}
			return s, true
		}
	case "zip":
		return zip(pos)
	case "range":
		return span(pos)
	}
	return nil, false
}

func zip(pos []value) (value, bool) {
	s := &sequence{open: '['}
	for i := 0; i < maxRounds; i++ {
		row := &sequence{open: '('}
		for _, p := range pos {
			items, ok := iterate(p)
			if !ok {
				return nil, false
			}
			if i >= len(items) {
				return s, true
			}
			row.items = append(row.items, items[i])
		}
		if len(row.items) == 0 {
			return s, true
		}
		s.items = append(s.items, row)
	}
	return nil, false
}

func span(pos []value) (value, bool) {
	from, to := 0, 0
	ok, more := true, true
	switch len(pos) {
	case 1:
		to, ok = integer(pos[0])
	case 2:
		from, ok = integer(pos[0])
		to, more = integer(pos[1])
	default:
		return nil, false
	}
	if !ok || !more || to-from > maxRounds {
		return nil, false
	}
	s := &sequence{open: '['}
	for i := from; i < to; i++ {
		s.items = append(s.items, number(itoa(i)))
	}
	return s, true
}

// builtinOf follows a builtin function of something of run time.
func (e *evaluator) builtinOf(name string, s *symbol, pos []value, x *syntax.Call) (value, bool) {
	c := s.renamed(e.source(x))
	switch name {
	case "len":
		c.counted = true
		if (s.role == answerRole || s.role == resultRole) && s.measure == "" {
			c.measure = "characters"
		}
		return c, true
	case "set", "sorted", "list", "tuple", "frozenset":
		if s.role == documentRole && s.path == "" && s.measure == "" {
			c.measure = "keys"
		}
		return c, true
	case "str", "int", "float", "bool", "dict", "reversed", "iter", "next", "round", "sum", "min", "max", "enumerate", "filter", "repr", "anext":
		return c, true
	case "abs":
		return c, true
	case "zip", "map":
		return c, true
	case "hasattr":
		return e.claim(s, legacy.HasKey, x, pos[1:]...), true
	case "getattr":
		if t, ok := second(pos).(text); ok {
			return e.symbolAttribute(s, string(t), x), true
		}
		return c, true
	case "isinstance", "issubclass":
		of := s
		if s.role != documentRole {
			of = s.as(typeRole)
		}
		return e.claim(of, legacy.IsA, x, typeNames(second(pos))...), true
	}
	return nil, false
}

// typed is a claim about the type of a value that is no symbol.
func (e *evaluator) typed(_ value, pos []value, x *syntax.Call) value {
	s := &symbol{role: typeRole, source: e.source(x)}
	if len(pos) < 2 {
		return e.claim(s, legacy.IsA, x)
	}
	return e.claim(s, legacy.IsA, x, typeNames(pos[1])...)
}

// quantified is any() or all().
func (e *evaluator) quantified(anyOf bool, v value, x *syntax.Call) value {
	switch v := v.(type) {
	case *cond:
		out := &cond{}
		for _, c := range v.claims {
			c.Any = anyOf
			out.claims = append(out.claims, c)
		}
		return out
	case *symbol:
		return e.claim(v, legacy.Truthy, x)
	case *sequence:
		var conds []*cond
		for _, item := range v.items {
			if is, ok := truthy(item); ok {
				if is == anyOf {
					return truth(anyOf)
				}
				continue
			}
			conds = append(conds, e.condition(item, x))
		}
		if len(conds) == 0 {
			return truth(!anyOf)
		}
		if anyOf {
			return e.either(conds, x)
		}
		out := &cond{}
		for _, c := range conds {
			for _, one := range c.claims {
				one = e.at(one, x)
				out.claims = fold(out.claims, one)
			}
		}
		return out
	case unknown:
		return v
	}
	return unknownf("computed at run time by %s", brief(e.source(x)))
}

// fold adds a claim to others, into the last one where both say the same of
// different values.
func fold(claims []legacy.Claim, c legacy.Claim) []legacy.Claim {
	if len(claims) == 0 {
		return append(claims, c)
	}
	l := &claims[len(claims)-1]
	joins := c.Op == legacy.Contains || c.Op == legacy.Matches || c.Op == legacy.HasKey || c.Not && (c.Op == legacy.StartsWith || c.Op == legacy.EndsWith)
	if !joins || l.Line != c.Line || l.At != c.At || l.Text != c.Text || l.Subject != c.Subject || l.Path != c.Path || l.Op != c.Op ||
		l.Not != c.Not || l.Any != c.Any || l.Any || l.IgnoreCase != c.IgnoreCase || l.Helper != c.Helper || l.Why != "" || c.Why != "" {
		return append(claims, c)
	}
	l.Values = append(l.Values[:len(l.Values):len(l.Values)], c.Values...)
	return claims
}
