package projection

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
)

// documentTexts yields the strings in a JSON document, keys left out, objects
// in the order of their keys.
func documentTexts(doc any) iter.Seq[string] {
	return func(yield func(string) bool) {
		walkLeaves(doc, func(leaf any) bool {
			text, ok := leaf.(string)
			return !ok || yield(text)
		})
	}
}

// walkLeaves calls visit for each string and number in a JSON value, objects
// in the order of their keys, until visit returns false.
func walkLeaves(v any, visit func(leaf any) bool) bool {
	switch v := v.(type) {
	case string, json.Number:
		return visit(v)
	case []any:
		for _, item := range v {
			if !walkLeaves(item, visit) {
				return false
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !walkLeaves(v[key], visit) {
				return false
			}
		}
	}
	return true
}
