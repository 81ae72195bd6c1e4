package promptfoo

import (
	"encoding/json"

	"docket/engine/canonical"
	"docket/engine/legacy"
)

// Claims says what assertions claim that stand in a file of results, in the JSON
// model; vars are those of their test, which promptfoo does not fill in there.
func Claims(asserts []any, vars map[string]any) []legacy.Claim {
	var named []variable
	for name, value := range vars {
		named = append(named, variable{name: name, value: value})
	}
	return resultClaims(asserts, named, 0)
}

func resultClaims(asserts []any, vars []variable, depth int) []legacy.Claim {
	var all []legacy.Claim
	for _, a := range asserts {
		object, _ := a.(map[string]any)
		kind, _ := object["type"].(string)
		if inner, set := object["assert"].([]any); set && kind == "assert-set" && object["threshold"] == nil && depth < maxSets {
			all = append(all, resultClaims(inner, vars, depth+1)...)
			continue
		}
		threshold, _ := object["threshold"].(json.Number)
		claims := claim(kind, object["value"], threshold)
		for _, c := range claims {
			c.Text = string(canonical.Marshal(a))
			fill(&c, vars)
			if object["transform"] != nil {
				c.Op, c.Values, c.Why = legacy.Unknown, nil, "of what a script makes of the answer"
			}
			all = append(all, c)
		}
	}
	return all
}
