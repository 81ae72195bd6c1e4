package newcase

import (
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/source"
)

func TestSuggest(t *testing.T) {
	got := Suggest(map[string]any{
		"label": "overdue", "tools": []any{"lookup(id)", "lookup(id,page)"}, "language": "unknown", "refusal": false, "length": "short",
	}, []string{"overdue", "paid"})
	if want := `{"label":"overdue","refusal":false,"tool_calls":{"sequence":["lookup","lookup"]}}`; string(canonical.Marshal(got)) != want {
		t.Errorf("got %s, want %s", canonical.Marshal(got), want)
	}
	if got := Suggest(map[string]any{"label": "ambiguous", "tools": "unparsable"}, []string{"paid"}); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestInput(t *testing.T) {
	for text, want := range map[string]string{
		`{"mail": "a", "n": 007}`:                  `{"mail":"a","n":"007"}`,
		"mail: a\nid_file: x.txt\n":                `{"id_file":"x.txt","mail":"a"}`,
		"id: a\nprovenance: b\ninput: {mail: c}\n": `{"mail":"c"}`,
		"input: {mail: c}\n":                       `{"input":{"mail":"c"}}`,
	} {
		got, err := Input("in.yaml", []byte(text))
		if err != nil || string(canonical.Marshal(got)) != want {
			t.Errorf("%q is the input %s, %v; want %s", text, canonical.Marshal(got), err, want)
		}
	}
	for _, text := range []string{"just words\n", "- a\n", "", "a: 1\na: 2\n"} {
		if _, err := Input("in.yaml", []byte(text)); err == nil {
			t.Errorf("%q is an input", text)
		}
	}
}

// TestFile holds a draft of hard texts to what reading the file back gives.
func TestFile(t *testing.T) {
	d := &Draft{
		ID: "../../etc: [x] |", Added: "2026-05-01", Provenance: "incident INC-4: \"it\" # broke\nthen more\x1b", Tags: []string{"a, b"},
		Input: map[string]any{"mail": "line\n  two\n# three\n", "empty": map[string]any{}}, Suggested: map[string]any{"label": "a\nb: c"}, Origin: "from run x\nid: forged",
	}
	for _, expect := range []bool{false, true} {
		d.Expect = expect
		name, text, err := d.File()
		if err != nil || strings.ContainsAny(name, "/\\: []|") || !strings.HasSuffix(name, ".yaml") {
			t.Fatalf("the file is called %q, %v", name, err)
		}
		v, problems := source.Parse(name, text)
		if len(problems) > 0 {
			t.Fatalf("%v\n%s", problems, text)
		}
		said, _ := v.Get("id").Text()
		why, _ := v.Get("provenance").Text()
		if said != d.ID || why != d.Provenance || string(canonical.Marshal(v.Get("input").JSON())) != string(canonical.Marshal(d.Input)) || v.Get("expect").IsZero() == expect {
			t.Errorf("read back:\n%s", text)
		}
	}
	if _, _, err := (&Draft{ID: "a"}).File(); err == nil {
		t.Error("a case without an input was drafted")
	}
}
