package draft_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/label"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/source"
)

func values(v ...any) []any { return v }

func TestTranslate(t *testing.T) {
	n := func(s string) json.Number { return json.Number(s) }
	for _, tt := range []struct {
		name  string
		claim legacy.Claim
		want  string // canonical JSON, or the beginning of why it was left
	}{
		{"a fact", legacy.Claim{Subject: legacy.Answer, Op: legacy.Contains, Values: values("30 days")}, `{"must_contain_fact":[{"key":"30_days","value":"30 days"}]}`},
		{"one of several", legacy.Claim{Subject: legacy.Answer, Op: legacy.Contains, Any: true, Values: values("30 days", "a month")}, `{"must_contain_fact":[{"any":["30 days","a month"],"key":"30_days"}]}`},
		{"all of several", legacy.Claim{Subject: legacy.Answer, Op: legacy.Contains, Values: values("a", "b"), IgnoreCase: true}, `{"must_contain_fact":[{"ignore_case":true,"key":"a","value":"a"},{"ignore_case":true,"key":"b","value":"b"}]}`},
		{"a fact named like a check", legacy.Claim{Subject: legacy.Answer, Op: legacy.Contains, Values: values("Refusal")}, `{"must_contain_fact":[{"key":"refusal_fact","value":"Refusal"}]}`},
		{"forbidden", legacy.Claim{Subject: legacy.Answer, Op: legacy.Contains, Not: true, Values: values("14 days")}, `{"must_not_contain":["14 days"]}`},
		{"forbidden in any case", legacy.Claim{Subject: legacy.Answer, Op: legacy.Contains, Not: true, IgnoreCase: true, Values: values("as an AI.")}, `{"must_not_match":["(?i)as an AI\\."]}`},
		{"a prefix", legacy.Claim{Subject: legacy.Answer, Op: legacy.StartsWith, Values: values("Summary:")}, `{"must_match":["^Summary:"]}`},
		{"a suffix", legacy.Claim{Subject: legacy.Answer, Op: legacy.EndsWith, Any: true, Values: values(".", "!")}, `{"must_match":["(?:\\.|!)$"]}`},
		{"words", legacy.Claim{Subject: legacy.Answer, Path: "words", Op: legacy.AtMost, Values: values(n("60"))}, `{"max_words":60}`},
		{"not at most", legacy.Claim{Subject: legacy.Answer, Path: "words", Op: legacy.AtMost, Not: true, Values: values(n("60"))}, `{"min_words":61}`},
		{"lines", legacy.Claim{Subject: legacy.Answer, Path: "lines", Op: legacy.Equals, Values: values(n("3"))}, `{"structure":{"lines":3}}`},
		{"bullets", legacy.Claim{Subject: legacy.Answer, Path: "bullets", Op: legacy.AtLeast, Values: values(n("2"))}, `{"structure":{"bullets":{"min":2}}}`},
		{"a label", legacy.Claim{Subject: legacy.Answer, Op: legacy.Equals, Values: values("overdue")}, `{"label":"overdue"}`},
		{"an exact text", legacy.Claim{Subject: legacy.Answer, Op: legacy.Equals, Values: values("fine.")}, `{"must_match":["^\\s*fine\\.\\s*$"]}`},
		{"not empty", legacy.Claim{Subject: legacy.Answer, Op: legacy.Truthy}, `{"must_match":["\\S"]}`},
		{"a pattern", legacy.Claim{Subject: legacy.Answer, Op: legacy.Matches, Values: values(`\d+ days\Z`)}, `{"must_match":["\\d+ days\\z"]}`},
		{"a look-ahead", legacy.Claim{Subject: legacy.Answer, Op: legacy.Matches, Values: values(`(?=x)y`)}, `the pattern "(?=x)y" is none of RE2`},
		{"a value computed", legacy.Claim{Subject: legacy.Answer, Op: legacy.Contains, Why: "computed at run time"}, `its value is computed at run time`},
		{"a field", legacy.Claim{Subject: legacy.Document, Path: "status", Op: legacy.Equals, Values: values("overdue")}, `{"fields":{"status":"overdue"}}`},
		{"a number", legacy.Claim{Subject: legacy.Document, Path: "amount", Op: legacy.Near, Values: values(n("128.4"), n("0.01"))}, `{"fields":{"amount":{"near":128.4,"within":0.01}}}`},
		{"keys", legacy.Claim{Subject: legacy.Document, Op: legacy.HasKey, Values: values("a", "b")}, `{"json_schema":{"required":["a","b"],"type":"object"}}`},
		{"json", legacy.Claim{Subject: legacy.Document, Op: legacy.Parses}, `{"json_schema":{"type":["object","array"]}}`},
		{"a tool", legacy.Claim{Subject: legacy.Tools, Path: "lookup", Op: legacy.Called}, `{"tool_calls":{"contains":["lookup"]}}`},
		{"no tool", legacy.Claim{Subject: legacy.Tools, Path: "refund", Op: legacy.Called, Not: true}, `{"tool_calls":{"forbidden":["refund"]}}`},
		{"an argument", legacy.Claim{Subject: legacy.Tools, Path: "refund.amount", Op: legacy.Equals, Values: values(n("20"))}, `{"tool_calls":{"arguments":{"refund":{"amount":20}}}}`},
		{"a response", legacy.Claim{Subject: legacy.Response, Op: legacy.Equals}, `it is about the vendor's response object`},
		{"a type", legacy.Claim{Subject: legacy.Document, Path: "items", Op: legacy.IsA, Values: values("list")}, `{"json_schema":{"properties":{"items":{"type":"array"}},"required":["items"],"type":"object"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := draft.Translate(&tt.claim, draft.Options{Labels: []string{"overdue"}})
			if got.Left != "" {
				if !strings.HasPrefix(got.Left, tt.want) || got.Expect != nil {
					t.Errorf("left: %s (and %v), want %s", got.Left, got.Expect, tt.want)
				}
				return
			}
			if s := string(canonical.Marshal(got.Expect)); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
			compiles(t, got.Expect)
		})
	}
}

// compiles fails the test unless an expectation is one that package check takes.
func compiles(t testing.TB, expect map[string]any) {
	t.Helper()
	c := draft.Case{ID: "a", Provenance: "b", Expect: expect}
	doc, problems := source.Parse("a.yaml", c.YAML())
	if len(problems) > 0 {
		t.Fatalf("%v in\n%s", problems, c.YAML())
	}
	if want, got := canonical.Marshal(expect), canonical.Marshal(doc.Get("expect").JSON()); string(want) != string(got) {
		t.Fatalf("reads as %s, want %s, from\n%s", got, want, c.YAML())
	}
	finder, err := label.New([]string{"overdue"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, problems := check.Compile(doc.Get("expect"), check.Env{Labels: finder}); len(problems) > 0 {
		t.Fatalf("%v in\n%s", problems, c.YAML())
	}
}

// anyClaim draws a claim of any shape that a reader could give.
func anyClaim() *rapid.Generator[legacy.Claim] {
	text := rapid.OneOf(rapid.SampledFrom([]string{"30 days", "refund", "Summary:", "", "a\\d+", "(", "must_match", "null", "- x", "#1", "x: y", "é\u2028"}), rapid.String())
	value := rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.IntRange(-3, 70), func(n int) any { return json.Number(json.Number(string(canonical.Marshal(n)))) }),
		rapid.SampledFrom([]any{nil, true, []any{}, []any{"a"}, map[string]any{"k": "v"}}),
	)
	return rapid.Custom(func(t *rapid.T) legacy.Claim {
		return legacy.Claim{
			Subject:    rapid.SampledFrom([]legacy.Subject{legacy.Answer, legacy.Document, legacy.Tools, legacy.Response, legacy.Other}).Draw(t, "subject"),
			Path:       rapid.SampledFrom([]string{"", "words", "lines", "bullets", "characters", "status", "items[0].name", "items[]", "lookup", "lookup.id", "a b", "len(x)"}).Draw(t, "path"),
			Op:         rapid.SampledFrom([]legacy.Op{legacy.Contains, legacy.Equals, legacy.Near, legacy.Matches, legacy.StartsWith, legacy.EndsWith, legacy.AtMost, legacy.AtLeast, legacy.HasKey, legacy.OneOf, legacy.Parses, legacy.Truthy, legacy.Called, legacy.IsA, legacy.Snapshot, legacy.Unknown}).Draw(t, "op"),
			Not:        rapid.Bool().Draw(t, "not"),
			Any:        rapid.Bool().Draw(t, "any"),
			IgnoreCase: rapid.Bool().Draw(t, "ignore case"),
			Values:     rapid.SliceOfN(value, 0, 3).Draw(t, "values"),
		}
	})
}

// TestPropertyWhatIsAskedCompiles joins whatever claims a test might make: what
// is not left compiles, however many are joined, and reads back as it was.
func TestPropertyWhatIsAskedCompiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := draft.Expectation{Loose: rapid.Bool().Draw(rt, "loose")}
		for _, c := range rapid.SliceOfN(anyClaim(), 1, 6).Draw(rt, "claims") {
			got := draft.Translate(&c, draft.Options{Labels: []string{"overdue"}})
			if (got.Left == "") == (got.Expect == nil) {
				rt.Fatalf("%+v is neither left nor said: %+v", c, got)
			}
			if got.Expect != nil {
				e.Add(got.Expect)
			}
		}
		if e.Values == nil {
			return
		}
		compilesRapid(rt, t, e.Values)
	})
}

func compilesRapid(rt *rapid.T, t *testing.T, expect map[string]any) {
	c := draft.Case{ID: "a", Provenance: "b", Expect: expect}
	doc, problems := source.Parse("a.yaml", c.YAML())
	if len(problems) > 0 {
		rt.Fatalf("%v in\n%s", problems, c.YAML())
	}
	if want, got := canonical.Marshal(expect), canonical.Marshal(doc.Get("expect").JSON()); string(want) != string(got) {
		rt.Fatalf("reads as %s, want %s, from\n%s", got, want, c.YAML())
	}
	finder, _ := label.New([]string{"overdue"}, "")
	if _, problems := check.Compile(doc.Get("expect"), check.Env{Labels: finder}); len(problems) > 0 {
		rt.Fatalf("%v in\n%s", problems, c.YAML())
	}
}

func TestExpectationOfSeveralTests(t *testing.T) {
	add := func(e *draft.Expectation, text string) string {
		v, err := canonical.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return e.Add(v.(map[string]any))
	}
	strict, loose := draft.Expectation{}, draft.Expectation{Loose: true}
	for _, e := range []*draft.Expectation{&strict, &loose} {
		for _, text := range []string{`{"max_words":60}`, `{"max_words":80}`, `{"structure":{"lines":3}}`, `{"structure":{"bullets":{"min":2}}}`, `{"json_schema":{"type":["object","array"]}}`, `{"json_schema":{"type":"object","required":["a"]}}`, `{"json_schema":{"type":"object","required":["b"]}}`} {
			if why := add(e, text); why != "" {
				t.Errorf("%s: %s", text, why)
			}
		}
		if why := add(e, `{"structure":{"lines":{"max":6}}}`); why != "" {
			t.Errorf("a count within a range: %q", why)
		}
		if got := string(canonical.Marshal(e.Values["json_schema"])); got != `{"required":["a","b"],"type":"object"}` {
			t.Errorf("the schema is %s", got)
		}
	}
	if why := add(&strict, `{"structure":{"lines":4}}`); why != "another number of lines is asked for" {
		t.Errorf("two line counts: %q", why)
	}
	for e, want := range map[*draft.Expectation]string{&strict: `{"bullets":{"min":2},"lines":3}`, &loose: `{"bullets":{"min":2},"lines":{"max":6,"min":3}}`} {
		if got := string(canonical.Marshal(e.Values["structure"])); got != want {
			t.Errorf("the counts are %s, want %s", got, want)
		}
	}
	if !reflect.DeepEqual(strict.Values["max_words"], json.Number("60")) || !reflect.DeepEqual(loose.Values["max_words"], json.Number("80")) {
		t.Errorf("limits are %v and %v", strict.Values["max_words"], loose.Values["max_words"])
	}
}

func TestContradiction(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{`{"must_not_match":["\\n"]}`, `{"structure":{"lines":4}}`, "4 lines are asked for and line ends forbidden"},
		{`{"must_not_contain":["\n"]}`, `{"must_match":["^Title\\n"]}`, `"Title\n" is asked for and "\n" forbidden`},
		{`{"must_match":["^Page: "]}`, `{"must_match":["^Dear reader"]}`, "no text begins with both"},
		{`{"must_match":["^Dear"]}`, `{"must_match":["^Dear reader"]}`, ""},
		{`{"must_match":["(?i)^dear"]}`, `{"must_match":["^DEAR reader"]}`, ""},
		{`{"must_match":["\\.$"]}`, `{"must_match":["\\?$"]}`, "no text ends with both"},
		{`{"must_contain_fact":[{"key":"a","value":"30  days"}]}`, `{"must_not_contain":["30 days"]}`, "is asked for and"},
		{`{"must_contain_fact":[{"key":"a","any":["30 days","a month"]}]}`, `{"must_not_contain":["30 days"]}`, ""},
		{`{"must_contain_fact":[{"key":"a","value":"Days","ignore_case":true}]}`, `{"must_not_contain":["Days"]}`, ""},
		{`{"json_schema":{"type":"object"}}`, `{"json_schema":{"type":"array"}}`, "has to be of type"},
		{`{"json_schema":{"type":"object"}}`, `{"must_match":["^Summary:"]}`, "has to be JSON and to begin"},
		{`{"json_schema":{"type":"object"}}`, `{"must_match":["^## Situation"]}`, "has to be JSON and to begin"},
		{`{"json_schema":{"type":"object"}}`, `{"must_match":["^{"]}`, ""},
		{`{"json_schema":{"type":["object","array"]}}`, `{"json_schema":{"type":"object","required":["a"]}}`, ""},
		{`{"json_schema":{"type":"object","required":["a"]}}`, `{"json_schema":{"not":{"type":"object","required":["a"]}}}`, "is denied too"},
		{`{"structure":{"lines":1}}`, `{"structure":{"bullets":{"min":2}}}`, "2 lines at least"},
		{`{"max_words":2}`, `{"must_match":["as soon as possible"]}`, "longer than the answer may be"},
		{`{"must_match":["^\\s*yes\\s*$"]}`, `{"must_match":["^\\s*no\\s*$"]}`, "the whole answer is"},
		{`{"max_words":60}`, `{"min_words":80}`, "80 words at least and 60 at most"},
		{`{"tool_calls":{"contains":["a"]}}`, `{"tool_calls":{"forbidden":["a"]}}`, "both asked for and forbidden"},
	} {
		parse := func(s string) map[string]any {
			v, err := canonical.Parse([]byte(s))
			if err != nil {
				t.Fatal(err)
			}
			return v.(map[string]any)
		}
		a, b := parse(tt.a), parse(tt.b)
		for _, got := range []string{draft.Contradiction(a, b), draft.Contradiction(b, a)} {
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("%s and %s: %q, want %q", tt.a, tt.b, got, tt.want)
			}
		}
	}
}

func TestID(t *testing.T) {
	taken := map[string]bool{"refund-window": true}
	for name, want := range map[string]string{
		"TestRefunds.test_window[eu]":     "refunds-window-eu",
		"test_refund_window":              "refund-window-2",
		"refunds > keeps the 30-day HTML": "refunds-keeps-the-30-day-html",
		"test_":                           "case",
		"返金の期間":                           "返金の期間",
	} {
		if got := draft.ID(name, func(id string) bool { return taken[id] }); got != want {
			t.Errorf("ID(%q) is %q, want %q", name, got, want)
		}
	}
	for id, want := range map[string]bool{"refunds-eu": true, "con": false, "返金": false, "../x": false, "-a": false} {
		if got := draft.FileName(id) == id+".yaml"; got != want {
			t.Errorf("FileName(%q) is %q", id, draft.FileName(id))
		}
	}
}

func TestProvenance(t *testing.T) {
	test := legacy.Test{Name: "test_window", Doc: "The refund window must survive. It did not in spring.", Comments: []string{"# INC-219: agent quoted 14 days", "# sent as UTF-8, see #88"}}
	o := draft.Origin{File: "tests/test_summariser.py", Commits: []draft.Commit{
		{ID: "aaaa111", Day: "2025-04-02", Subject: "INC-219 keep the window", Lines: 2}, {ID: "bbbb222", Day: "2025-06-01", Subject: "reformat", Lines: 9},
	}}
	want := "INC-219, #88 — The refund window must survive (old test test_window, commit aaaa111 of 2025-04-02)"
	if got := draft.Provenance(&test, o); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := draft.Provenance(&legacy.Test{Name: "test_a[order ORD-11]"}, draft.Origin{}), "no reason is known (old test test_a[order ORD-11])"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := draft.Provenance(&legacy.Test{Name: "a"}, draft.Origin{File: "t.py"}), "no reason is known (old test a)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestInput(t *testing.T) {
	long := strings.Repeat("Customer writes about order 4471.\n", 5)
	test := func(name string) *legacy.Test {
		return &legacy.Test{Name: name, Inputs: []legacy.Input{
			{Value: long, From: "TICKET_4471"},
			{Name: "locale", Value: "en-GB", From: "LOCALE"},
			{Name: "note_file", Value: long + name},
			{Name: "now", Why: "computed at run time by today()"},
		}}
	}
	var files draft.Fixtures
	a, missing := draft.Input(test("test_a"), &files)
	b, _ := draft.Input(test("test_b"), &files)
	if got, want := string(canonical.Marshal(a)), `{"locale":"en-GB","note_file":"fixtures/a_note.txt","ticket_4471_file":"fixtures/ticket_4471.txt"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if a["ticket_4471_file"] != b["ticket_4471_file"] || len(files.All()) != 3 {
		t.Errorf("the constant is kept more than once: %v", files.All())
	}
	if len(missing) != 1 || missing[0] != "input now is computed at run time by today()" {
		t.Errorf("missing is %q", missing)
	}
}

// TestPropertyYAML: whatever a draft holds, the file says it.
func TestPropertyYAML(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.Map(rapid.String(), func(s string) any { return s }), rapid.SampledFrom([]any{nil, true, false, json.Number("7"), json.Number("-1.5"), "007", "1_000", "0x1F", "2025-01-01", "yes", "~", "", " x", "a: b", "a #b", "- a", `\d`, `it's \d`, "a\nb", "\t", "[", "*a", "&a", "!t", "%", "@", "`", "\u0085", "🙂"}))
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf, rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(rapid.String(), value(depth-1), 0, 3), func(m map[string]any) any { return m }))
	}
	rapid.Check(t, func(rt *rapid.T) {
		c := draft.Case{
			ID: rapid.StringN(1, 20, 200).Draw(rt, "id"), Provenance: rapid.String().Draw(rt, "provenance"), Added: "2025-04-02",
			Input: rapid.MapOfN(rapid.String(), value(3), 0, 4).Draw(rt, "input"), Notes: []string{rapid.String().Draw(rt, "note")},
		}
		doc, problems := source.Parse("c.yaml", c.YAML())
		if len(problems) > 0 {
			rt.Fatalf("%v in\n%s", problems, c.YAML())
		}
		if id, _ := doc.Get("id").Text(); id != c.ID {
			rt.Fatalf("the id reads as %q, want %q", id, c.ID)
		}
		if got, want := canonical.Marshal(doc.Get("input").JSON()), canonical.Marshal(c.Input); string(got) != string(want) {
			rt.Fatalf("reads as %s\nwant     %s\nfrom\n%s", got, want, c.YAML())
		}
	})
}
