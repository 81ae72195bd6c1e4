package draft

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// schemaClash says why no document satisfies two schemas of the forms that
// Translate writes: their types, listed values and limits at each place, and
// what one denies of the other.
func schemaClash(a, b any) string { return clashAt("the document", a, b) }

func clashAt(place string, a, b any) string {
	x, okX := a.(map[string]any)
	y, okY := b.(map[string]any)
	if !okX || !okY {
		return ""
	}
	for _, pair := range [][2]map[string]any{{x, y}, {y, x}} {
		if all, ok := pair[0]["allOf"].([]any); ok {
			for _, one := range all {
				if why := clashAt(place, one, pair[1]); why != "" {
					return why
				}
			}
		}
		if denied, ok := pair[0]["not"].(map[string]any); ok && len(denied) > 0 && implies(pair[1], denied) {
			return "what is asked of " + place + " is denied too"
		}
	}
	if s, t := types(x["type"]), types(y["type"]); s != nil && t != nil && !slices.ContainsFunc(s, func(v any) bool {
		return slices.Contains(t, v) || v == "integer" && slices.Contains(t, any("number")) || v == "number" && slices.Contains(t, any("integer"))
	}) {
		return fmt.Sprintf("%s has to be of type %v and of type %v", place, s[0], t[0])
	}
	if s, ok := x["enum"].([]any); ok {
		if t, ok := y["enum"].([]any); ok && !slices.ContainsFunc(s, func(v any) bool { return slices.ContainsFunc(t, func(w any) bool { return reflect.DeepEqual(v, w) }) }) {
			return "other values are asked for at " + place
		}
	}
	for _, pair := range [][2]map[string]any{{x, y}, {y, x}} {
		for _, limits := range [][2]string{{"minimum", "maximum"}, {"minItems", "maxItems"}, {"minLength", "maxLength"}} {
			if low, ok := float(pair[0][limits[0]]); ok {
				if high, ok := float(pair[1][limits[1]]); ok && low > high {
					return fmt.Sprintf("%s has to be %v at least and %v at most", place, low, high)
				}
			}
		}
	}
	if why := clashAt("the items of "+place, x["items"], y["items"]); why != "" {
		return why
	}
	some, _ := x["properties"].(map[string]any)
	others, _ := y["properties"].(map[string]any)
	for _, key := range sorted(some) {
		if why := clashAt(fmt.Sprintf("key %q of %s", key, place), some[key], others[key]); why != "" {
			return why
		}
	}
	return ""
}

// implies reports that one schema asks for all that another asks for.
func implies(all, part map[string]any) bool {
	joined, ok := joinSchemas(all, part).(map[string]any)
	return ok && reflect.DeepEqual(joined, all)
}

// types lists the types that a schema allows; nil for any.
func types(v any) []any {
	switch v := v.(type) {
	case string:
		return []any{v}
	case []any:
		return v
	}
	return nil
}

func float(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}
