package projection

import (
	"encoding/json"
	"maps"
	"slices"

	"docket/engine/canonical"
)

// A rule says how the values of one kind of projection fold over samples and
// how two sides of it compare.
type rule interface {
	// fold takes the values of those of the k samples to which the projection
	// applied, at least one.
	fold(values []any, k int) Measured
	// compare takes two sides that both measured the projection.
	compare(old, new Measured) []Difference
	// carry returns what a line may say of new in the place of old.
	carry(old, new Measured) Measured
	// alternatives returns the values that one side took: the one that all
	// samples agree on, those of an allowed set, or what the samples disagreed
	// on, put together to whole values.
	alternatives(m Measured) []any
}

// Measured is what a baseline line holds of one projection.
type Measured struct {
	// Stable is what all samples agreed on, where HasStable says that there is
	// anything. A value of the form {"any": [...]} is an allowed set, written
	// by a person's decision: each value in it will do.
	Stable    any
	HasStable bool
	// Unstable holds what the samples disagreed on, see Fold.
	Unstable map[string]int
	Samples  int // k
}

// known reports whether anything was measured.
func (m Measured) known() bool { return m.HasStable || len(m.Unstable) > 0 }

// Fold folds what Project returned for each of k samples into what all agree
// on and, for each projection, what they disagree on with how often each value
// was seen. The order of the samples does not matter.
//
// A projection that is compared as a whole is stable where it applied to every
// sample with one value; else its values are counted, see Spell for their
// spelling. A sample whose language is unknown agrees with the others.
//
// Of one that is compared member by member the members of every sample are
// stable, the others are counted, each as it is. Null (text that is not JSON)
// in all samples is stable; in some it is counted as null, and since a sample
// without structure has no members, nothing else is stable then.
//
// Each number is stable where no two samples differ by more than its tolerance:
// the lower median is kept. Else its values are counted as name:value.
func (s *Set) Fold(samples []map[string]any) (stable map[string]any, unstable map[string]map[string]int) {
	stable, unstable = map[string]any{}, map[string]map[string]int{}
	names := map[string]struct{}{}
	for _, sample := range samples {
		for name := range sample {
			names[name] = struct{}{}
		}
	}
	values := make([]any, 0, len(samples))
	for name := range names {
		values = values[:0]
		for _, sample := range samples {
			if v, applies := sample[name]; applies {
				values = append(values, v)
			}
		}
		m := s.rule(name).fold(values, len(samples))
		if m.HasStable {
			stable[name] = m.Stable
		}
		if len(m.Unstable) > 0 {
			unstable[name] = m.Unstable
		}
	}
	return stable, unstable
}

// Carry returns what a new line may say of a projection in the place of the
// old one's: the new measurement, except that a set which a person allowed stays
// where the new samples keep to it, however many they are, and that nothing
// becomes stable over fewer samples than the old line stands on. What was unstable there stays so, with
// the counts of both, and what the few new samples happened not to show is not
// forgotten.
func (s *Set) Carry(name string, old, new Measured) Measured {
	if !old.known() || !new.known() {
		return new
	}
	if allowedSet(old) && len(old.Unstable) == 0 && len(s.rule(name).compare(old, new)) == 0 {
		return Measured{Stable: old.Stable, HasStable: true, Samples: new.Samples}
	}
	if len(old.Unstable) == 0 || new.Samples >= old.Samples {
		return new
	}
	return s.rule(name).carry(old, new)
}

// Spell writes a value as a key of what is unstable: a string as it is, all
// else as canonical JSON. A string that would read as JSON ("true", "12") is
// written as a JSON string, in quotes, so that Read tells them apart.
func Spell(v any) string {
	if s, ok := v.(string); ok && !readsAsJSON(s) {
		return s
	}
	return string(canonical.Marshal(v))
}

// Read returns the value that Spell wrote.
func Read(key string) any {
	if readsAsJSON(key) {
		if v, err := canonical.Parse([]byte(key)); err == nil {
			return v
		}
	}
	return key
}

func readsAsJSON(s string) bool {
	if s == "" {
		return false
	}
	switch c := s[0]; {
	case c == '{', c == '[', c == '"', c == '-', isDigit(c), c == 't', c == 'f', c == 'n', c <= ' ':
		return json.Valid([]byte(s))
	}
	return false
}

// anyOf returns the values of an allowed set; false for any other value.
func anyOf(v any) ([]any, bool) {
	if m, ok := v.(map[string]any); ok && len(m) == 1 {
		set, ok := m["any"].([]any)
		return set, ok
	}
	return nil, false
}

// either writes several values as one: itself where there is one, else in the
// form of an allowed set, sorted.
func either(values []any) any {
	if len(values) == 1 { // as nearly always
		return values[0]
	}
	bySpelling := make(map[string]any, len(values))
	for _, v := range values {
		bySpelling[string(canonical.Marshal(v))] = v
	}
	sorted := make([]any, 0, len(bySpelling))
	for _, spelled := range slices.Sorted(maps.Keys(bySpelling)) {
		sorted = append(sorted, bySpelling[spelled])
	}
	if len(sorted) == 1 {
		return sorted[0]
	}
	return map[string]any{"any": sorted}
}

// equal reports whether two JSON values are equal: numbers by value, whatever
// their spelling.
func equal(a, b any) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a == b
	case nil:
		return b == nil
	case bool:
		return b == any(a)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equal)
	case json.Number:
		if b == any(a) {
			return true
		}
	}
	return string(canonical.Marshal(a)) == string(canonical.Marshal(b))
}

func allEqual(values []any) bool {
	for _, v := range values[1:] {
		if !equal(values[0], v) {
			return false
		}
	}
	return true
}
