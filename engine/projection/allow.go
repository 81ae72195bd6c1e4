package projection

import (
	"fmt"
	"slices"
)

// MostAllowed is how many values an allowed set may hold. A projection that
// takes more is no expectation.
const MostAllowed = 8

// Allow returns the value that a line holds of a projection once a person has
// allowed the new values beside the old ones: {"any": [...]}, sorted, each
// value once. Values of an earlier set, and those that samples disagreed on,
// are in it. It is the bare value where there is only one. The error is a
// sentence; the case is the caller's to name.
func (s *Set) Allow(name string, old, new Measured) (any, error) {
	r := s.rule(name)
	var values []any
	for _, side := range []Measured{old, new} {
		if side.known() {
			values = append(values, r.alternatives(side)...)
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s was measured on neither side, so there is nothing to allow", name)
	}
	if w, ok := r.(whole); ok {
		values = w.told(values)
	}
	allowed := either(values)
	if set, ok := anyOf(allowed); ok && len(set) > MostAllowed {
		return nil, fmt.Errorf("%s would be allowed %d values, and more than %d are too many to expect: accept it as unstable instead", name, len(set), MostAllowed)
	}
	return allowed, nil
}

// IsAllowed reports whether a value of a baseline's line is an allowed set.
func IsAllowed(v any) bool {
	_, ok := anyOf(v)
	return ok
}

func (whole) alternatives(m Measured) []any { return bare(m.values()) }

// told leaves out the value that agrees with every other, where there is one.
func (w whole) told(values []any) []any {
	told := slices.DeleteFunc(slices.Clone(values), w.isIndifferent)
	if len(told) == 0 {
		return values
	}
	return told
}

// alternatives of a set of members: what every sample holds, and that with all
// that some of them hold. Compared one by one, the members in the first are
// then required and the others may be there or not.
func (members) alternatives(m Measured) []any {
	if set, ok := anyOf(m.Stable); ok && m.HasStable {
		return set
	}
	s, ok := sideOf(m)
	if !ok {
		return whole{}.alternatives(m)
	}
	var values []any
	if s.sets > 0 {
		least := []any{}
		for key := range s.required {
			least = append(least, readMember(key))
		}
		sortMembers(least)
		values = append(values, least, s.all())
	}
	if s.nulls > 0 {
		values = append(values, nil)
	}
	return values
}

// alternatives of numbers: as many objects as the number with most values has
// values, the numbers that agree in each.
func (n numeric) alternatives(m Measured) []any {
	if set, ok := anyOf(m.Stable); ok && m.HasStable {
		return set
	}
	names, ok := byName(m)
	if !ok {
		return whole{}.alternatives(m)
	}
	most := 1
	for _, one := range names {
		most = max(most, len(one.values()))
	}
	values := make([]any, most)
	for i := range values {
		object := make(map[string]any, len(names))
		for name, one := range names {
			has := one.values()
			object[name] = has[min(i, len(has)-1)].value
		}
		values[i] = object
	}
	return values
}
