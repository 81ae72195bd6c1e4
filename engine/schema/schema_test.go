package schema_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/diff"
	"docket/engine/judge"
	"docket/engine/projection"
	"docket/engine/schema"
	"docket/engine/source"
	"docket/engine/suite"
	"docket/engine/system"
)

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, document(t, name)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		t.Fatalf("the schema of %s: %v", name, err)
	}
	return compiled
}

func document(t *testing.T, name string) any {
	t.Helper()
	text, err := schema.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("the schema of %s: %v", name, err)
	}
	return doc
}

func TestEverySchemaCompiles(t *testing.T) {
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range schema.List() {
		compile(t, e.Name)
		if err := meta.Validate(document(t, e.Name)); err != nil {
			t.Errorf("the schema of %s is none: %v", e.Name, err)
		}
		if e.About == "" {
			t.Errorf("%s is not described", e.Name)
		}
	}
}

func TestGetNamesTheNearest(t *testing.T) {
	_, err := schema.Get("cases")
	if err == nil || !strings.Contains(err.Error(), "did you mean \"case\"") {
		t.Errorf("got %v, want the nearest name in it", err)
	}
}

// TestExamples holds the files of the example suites to the schemas.
func TestExamples(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(path string) any {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		value, problems := source.Parse(path, data)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return value.JSON()
	}
	lines := func(name string) func(path string) {
		s := compile(t, name)
		return func(path string) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			scanner := bufio.NewScanner(bytes.NewReader(data))
			scanner.Buffer(nil, 16<<20)
			for n := 1; scanner.Scan(); n++ {
				value, err := canonical.Parse(scanner.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Validate(value); err != nil {
					t.Errorf("%s:%d: %v", path, n, err)
				}
			}
		}
	}
	document := func(name string) func(path string) {
		s := compile(t, name)
		return func(path string) {
			if err := s.Validate(read(path)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	for _, kind := range []struct {
		name, pattern string
		check         func(path string)
	}{
		{"config", ".docket.yaml", document("config")},
		{"case", "cases/*/*.yaml", document("case")},
		{"output", "cases/*/outputs/*.jsonl", lines("output")},
		{"baseline", "baselines/*/*.jsonl", lines("baseline")},
		{"recording", "cases/*/recordings/help/*.json", document("recording")},
	} {
		found, err := fs.Glob(os.DirFS(root), kind.pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: nothing is at %s (%v)", kind.name, kind.pattern, err)
		}
		for _, path := range found {
			kind.check(filepath.Join(root, filepath.FromSlash(path)))
		}
	}
}

// TestKeysAreTheReaders holds the keys of the schemas to those that docket's
// readers know.
func TestKeysAreTheReaders(t *testing.T) {
	at := func(v any, path ...string) any {
		t.Helper()
		for _, p := range path {
			m, ok := v.(map[string]any)
			if !ok || m[p] == nil {
				t.Fatalf("the schema has nothing at %s", strings.Join(path, "."))
			}
			v = m[p]
		}
		return v
	}
	keys := func(v any, path ...string) []string {
		t.Helper()
		return slices.Sorted(maps.Keys(at(v, path...).(map[string]any)))
	}
	words := func(v any, path ...string) []string {
		t.Helper()
		var list []string
		for _, w := range at(v, append(path, "enum")...).([]any) {
			list = append(list, w.(string))
		}
		return slices.Sorted(slices.Values(list))
	}
	config, oneCase, oneDiff := document(t, "config"), document(t, "case"), document(t, "diff")
	var statuses []string
	for _, s := range diff.Statuses() {
		statuses = append(statuses, string(s))
	}
	for _, test := range []struct {
		what      string
		got, want []string
	}{
		{"a case", keys(oneCase, "properties"), slices.Sorted(slices.Values(suite.CaseKeys()))},
		{"an expectation", keys(oneCase, "$defs", "expect", "properties"), check.Keys()},
		{"the configuration", keys(config, "properties"), slices.Sorted(slices.Values(suite.ConfigKeys()))},
		{"a suite", keys(config, "$defs", "suite", "properties"), slices.Sorted(slices.Values(suite.SuiteKeys()))},
		{"a judge", keys(config, "$defs", "judge", "properties"), slices.Sorted(slices.Values(judge.Keys()))},
		{"kinds of systems", words(config, "$defs", "system", "properties", "kind"), system.Kinds()},
		{"projections", words(config, "$defs", "projection"), slices.Sorted(slices.Values(projection.Names()))},
		{"the statuses of a diff", words(oneDiff, "$defs", "status"), slices.Sorted(slices.Values(statuses))},
	} {
		if d := cmp.Diff(test.want, test.got); d != "" {
			t.Errorf("%s: the reader's keys and the schema's differ (-reader +schema):\n%s", test.what, d)
		}
	}
	// What a system of each kind may have.
	common := keys(config, "$defs", "system", "properties")
	for _, branch := range at(config, "$defs", "system", "oneOf").([]any) {
		own := keys(branch, "properties")
		for _, kind := range kindsOf(branch) {
			got := slices.Compact(slices.Sorted(slices.Values(slices.Concat(common, own))))
			if d := cmp.Diff(slices.Sorted(slices.Values(system.Keys(kind))), got); d != "" {
				t.Errorf("a system of kind %s: the reader's keys and the schema's differ (-reader +schema):\n%s", kind, d)
			}
		}
	}
}

func kindsOf(branch any) []string {
	kind := branch.(map[string]any)["properties"].(map[string]any)["kind"].(map[string]any)
	if only, ok := kind["const"].(string); ok {
		return []string{only}
	}
	var kinds []string
	for _, k := range kind["enum"].([]any) {
		kinds = append(kinds, k.(string))
	}
	return kinds
}

// TestBothRefuse has slips that the readers refuse refused by the schemas.
func TestBothRefuse(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"case", `{"id":"a","input":{}}`},
		{"case", `{"id":"a","provenance":"p","input":{},"prompt":"x"}`},
		{"case", `{"id":"a","provenance":"p","input":{},"weight":0}`},
		{"case", `{"id":"a","provenance":"p","input":{},"expect":{"max_wrods":3}}`},
		{"case", `{"id":"a","provenance":"p","input":{},"expect":{"must_contain_fact":[{"key":"k"}]}}`},
		{"case", `{"id":"a","provenance":"p","input":{},"expect":{"tool_calls":{"order":[]}}}`},
		{"config", `{"version":1,"suites":{}}`},
		{"config", `{"version":1,"suites":{"a":{"cases":"c","expires":"90"}}}`},
		{"config", `{"version":1,"suites":{"a":{"cases":"c"}},"systems":{"s":{"kind":"outputs"}}}`},
		{"config", `{"version":1,"suites":{"a":{"cases":"c"}},"systems":{"s":{"kind":"canned","command":["x"]}}}`},
		{"config", `{"version":1,"suites":{"a/b":{"cases":"c"}}}`},
		{"output", `{"id":"a"}`},
		{"output", `{"text":"a"}`},
		{"contract", `{"expect":{}}`},
		{"baseline", `{"id":"a"}`},
	} {
		var doc any
		decoder := json.NewDecoder(strings.NewReader(test.text))
		decoder.UseNumber()
		if err := decoder.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		if err := compile(t, test.name).Validate(doc); err == nil {
			t.Errorf("the schema of %s takes %s", test.name, test.text)
		}
	}
}
