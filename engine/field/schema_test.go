package field_test

import (
	"testing"

	"docket/engine/canonical"
	"docket/engine/field"
)

func TestSchema(t *testing.T) {
	for path, want := range map[string]string{
		"$":             `{"type":"string"}`,
		"status":        `{"properties":{"status":{"type":"string"}},"required":["status"],"type":"object"}`,
		"items[].name":  `{"properties":{"items":{"items":{"properties":{"name":{"type":"string"}},"required":["name"],"type":"object"},"type":"array"}},"required":["items"],"type":"object"}`,
		"items[1]":      `{"properties":{"items":{"minItems":2,"prefixItems":[true,{"type":"string"}],"type":"array"}},"required":["items"],"type":"object"}`,
		`a."net.total"`: `{"properties":{"a":{"properties":{"net.total":{"type":"string"}},"required":["net.total"],"type":"object"}},"required":["a"],"type":"object"}`,
	} {
		p, err := field.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(canonical.Marshal(p.Schema(map[string]any{"type": "string"}))); got != want {
			t.Errorf("%s gives\n%s, want\n%s", path, got, want)
		}
	}
}
