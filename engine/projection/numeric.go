package projection

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// numeric is the rule of named numbers: an object of numbers, null where one
// was looked for and is absent. Each is compared within its tolerance.
type numeric struct {
	within map[string]float64
	// closed says that within names all numbers there are: others were dropped
	// from the configuration and are not compared.
	closed bool
}

func (n numeric) fold(values []any, k int) Measured {
	if allEqual(values) && len(values) == k {
		return Measured{Stable: values[0], HasStable: true, Samples: k}
	}
	byName := map[string][]any{}
	for _, v := range values {
		object, _ := v.(map[string]any)
		for name, number := range object {
			byName[name] = append(byName[name], number)
		}
	}
	m := Measured{Stable: nil, HasStable: true, Samples: k}
	stable := map[string]any{}
	for name, numbers := range byName {
		if v, ok := n.agreed(name, numbers); ok && len(numbers) == k {
			stable[name] = v
			continue
		}
		if m.Unstable == nil {
			m.Unstable = map[string]int{}
		}
		for _, v := range numbers {
			m.Unstable[spellNumber(name, v)]++
		}
	}
	m.Stable = stable
	return m
}

// agreed returns the lower median where all values are absent, or all are
// numbers and no two of them differ by more than the tolerance.
func (n numeric) agreed(name string, values []any) (any, bool) {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, func(a, b any) int {
		// cmp.Compare puts what is no number first, and takes any two as equal.
		return cmp.Or(cmp.Compare(float(a), float(b)), strings.Compare(Spell(a), Spell(b)))
	})
	first, last := sorted[0], sorted[len(sorted)-1]
	return sorted[(len(sorted)-1)/2], n.same(name, first, last)
}

// same reports whether two numbers lie within the tolerance of the name.
func (n numeric) same(name string, a, b any) bool {
	if equal(a, b) {
		return true
	}
	within := n.within[name]
	x, y := float(a), float(b)
	if within <= 0 || math.IsNaN(x) || math.IsNaN(y) {
		return false // without tolerance the spelling decides, to the last digit
	}
	// 1.1 and 1.0 are 0.1 apart to a person, 0.10000000000000009 to a float.
	slack := 4 * 0x1p-52 * max(math.Abs(x), math.Abs(y), within)
	return math.Abs(x-y) <= within+slack
}

// float returns NaN for what is no number.
func float(v any) float64 {
	switch v := v.(type) {
	case json.Number:
		if f, err := strconv.ParseFloat(v.String(), 64); err == nil {
			return f
		}
	case float64:
		return v
	}
	return math.NaN()
}

// spellNumber writes a number among what is unstable as name:value.
func spellNumber(name string, v any) string { return name + ":" + Spell(v) }

func readNumberKey(key string) (name string, value any) {
	colon := strings.LastIndexByte(key, ':')
	if colon < 0 {
		return key, nil
	}
	return key[:colon], Read(key[colon+1:])
}

// byName takes a side of a comparison apart. It reports false where the value
// is no object of numbers, in a file that was edited by hand perhaps.
func byName(m Measured) (map[string]Measured, bool) {
	names := map[string]Measured{}
	if set, ok := anyOf(m.Stable); ok && m.HasStable {
		for _, alternative := range set {
			object, ok := alternative.(map[string]any)
			if !ok {
				return nil, false
			}
			for name, v := range object {
				one := names[name]
				values, _ := anyOf(one.Stable)
				names[name] = Measured{Stable: map[string]any{"any": append(slices.Clone(values), v)}, HasStable: true, Samples: m.Samples}
			}
		}
	} else if m.HasStable {
		object, ok := m.Stable.(map[string]any)
		if !ok {
			return nil, false
		}
		for name, v := range object {
			names[name] = Measured{Stable: v, HasStable: true, Samples: m.Samples}
		}
	}
	for key, count := range m.Unstable {
		name, value := readNumberKey(key)
		one := names[name]
		if one.HasStable {
			continue
		}
		if one.Unstable == nil {
			one = Measured{Unstable: map[string]int{}, Samples: m.Samples}
		}
		one.Unstable[Spell(value)] += count
		names[name] = one
	}
	return names, true
}

func (n numeric) compare(old, new Measured) []Difference {
	before, ok1 := byName(old)
	after, ok2 := byName(new)
	if !ok1 || !ok2 {
		return whole{}.compare(old, new)
	}
	var differences []Difference
	for _, name := range slices.Sorted(maps.Keys(before)) {
		one, both := after[name]
		if _, configured := n.within[name]; !both || n.closed && !configured {
			continue // the configuration gained or lost it
		}
		if d, differs := n.compareOne(name, before[name], one); differs {
			differences = append(differences, d)
		}
	}
	return differences
}

func (n numeric) compareOne(name string, old, new Measured) (Difference, bool) {
	before, after := old.values(), new.values()
	in, out := false, false
	for _, v := range after {
		if slices.ContainsFunc(before, func(o seen) bool { return n.same(name, o.value, v.value) }) || !old.HasStable && n.between(name, before, v.value) {
			in = true
		} else {
			out = true
		}
	}
	d := Difference{Member: name, Old: either(bare(before)), New: either(bare(after))}
	if old.HasStable {
		d.Old = old.Stable
	}
	switch {
	case old.HasStable && !out:
		return d, false
	case old.HasStable && in, !old.HasStable && !in:
		d.Kind = Unsettled
	case old.HasStable && d.New == nil:
		d.Kind = Lost
	case old.HasStable && d.Old == nil:
		d.Kind = Added
	case old.HasStable:
		d.Kind = Changed
	case !out && new.HasStable && settled(old, new):
		d.Kind = Noise
	default:
		return d, false
	}
	return d, true
}

// between reports whether a number lies between the lowest and the highest
// that were seen: a number that wanders was not seen at every place.
func (n numeric) between(name string, before []seen, v any) bool {
	x, low, high := float(v), math.Inf(1), math.Inf(-1)
	for _, s := range before {
		if f := float(s.value); !math.IsNaN(f) {
			low, high = min(low, f), max(high, f)
		}
	}
	return low <= x && x <= high
}

func (n numeric) carry(old, new Measured) Measured {
	before, ok := byName(old)
	stable, isObject := new.Stable.(map[string]any)
	if !ok || !isObject {
		return new
	}
	kept := maps.Clone(stable)
	unstable := maps.Clone(new.Unstable)
	if unstable == nil {
		unstable = map[string]int{}
	}
	for name, one := range before {
		if one.HasStable {
			continue
		}
		v, settledNow := kept[name]
		for spelled, count := range one.Unstable {
			unstable[name+":"+spelled] += count
		}
		if settledNow {
			delete(kept, name)
			unstable[spellNumber(name, v)] += new.Samples
		}
	}
	return Measured{Stable: kept, HasStable: true, Unstable: unstable, Samples: new.Samples}
}
