package projection

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"docket/engine/canonical"
)

// members is the rule of a projection whose value is a set of strings that are
// compared one by one, or null for an output without the structure that would
// have them.
type members struct{}

// absence is how null is spelled among what is unstable.
const absence = "null"

// memberKey spells a member as a key of what is unstable: as it is, since every
// member is a string. Only what would read as null or as a quoted member is
// put into quotes.
func memberKey(v any) string {
	s, ok := v.(string)
	if ok && s != absence && !isQuoted(s) {
		return s
	}
	return string(canonical.Marshal(v))
}

func readMember(key string) any {
	if isQuoted(key) {
		return Read(key)
	}
	return key
}

func isQuoted(s string) bool { return strings.HasPrefix(s, `"`) && json.Valid([]byte(s)) }

func (members) fold(values []any, k int) Measured {
	m := Measured{Samples: k}
	if allEqual(values) && len(values) == k {
		m.Stable, m.HasStable = values[0], true
		return m
	}
	counts := map[string]int{}
	nulls := 0
	for _, v := range values {
		items, ok := v.([]any)
		if !ok {
			nulls++
			continue
		}
		for _, item := range items {
			counts[memberKey(item)]++
		}
	}
	stable := []any{}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		if counts[key] >= k {
			stable = append(stable, readMember(key))
			delete(counts, key)
		}
	}
	if nulls > 0 {
		counts[absence] = nulls
	}
	if len(counts) > 0 {
		m.Unstable = counts
	}
	// A set that every sample had is stable in what it holds, if only in that
	// it holds nothing. Where some samples had none, nothing is.
	if nulls == 0 && len(values) == k {
		sortMembers(stable)
		m.Stable, m.HasStable = stable, true
	}
	return m
}

// sortMembers sorts members by their bytes; where they are quoted, their keys
// among what is unstable sort otherwise.
func sortMembers(list []any) {
	text := func(v any) string { s, _ := v.(string); return s }
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(text(a), text(b)) })
}

// side is one side of a comparison, by the spelling of its members.
type side struct {
	required map[string]bool // held by every sample that had a set
	optional map[string]int  // held by some of them
	sets     int             // samples that had a set
	nulls    int             // samples that had none
}

// sideOf reads one side. It reports false where the value is not of this kind,
// in a file that was edited by hand perhaps.
func sideOf(m Measured) (side, bool) {
	s := side{required: map[string]bool{}, optional: map[string]int{}}
	most := 0
	for key, n := range m.Unstable {
		if key == absence {
			s.nulls = n
		} else {
			s.optional[key] = n
			most = max(most, n)
		}
	}
	s.sets = max(m.Samples-s.nulls, most)
	alternatives, allowed := anyOf(m.Stable)
	switch {
	case !m.HasStable:
	case m.Stable == nil:
		s.nulls, s.sets = m.Samples, 0
	case !allowed:
		return s, s.require(m.Stable)
	default:
		return s, s.allow(alternatives)
	}
	return s, true
}

func (s *side) require(v any) bool {
	items, ok := v.([]any)
	for _, item := range items {
		s.required[memberKey(item)] = true
	}
	return ok
}

// allow reads an allowed set of sets: what all of them hold is required, what
// some hold may be there or not.
func (s *side) allow(alternatives []any) bool {
	counts := map[string]int{}
	sets := 0
	for _, v := range alternatives {
		if v == nil {
			s.nulls++
			continue
		}
		items, ok := v.([]any)
		if !ok {
			return false
		}
		sets++
		for _, item := range items {
			counts[memberKey(item)]++
		}
	}
	for key, n := range counts {
		if n == sets {
			s.required[key] = true
		} else {
			s.optional[key] = n
		}
	}
	s.sets = sets
	return true
}

// all returns every member of the side as a sorted list; nil where no sample
// had a set.
func (s side) all() any {
	if s.sets == 0 {
		return nil
	}
	list := []any{}
	for key := range s.required {
		list = append(list, readMember(key))
	}
	for key := range s.optional {
		list = append(list, readMember(key))
	}
	sortMembers(list)
	return list
}

func (members) compare(old, new Measured) []Difference {
	before, ok1 := sideOf(old)
	after, ok2 := sideOf(new)
	if !ok1 || !ok2 {
		return whole{}.compare(old, new)
	}
	var differences []Difference
	switch {
	case before.nulls == 0 && after.sets == 0:
		return []Difference{{Old: before.all(), Kind: Changed}}
	case before.sets == 0 && after.nulls == 0:
		return []Difference{{New: after.all(), Kind: Changed}}
	case before.sets == 0 && after.sets == 0:
		return nil
	case before.sets == 0:
		return []Difference{{New: after.all(), Kind: Unsettled}}
	case after.sets == 0:
		return nil // some of the old had none either
	case before.nulls == 0 && after.nulls > 0:
		differences = append(differences, Difference{Old: before.all(), Kind: Unsettled})
	}

	for _, key := range slices.Sorted(maps.Keys(union(before, after))) {
		some := after.optional[key] > 0
		// Next to samples without a set, all that had one had the member.
		held := after.required[key] || some && after.nulls > 0 && after.optional[key] == after.sets
		_, was := before.optional[key]
		member := readMember(key)
		d := Difference{Member: key, Old: member, New: member}
		switch {
		case before.required[key] && held:
			continue
		case before.required[key] && some:
			d.Kind, d.New = Unsettled, nil
		case before.required[key]:
			d.Kind, d.New = Lost, nil
		case was && (held || !some) && new.HasStable && settled(old, new) && !allowedSet(old):
			d.Kind = Noise
			if !held {
				d.New = nil
			}
		case was:
			continue
		case held:
			d.Kind, d.Old = Added, nil
		default:
			d.Kind, d.Old = Unsettled, nil
		}
		differences = append(differences, d)
	}
	return differences
}

func allowedSet(m Measured) bool {
	_, ok := anyOf(m.Stable)
	return ok && m.HasStable
}

func union(sides ...side) map[string]struct{} {
	keys := map[string]struct{}{}
	for _, s := range sides {
		for key := range s.required {
			keys[key] = struct{}{}
		}
		for key := range s.optional {
			keys[key] = struct{}{}
		}
	}
	return keys
}

func (members) carry(old, new Measured) Measured {
	unstable := pooled(old.Unstable, new.Unstable)
	list, isList := new.Stable.([]any)
	if !isList && !(new.HasStable && new.Stable == nil) {
		return new
	}
	stable := []any{}
	for _, item := range list {
		if key := memberKey(item); old.Unstable[key] > 0 {
			unstable[key] += new.Samples
		} else {
			stable = append(stable, item)
		}
	}
	m := Measured{Samples: new.Samples, Unstable: unstable}
	switch {
	case old.Unstable[absence] > 0:
		// The old line was not even sure that there is a set.
		for _, item := range stable {
			unstable[memberKey(item)] += new.Samples
		}
		if !isList {
			unstable[absence] += new.Samples
		}
	case !isList:
		return new // the set itself went, and with it all that was unstable in it
	default:
		m.Stable, m.HasStable = stable, true
	}
	return m
}
