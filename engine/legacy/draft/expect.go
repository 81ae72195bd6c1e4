package draft

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"docket/engine/check"
)

// An Expectation gathers checks until they are what a case, or a contract,
// expects.
type Expectation struct {
	// Loose takes the weaker of two limits, for a contract, which has to hold for
	// every answer; a case takes the stronger one, since both were asked of it.
	Loose bool
	// Values is in the JSON model, under the keys of expect; nil while nothing is
	// asked.
	Values map[string]any
}

// Add joins a check. What it returns is why the check contradicts one that is
// there already, and was left out; "" where it was joined.
func (e *Expectation) Add(c map[string]any) (conflict string) {
	next := clone(e.Values)
	if next == nil {
		next = map[string]any{}
	}
	for _, key := range sorted(c) {
		joined, why := e.join(key, next[key], clone1(c[key]))
		if why != "" {
			return why
		}
		next[key] = joined
	}
	if low, ok := whole(next["min_words"]); ok {
		if high, ok := whole(next["max_words"]); ok && low > high {
			return fmt.Sprintf("no text has %d words at least and %d at most", low, high)
		}
	}
	if why := textual(next, next); why != "" {
		return why
	}
	e.Values = next
	return ""
}

// join returns the value of a key with another added to it.
func (e *Expectation) join(key string, have, more any) (joined any, conflict string) {
	if have == nil || reflect.DeepEqual(have, more) {
		return more, ""
	}
	switch key {
	case "must_contain_fact":
		return joinFacts(have.([]any), more.([]any)), ""
	case "must_not_contain", "must_match", "must_not_match":
		return union(have.([]any), more.([]any)), ""
	case "max_words", "max_chars", "max_sentences":
		return limit(have, more, !e.Loose), ""
	case "min_words":
		return limit(have, more, e.Loose), ""
	case "json_schema":
		return joinSchemas(have, more), ""
	case "fields":
		return joinMaps(have, more, func(path string, _, _ any) (any, string) {
			return nil, "another value is asked for at " + path
		})
	case "structure":
		return joinMaps(have, more, func(part string, a, b any) (any, string) { return e.joinCounts(part, a, b) })
	case "tool_calls":
		return joinTools(have, more)
	}
	return nil, "another " + key + " is asked for"
}

// joinMaps joins two mappings; a key of both goes to both.
func joinMaps(have, more any, both func(key string, a, b any) (any, string)) (any, string) {
	a, okA := have.(map[string]any)
	b, okB := more.(map[string]any)
	if !okA || !okB {
		return nil, "the same is asked for in two forms"
	}
	out := clone(a)
	for _, key := range sorted(b) {
		old, twice := out[key]
		if !twice || reflect.DeepEqual(old, b[key]) {
			out[key] = b[key]
			continue
		}
		joined, why := both(key, old, b[key])
		if why != "" {
			return nil, why
		}
		out[key] = joined
	}
	return out, ""
}

// joinCounts joins two demands on the number of a part, each a number or a
// range: what both allow, or, in a loose expectation, the range around both.
func (e *Expectation) joinCounts(part string, a, b any) (any, string) {
	x, okX := ranged(a)
	y, okY := ranged(b)
	if !okX || !okY {
		return nil, "another number of " + part + " is asked for"
	}
	out := clone(x)
	for _, key := range sorted(y) {
		if out[key] == nil {
			out[key] = y[key]
			continue
		}
		out[key] = limit(out[key], y[key], (key == "max") != e.Loose)
	}
	low, hasLow := whole(out["min"])
	high, hasHigh := whole(out["max"])
	switch {
	case hasLow && hasHigh && low > high:
		return nil, "another number of " + part + " is asked for"
	case hasLow && hasHigh && low == high:
		return out["min"], ""
	}
	return out, ""
}

// ranged is a number, or a range, as a range.
func ranged(v any) (map[string]any, bool) {
	if _, ok := whole(v); ok {
		return map[string]any{"min": v, "max": v}, true
	}
	m, ok := v.(map[string]any)
	return m, ok
}

