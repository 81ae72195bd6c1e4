package field_test

import (
	"testing"

	"docket/engine/canonical"
	"docket/engine/field"
)

func TestEdit(t *testing.T) {
	const doc = `{"a":{"b":1,"c":2},"items":[{"id":1,"n":"x"},{"id":2},3],"request_id":"r-1"}`
	drop := func(any) (any, bool) { return nil, false }
	mark := func(any) (any, bool) { return "?", true }
	for _, c := range []struct {
		path string
		edit func(any) (any, bool)
		want string
	}{
		{"request_id", drop, `{"a":{"b":1,"c":2},"items":[{"id":1,"n":"x"},{"id":2},3]}`},
		{"a.b", drop, `{"a":{"c":2},"items":[{"id":1,"n":"x"},{"id":2},3],"request_id":"r-1"}`},
		{"items[].id", mark, `{"a":{"b":1,"c":2},"items":[{"id":"?","n":"x"},{"id":"?"},3],"request_id":"r-1"}`},
		{"items[1]", drop, `{"a":{"b":1,"c":2},"items":[{"id":1,"n":"x"},3],"request_id":"r-1"}`},
		{"items[9]", drop, doc},
		{"items.id", drop, doc},
		{"a[0]", drop, doc},
		{"request_id.deeper", drop, doc},
		{"none", mark, doc},
		{"$", drop, `null`},
	} {
		path, err := field.Parse(c.path)
		if err != nil {
			t.Fatal(err)
		}
		v, err := canonical.Parse([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(canonical.Marshal(path.Edit(v, c.edit))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.path, got, c.want)
		}
		if left := string(canonical.Marshal(v)); left != doc {
			t.Errorf("%s: the document itself changed: %s", c.path, left)
		}
	}
}
