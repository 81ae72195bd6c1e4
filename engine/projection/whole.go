package projection

import (
	"maps"
	"slices"
)

// whole is the rule of a projection that is compared as a whole.
type whole struct {
	// indifferent is a value that agrees with every other; "" for none.
	indifferent string
}

// seen is a value with the number of samples that had it.
type seen struct {
	value any
	count int
}

// values returns the values of a side, sorted by their spelling. The values of
// an allowed set count once each: nobody knows how often they came.
func (m Measured) values() []seen {
	if m.HasStable {
		set, ok := anyOf(m.Stable)
		if !ok {
			return []seen{{m.Stable, m.Samples}}
		}
		all := make([]seen, len(set))
		for i, v := range set {
			all[i] = seen{v, 1}
		}
		return all
	}
	all := make([]seen, 0, len(m.Unstable))
	for _, key := range slices.Sorted(maps.Keys(m.Unstable)) {
		all = append(all, seen{Read(key), m.Unstable[key]})
	}
	return all
}

func bare(all []seen) []any {
	values := make([]any, len(all))
	for i, s := range all {
		values[i] = s.value
	}
	return values
}

func (w whole) isIndifferent(v any) bool { return w.indifferent != "" && v == any(w.indifferent) }

func (w whole) fold(values []any, k int) Measured {
	m := Measured{Samples: k}
	agreed, several := any(nil), false
	told := false
	for _, v := range values {
		switch {
		case w.isIndifferent(v):
		case !told:
			agreed, told = v, true
		case !equal(agreed, v):
			several = true
		}
	}
	if !told {
		agreed = values[0] // all are indifferent
	}
	if !several && len(values) == k {
		m.Stable, m.HasStable = agreed, true
		return m
	}
	m.Unstable = map[string]int{}
	for _, v := range values {
		m.Unstable[Spell(v)]++
	}
	return m
}

func (w whole) compare(old, new Measured) []Difference {
	if old.HasStable && new.HasStable && equal(old.Stable, new.Stable) {
		return nil
	}
	drop := func(all []seen) []seen {
		return slices.DeleteFunc(all, func(s seen) bool { return w.isIndifferent(s.value) })
	}
	before, after := drop(old.values()), drop(new.values())
	if len(before) == 0 || len(after) == 0 {
		return nil
	}
	in, out := false, false
	for _, n := range after {
		if slices.ContainsFunc(before, func(o seen) bool { return equal(o.value, n.value) }) {
			in = true
		} else {
			out = true
		}
	}
	d := Difference{Old: either(bare(before)), New: either(bare(after))}
	if old.HasStable {
		d.Old = old.Stable
	}
	switch {
	case old.HasStable && !out:
		return nil
	case old.HasStable && !in:
		d.Kind = Changed
	case old.HasStable, !in:
		d.Kind = Unsettled
	case !out && new.HasStable && settled(old, new):
		d.Kind = Noise
	default:
		return nil
	}
	return []Difference{d}
}

func (w whole) carry(old, new Measured) Measured {
	if old.HasStable || !new.HasStable {
		return new
	}
	return Measured{Samples: new.Samples, Unstable: pooled(old.Unstable, map[string]int{Spell(new.Stable): new.Samples})}
}

// pooled adds up counts.
func pooled(counts ...map[string]int) map[string]int {
	sum := map[string]int{}
	for _, c := range counts {
		for key, n := range c {
			sum[key] += n
		}
	}
	return sum
}