func joinTools(have, more any) (any, string) {
	joined, why := joinMaps(have, more, func(key string, a, b any) (any, string) {
		switch key {
		case "contains", "forbidden":
			return union(a.([]any), b.([]any)), ""
		case "arguments":
			return joinMaps(a, b, func(tool string, x, y any) (any, string) {
				if keys, ok := x.([]any); ok {
					if others, ok := y.([]any); ok {
						return union(keys, others), ""
					}
				}
				return joinMaps(x, y, func(argument string, _, _ any) (any, string) {
					return nil, "another value is asked for in argument " + argument + " of " + tool
				})
			})
		}
		return nil, "another " + key + " of tool calls is asked for"
	})
	if why != "" {
		return nil, why
	}
	all := joined.(map[string]any)
	forbidden, _ := all["forbidden"].([]any)
	for _, key := range []string{"contains", "sequence"} {
		asked, _ := all[key].([]any)
		for _, name := range asked {
			if slices.Contains(forbidden, name) {
				return nil, fmt.Sprintf("the tool %v is both asked for and forbidden", name)
			}
		}
	}
	return all, ""
}

// joinFacts adds facts that are not there yet, under keys that are free.
func joinFacts(have, more []any) []any {
	out := slices.Clone(have)
	for _, m := range more {
		f := clone(m.(map[string]any))
		key, _ := f["key"].(string)
		known := slices.ContainsFunc(out, func(o any) bool {
			old := clone(o.(map[string]any))
			old["key"] = f["key"]
			return reflect.DeepEqual(old, f)
		})
		if known {
			continue
		}
		taken := func(key string) bool {
			return slices.ContainsFunc(out, func(o any) bool { return o.(map[string]any)["key"] == key })
		}
		for n := 2; taken(f["key"].(string)); n++ {
			f["key"] = key + "_" + strconv.Itoa(n)
		}
		out = append(out, f)
	}
	return out
}

// joinSchemas returns a schema that asks for what both ask.
func joinSchemas(have, more any) any {
	a, okA := have.(map[string]any)
	b, okB := more.(map[string]any)
	if !okA || !okB {
		return map[string]any{"allOf": []any{have, more}}
	}
	out := clone(a)
	for _, key := range sorted(b) {
		old, twice := out[key]
		switch {
		case !twice || reflect.DeepEqual(old, b[key]):
			out[key] = b[key]
		case key == "required":
			out[key] = union(old.([]any), b[key].([]any))
		case key == "properties":
			joined, _ := joinMaps(old, b[key], func(_ string, x, y any) (any, string) { return joinSchemas(x, y), "" })
			out[key] = joined
		case key == "type" && narrows(old, b[key]):
			out[key] = b[key]
		case key == "type" && narrows(b[key], old):
		default:
			if all, ok := a["allOf"].([]any); ok && len(a) == 1 {
				return map[string]any{"allOf": union(all, []any{more})}
			}
			return map[string]any{"allOf": []any{have, more}}
		}
	}
	return out
}

// narrows reports whether a list of types holds another type.
func narrows(wide, narrow any) bool {
	types, ok := wide.([]any)
	return ok && slices.ContainsFunc(types, func(t any) bool { return reflect.DeepEqual(t, narrow) })
}

func union(a, b []any) []any {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.ContainsFunc(out, func(o any) bool { return reflect.DeepEqual(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

// limit is the smaller or the greater of two whole numbers.
func limit(a, b any, smaller bool) any {
	x, _ := whole(a)
	y, _ := whole(b)
	if (x < y) == smaller {
		return a
	}
	return b
}

func whole(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(n.String())
	return i, err == nil
}

func sorted(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// clone copies a mapping; what it holds is never changed in place.
func clone(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// clone1 copies a value that may be a mapping.
func clone1(v any) any {
	if m, ok := v.(map[string]any); ok {
		return clone(m)
	}
	return v
}

// factKey is the name of a fact: what is legible of its value, and no name that
// another check has.
func factKey(value string) string {
	key := slug(value, '_', 40)
	switch {
	case key == "":
		return "fact"
	case slices.Contains(check.Keys(), key), key == check.SchemaName, key == "rubric":
		return key + "_fact"
	}
	return key
}

// slug is what is legible of a text: letters and digits in lower case, and one
// separator for whatever stands between them, cut at a separator.
func slug(s string, separator rune, longest int) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if b.Len() > longest {
			break
		}
		if gap {
			b.WriteRune(separator)
			gap = false
		}
		b.WriteRune(r)
	}
	text := b.String()
	if len(text) > longest {
		if at := strings.LastIndexByte(text[:longest], byte(separator)); at > longest/2 {
			return text[:at]
		}
	}
	return text
}

// Holds reports whether one expectation asks for all that another asks for.
func Holds(all, part map[string]any) bool {
	joined := Expectation{Values: all}
	return all != nil && joined.Add(part) == "" && reflect.DeepEqual(joined.Values, all)
}
