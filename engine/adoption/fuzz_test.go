package adoption_test

import (
	"bytes"
	"slices"
	"testing"

	"docket/engine/adoption"
	"docket/engine/interchange"
	"docket/engine/source"
)

// FuzzAdopt: each id of a file of outputs becomes one case, or is listed with the
// reason; and what a case becomes is YAML that says the id.
func FuzzAdopt(f *testing.F) {
	f.Add([]byte(`{"id":"a","text":"paid","input":{"mail":"x"}}`+"\n"+`{"id":"b\u202e: [","tool_calls":[{"name":"look","arguments":{}}],"input":{"k: v":"- \n#"}}`+"\n"), false)
	f.Add([]byte(`{"id":"anna@example.org","output":{"a":1e999},"input":{"":null}}`+"\n"), true)
	f.Add([]byte(`{"id":"c","error":"x"}`+"\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, redact bool) {
		file, err := interchange.Read(t.Context(), "f.jsonl", bytes.NewReader(data))
		if err != nil {
			return
		}
		a, err := adoption.Adopt(file, adoption.Options{Added: "2026-01-01", Known: func(string) string { return "" }, Redact: redact})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, row := range file.Rows {
			ids = append(ids, row.ID)
		}
		slices.Sort(ids)
		if ids = slices.Compact(ids); len(a.Cases)+len(a.Skipped) != len(ids) {
			t.Fatalf("%d ids became %d cases, and %d were skipped", len(ids), len(a.Cases), len(a.Skipped))
		}
		seen := map[string]bool{}
		for _, c := range a.Cases {
			v, problems := source.Parse(c.Name, c.Text)
			if len(problems) > 0 {
				t.Fatalf("%v in\n%s", problems, c.Text)
			}
			if id, ok := v.Get("id").Text(); !ok || id != c.ID || seen[id] {
				t.Fatalf("the case %q says %q", c.ID, id)
			}
			seen[c.ID] = true
		}
	})
}
