package field_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/field"
)

func decode(t *testing.T, s string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFind(t *testing.T) {
	const doc = `{"status":"open","none":null,"a":{"b":[{"c":1},{"c":2},{"d":3}],"x.y":true},"":"blank","$":"dollar",
		"first name":"Ada","rows":[[1,2],[3]],"$schema":"s","größe":4,"say \"hi\"":5,"@type":"Thing"}`
	for _, tc := range []struct{ path, want, spelled string }{
		{"status", `["open"]`, "status"},
		{"$.status", `["open"]`, "status"},
		{"none", `[null]`, "none"},
		{"missing", `[]`, "missing"},
		{"status.deeper", `[]`, "status.deeper"},
		{"a.b[0].c", `[1]`, "a.b[0].c"},
		{"a.b[9].c", `[]`, "a.b[9].c"},
		{"a.b[].c", `[1,2]`, "a.b[].c"},
		{"a.b[*].c", `[1,2]`, "a.b[].c"},
		{`a."x.y"`, `[true]`, `a."x.y"`},
		{`"status"`, `["open"]`, "status"},
		{`""`, `["blank"]`, `""`},
		{`"$"`, `["dollar"]`, `"$"`},
		{`"first name"`, `["Ada"]`, `"first name"`},
		{"rows[][]", `[1,2,3]`, "rows[][]"},
		{"rows[][0]", `[1,3]`, "rows[][0]"},
		{"rows[1][]", `[3]`, "rows[1][]"},
		{"$schema", `["s"]`, "$schema"},
		{"größe", `[4]`, "größe"},
		{`"say \"hi\""`, `[5]`, `"say \"hi\""`},
		{"@type", `["Thing"]`, "@type"},
		{"a[]", `[]`, "a[]"},
		{"a[0]", `[]`, "a[0]"},
	} {
		p, err := field.Parse(tc.path)
		if err != nil {
			t.Errorf("%s: %v", tc.path, err)
			continue
		}
		found := p.Find(decode(t, doc))
		if want := decode(t, tc.want).([]any); len(found)+len(want) > 0 && !reflect.DeepEqual(found, want) {
			t.Errorf("%s finds %v, want %v", tc.path, found, want)
		}
		if p.String() != tc.spelled {
			t.Errorf("%s is spelled %s, want %s", tc.path, p, tc.spelled)
		}
	}
}

func TestWholeDocument(t *testing.T) {
	for _, s := range []string{"$", "$[]", "[]", "[0]", "$[0].a"} {
		if _, err := field.Parse(s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	p, _ := field.Parse("$")
	if got := p.Find("x"); !reflect.DeepEqual(got, []any{"x"}) || p.String() != "$" {
		t.Errorf("$ finds %v and is spelled %s", got, p)
	}
}

func TestParseRefuses(t *testing.T) {
	for path, says := range map[string]string{
		"":                         "empty",
		"  ":                       "empty",
		"a..b":                     "character 3: a key is missing",
		"a.":                       "character 3: a key is missing",
		".a":                       "character 1: a key is missing",
		"$.":                       "a key is missing",
		"a[":                       "never closed",
		"a[x]":                     "a key follows a dot",
		"a[-1]":                    "counted from 0",
		"a[0]b":                    "a dot or a bracket is expected",
		`a."x`:                     "never closed",
		`a."\x"`:                   "JSON string",
		`a"b"`:                     "as a whole",
		"first name":               "double quotes",
		"a]":                       "double quotes",
		"a[99999999999999999999]":  "too large",
		"a\xff":                    "UTF-8",
		strings.Repeat("a.", 3000): "limit",
	} {
		_, err := field.Parse(path)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want an error that says %q", path, err, says)
		}
	}
}

// TestSpellingReadsBack: whatever the keys, a written path leads where it led.
func TestSpellingReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "keys")
		var path []byte
		var doc any = "leaf"
		for i := len(keys) - 1; i >= 0; i-- {
			doc = map[string]any{keys[i]: doc}
		}
		for _, k := range keys {
			path = field.AppendKey(path, k)
		}
		p, err := field.Parse(string(path))
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		if p.String() != string(path) {
			t.Fatalf("%q is spelled %q", path, p)
		}
		if got := p.Find(doc); !reflect.DeepEqual(got, []any{"leaf"}) {
			t.Fatalf("%q finds %v", path, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.b[0].c", "$", `a."x.y"[]`, "$.items[*].name", "a[", `"`, "ä.b"} {
		f.Add(s)
	}
	doc := map[string]any{"a": []any{map[string]any{"b": "c"}}}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := field.Parse(s)
		if err != nil {
			return
		}
		again, err := field.Parse(p.String())
		if err != nil || again.String() != p.String() {
			t.Fatalf("%q is spelled %q, which reads back as %q, %v", s, p, again, err)
		}
		if !reflect.DeepEqual(p.Find(doc), again.Find(doc)) {
			t.Fatalf("%q and %q differ", s, p)
		}
	})
}
