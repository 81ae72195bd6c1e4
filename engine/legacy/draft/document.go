package draft

import (
	"encoding/json"
	"regexp"
	"strings"

	"docket/engine/field"
	"docket/engine/legacy"
)

// document says a claim about the JSON in the answer: a value as fields, all
// else as a schema.
func document(c *legacy.Claim) Check {
	path, err := field.Parse(pathOf(c.Path))
	if err != nil {
		return left("its path is no path of a JSON document")
	}
	if c.Op == legacy.Parses {
		if c.Not {
			return left("no check asks that a text is no JSON")
		}
		return expect("json_schema", map[string]any{"type": []any{"object", "array"}})
	}
	whole := c.Path == ""
	switch {
	case c.Op == legacy.Equals && !c.Not && len(c.Values) == 1 && !whole && !c.IgnoreCase && !tolerance(c.Values[0]):
		return expect("fields", map[string]any{path.String(): c.Values[0]})
	case c.Op == legacy.Near && !c.Not && isRange(c.Values) && !whole:
		return expect("fields", map[string]any{path.String(): map[string]any{"near": c.Values[0], "within": c.Values[1]}})
	}
	if c.IgnoreCase {
		return left("no check compares a value of JSON without regard to case")
	}
	leaf, why := leafOf(c)
	if why != "" {
		return left(why)
	}
	if c.Not {
		leaf = map[string]any{"not": leaf}
	}
	return expect("json_schema", path.Schema(leaf))
}

// tolerance reports a value that an expectation would take for {near, within}.
func tolerance(v any) bool {
	m, _ := v.(map[string]any)
	_, near := m["near"]
	_, within := m["within"]
	return near || within
}

// isRange reports a number and how far from it is allowed.
func isRange(values []any) bool {
	if len(values) != 2 {
		return false
	}
	_, ok := values[0].(json.Number)
	within, also := values[1].(json.Number)
	return ok && also && !strings.HasPrefix(within.String(), "-")
}

// pathOf is the spelling of the whole document where a claim is about that.
func pathOf(path string) string {
	if path == "" {
		return "$"
	}
	return path
}

// leafOf is the schema that the value itself has to satisfy.
func leafOf(c *legacy.Claim) (schema map[string]any, why string) {
	one := func() (any, bool) {
		if len(c.Values) == 1 {
			return c.Values[0], true
		}
		return nil, false
	}
	switch c.Op {
	case legacy.Equals, legacy.OneOf:
		if len(c.Values) == 0 {
			return nil, "it names no value"
		}
		return map[string]any{"enum": c.Values}, ""
	case legacy.HasKey:
		keys, ok := texts(c.Values)
		if !ok {
			return nil, "it names no key"
		}
		if c.Any && len(keys) > 1 {
			var alternatives []any
			for _, k := range keys {
				alternatives = append(alternatives, map[string]any{"required": []any{k}})
			}
			return map[string]any{"anyOf": alternatives}, ""
		}
		return map[string]any{"type": "object", "required": list(keys)}, ""
	case legacy.Matches:
		v, _ := one()
		s, ok := v.(string)
		if !ok {
			return nil, "it names no pattern"
		}
		re, why := RE2(s)
		return map[string]any{"type": "string", "pattern": re}, why
	case legacy.StartsWith, legacy.EndsWith, legacy.Contains:
		return holds(c)
	case legacy.AtMost, legacy.AtLeast:
		v, _ := one()
		if _, ok := v.(json.Number); !ok {
			return nil, "it names no number"
		}
		if c.Op == legacy.AtMost {
			return map[string]any{"type": "number", "maximum": v}, ""
		}
		return map[string]any{"type": "number", "minimum": v}, ""
	case legacy.Truthy:
		return map[string]any{"not": map[string]any{"enum": []any{"", nil, false, json.Number("0"), []any{}, map[string]any{}}}}, ""
	case legacy.IsA:
		return typed(c)
	}
	return nil, "no check says this of a value of JSON"
}

// holds says what a string begins with, ends with or holds, or which item a
// list has.
func holds(c *legacy.Claim) (map[string]any, string) {
	if len(c.Values) != 1 {
		return nil, "no check says this of several values at once"
	}
	s, isText := c.Values[0].(string)
	switch {
	case c.Op == legacy.Contains && !isText:
		return map[string]any{"type": "array", "contains": map[string]any{"const": c.Values[0]}}, ""
	case !isText:
		return nil, "its value is no text"
	case c.Op == legacy.StartsWith:
		return map[string]any{"type": "string", "pattern": "^" + regexp.QuoteMeta(s)}, ""
	case c.Op == legacy.EndsWith:
		return map[string]any{"type": "string", "pattern": regexp.QuoteMeta(s) + "$"}, ""
	}
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "string", "pattern": regexp.QuoteMeta(s)},
		map[string]any{"type": "array", "contains": map[string]any{"const": s}},
		map[string]any{"type": "object", "required": []any{s}},
	}}, ""
}

// typed says a type of Python or JavaScript as one of JSON.
func typed(c *legacy.Claim) (map[string]any, string) {
	names, ok := texts(c.Values)
	if !ok {
		return nil, "it names no type"
	}
	var types []any
	for _, name := range names {
		switch name {
		case "str", "string", "String":
			types = append(types, "string")
		case "dict", "object", "Object":
			types = append(types, "object")
		case "list", "array", "Array":
			types = append(types, "array")
		case "int":
			types = append(types, "integer")
		case "float", "number", "Number":
			types = append(types, "number")
		case "bool", "boolean", "Boolean":
			types = append(types, "boolean")
		case "None", "NoneType", "null":
			types = append(types, "null")
		default:
			return nil, "its type is none of JSON"
		}
	}
	if len(types) == 1 {
		return map[string]any{"type": types[0]}, ""
	}
	return map[string]any{"type": types}, ""
}
