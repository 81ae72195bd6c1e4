package projection

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// prose returns the output's text as far as it is not a JSON document alone: a
// document in a fenced block may have prose around it.
func (s *Subject) prose() string {
	if s.HasDocument && !strings.Contains(s.Output.Text, "```") && !strings.Contains(s.Output.Text, "~~~") {
		return ""
	}
	return s.Output.Text
}

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
		// Small objects are the rule: their keys are sorted on the stack.
		var few [16]string
		keys := few[:0]
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			if !walkLeaves(v[key], visit) {
				return false
			}
		}
	}
	return true
}
