package field

import (
	"encoding/json"
	"strconv"
)

// Schema returns a JSON Schema (2020-12) that a document satisfies when the
// path leads to a value, and each value that it leads to satisfies leaf, which
// becomes part of the result.
func (p Path) Schema(leaf map[string]any) map[string]any {
	for i := len(p.steps) - 1; i >= 0; i-- {
		switch st := p.steps[i]; st.kind {
		case every:
			leaf = map[string]any{"type": "array", "items": leaf}
		case item:
			before := make([]any, st.index, st.index+1)
			for j := range before {
				before[j] = true
			}
			leaf = map[string]any{"type": "array", "prefixItems": append(before, leaf), "minItems": json.Number(strconv.Itoa(st.index + 1))}
		default:
			leaf = map[string]any{"type": "object", "required": []any{st.key}, "properties": map[string]any{st.key: leaf}}
		}
	}
	return leaf
}
