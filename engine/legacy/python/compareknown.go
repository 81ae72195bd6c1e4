package python

import (
	"encoding/json"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// knownComparison compares two values of the source.
func knownComparison(left value, o string, right value, source string) value {
	lost := unknownf("computed at run time by %s", brief(source))
	switch o {
	case "==", "is", "!=", "is not":
		same, ok := equal(left, right)
		if !ok {
			return firstUnknown(left, right, lost)
		}
		return truth(same == (o == "==" || o == "is"))
	case "in", "not in":
		if r, ok := right.(text); ok {
			if l, ok := left.(text); ok {
				return truth(strings.Contains(string(r), string(l)) == (o == "in"))
			}
			return lost
		}
		items, ok := iterate(right)
		if !ok || !known(left) {
			return firstUnknown(left, right, lost)
		}
		for _, item := range items {
			if same, ok := equal(left, item); !ok {
				return lost
			} else if same {
				return truth(o == "in")
			}
		}
		return truth(o == "not in")
	}
	l, okl := left.(number)
	r, okr := right.(number)
	if !okl || !okr {
		return firstUnknown(left, right, lost)
	}
	a, erra := json.Number(l).Float64()
	b, errb := json.Number(r).Float64()
	if erra != nil || errb != nil {
		return lost
	}
	switch o {
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	}
	return truth(a >= b)
}

func firstUnknown(a, b value, otherwise unknown) value {
	for _, v := range []value{a, b} {
		if u, ok := v.(unknown); ok {
			return u
		}
	}
	return otherwise
}

// typeNames are the names of types, such as the second argument of isinstance.
func typeNames(v value) []value {
	switch v := v.(type) {
	case *external:
		return []value{text(v.name[strings.LastIndexByte(v.name, '.')+1:])}
	case *class:
		return []value{text(v.def.Name)}
	case *sequence:
		var out []value
		for _, item := range v.items {
			out = append(out, typeNames(item)...)
		}
		return out
	case none:
		return []value{text("None")}
	}
	return []value{unknownf("a type that the source does not name")}
}
