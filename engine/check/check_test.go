package check_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"docket/engine/canonical"
	"docket/engine/check"
	"docket/engine/label"
	"docket/engine/output"
	"docket/engine/source"
)

// env has labels, two schema files and documents to cite.
func env(t testing.TB) check.Env {
	t.Helper()
	finder, err := label.New([]string{"overdue", "paid", "disputed"}, "status")
	if err != nil {
		t.Fatal(err)
	}
	return check.Env{
		Labels: finder,
		Case:   check.CaseInfo{ID: "c-1", Input: input(t)},
		ReadFile: func(path string) ([]byte, error) {
			switch path {
			case "schemas/summary.json":
				return []byte(`{"type":"object","required":["status"],"properties":{"status":{"type":"string"}}}`), nil
			case "schemas/summary.yaml":
				return []byte("type: object\nrequired: [status]\n"), nil
			case "schemas/bad.json":
				return []byte(`{"type":`), nil
			}
			return nil, errors.New("no such file")
		},
		Shared: new(check.Shared),
		Dir:    t.TempDir(),
	}
}

func input(t testing.TB) map[string]any {
	t.Helper()
	doc, err := canonical.Parse([]byte(`{"documents":["kb-a","kb-b"],"articles":[{"id":"doc-3"},{"id":7},{"title":"Refunds"}],"pages":{"p1":"x","p2":"y"},"n":4}`))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

func parse(t testing.TB, text string) source.Value {
	t.Helper()
	v, problems := source.Parse("case.yaml", []byte(text))
	if len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	return v
}

// compile compiles an expectation that has nothing wrong in it.
func compile(t testing.TB, expect string) []check.Compiled {
	t.Helper()
	compiled, problems := check.Compile(parse(t, expect), env(t))
	if len(problems) > 0 {
		t.Fatalf("%s: %v", expect, problems)
	}
	return compiled
}

func subject(t testing.TB, text string) *check.Subject {
	t.Helper()
	s := &check.Subject{ID: "c-1", Sample: 1, Input: input(t), Output: &output.Output{Text: text}}
	s.Document, s.HasDocument = output.Document(text)
	return s
}

func judge(t testing.TB, c check.Check, s *check.Subject) check.Verdict {
	t.Helper()
	v, err := c.Judge(context.Background(), s)
	if err != nil {
		t.Fatalf("%s: %v", c.Name(), err)
	}
	return v
}

// A verdictTest judges one text by the only check of an expectation.
type verdictTest struct {
	expect, text string
	pass         bool
	score        float64
	message      string // part of it
}

func run(t *testing.T, tests []verdictTest) {
	t.Helper()
	for _, tt := range tests {
		compiled := compile(t, tt.expect)
		if len(compiled) != 1 {
			t.Errorf("%s: %d checks", tt.expect, len(compiled))
			continue
		}
		v := judge(t, compiled[0], subject(t, tt.text))
		if v.Pass != tt.pass || math.Abs(v.Score-tt.score) > 1e-9 || !strings.Contains(v.Message, tt.message) {
			t.Errorf("%s on %.80q: got %+v, want pass %v, score %v, message with %q", tt.expect, tt.text, v, tt.pass, tt.score, tt.message)
		}
		if v.Pass != (v.Score == 1) {
			t.Errorf("%s on %.80q: a pass of %v with a score of %v", tt.expect, tt.text, v.Pass, v.Score)
		}
		if strings.ContainsAny(v.Message, "\n\r\x1b") {
			t.Errorf("%s on %.80q: the message is not one safe line: %q", tt.expect, tt.text, v.Message)
		}
	}
}

func TestTheDesignsExample(t *testing.T) {
	compiled := compile(t, `
must_contain_fact:
  - key: refund_window
    value: "30 days"
must_not_contain_pii: true
max_words: 60
structure: three_sections   # situation, action taken, open question
`)
	var names []string
	for _, c := range compiled {
		names = append(names, c.Name())
		if len(c.Params) != 8 || strings.Trim(c.Params, "0123456789abcdef") != "" {
			t.Errorf("%s has the params %q", c.Name(), c.Params)
		}
		if c.Strict != (c.Name() == "must_not_contain_pii") {
			t.Errorf("%s: strict is %v", c.Name(), c.Strict)
		}
		good := "Situation: the parcel broke.\nAction taken: refund within 30 days.\nOpen question: none."
		if v := judge(t, c, subject(t, good)); !v.Pass {
			t.Errorf("%s fails a good answer: %s", c.Name(), v.Message)
		}
	}
	if got := strings.Join(names, " "); got != "refund_window must_not_contain_pii max_words structure" {
		t.Errorf("checks: %s", got)
	}
	if got := compiled[0].Key; got != "must_contain_fact" {
		t.Errorf("the fact's key of expect is %q", got)
	}
}

func TestStrings(t *testing.T) {
	run(t, []verdictTest{
		{`must_contain_fact: [{key: f, value: "30 days"}]`, "within 30\u00a0days", true, 1, ""},
		{`must_contain_fact: [{key: f, value: "30 days"}]`, "within 30\n days", true, 1, ""},
		{`must_contain_fact: [{key: f, value: "30 days"}]`, "within 30 Days", false, 0, `"30 days" is not in the text`},
		{`must_contain_fact: [{key: f, value: "30 days", ignore_case: true}]`, "within 30 DAYS", true, 1, ""},
		{`{must_contain_fact: [{key: f, value: "30 days"}], ignore_case: true}`, "within 30 DAYS", true, 1, ""},
		{`{must_contain_fact: [{key: f, value: "30 days", ignore_case: false}], ignore_case: true}`, "within 30 DAYS", false, 0, ""},
		{`must_contain_fact: [{key: f, value: 128.40}]`, "EUR 128.40", true, 1, ""},
		{`must_contain_fact: [{key: f, any: ["30 days", "one month"]}]`, "one month", true, 1, ""},
		{`must_contain_fact: [{key: f, any: ["30 days", "one month"]}]`, "two weeks", false, 0, `none of "30 days", "one month"`},
		{"must_contain_fact: [{key: f, value: \"caf\u00e9\"}]", "cafe\u0301", true, 1, ""},
		{`must_contain_fact: [{key: f, value: x}]`, "", false, 0, ""},
		{`must_not_contain: ["14 days"]`, "30 days", true, 1, ""},
		{`must_not_contain: ["14 days"]`, "14  days", false, 0, "is in the text"},
		{`must_match: ['^Total: \d+$']`, "Total: 5", true, 1, ""},
		{`must_match: ['(?m)^Total: \d+$']`, "a\r\nTotal: 5\r\nb", true, 1, ""},
		{`must_match: ['total']`, "Total", false, 0, "matches nowhere"},
		{`{must_match: ['total'], ignore_case: true}`, "Total", true, 1, ""},
		{`must_not_match: ['\b1\d days']`, "14 days", false, 0, `matches "14 days"`},
		{`must_not_match: ['\b1\d days']`, "30 days", true, 1, ""},
		{`must_not_match: ['.+']`, "a\x1b[31m\u202ered", false, 0, ""},
	})
}

func TestLengthsAndStructure(t *testing.T) {
	run(t, []verdictTest{
		{"max_words: 3", "one two three", true, 1, ""},
		{"max_words: 3", "one two three four five six", false, 0.5, "6 words, at most 3 allowed"},
		{"max_words: 0", "one", false, 0, ""},
		{"max_words: 2", "これはテスト", false, 0.5, "4 words"},
		{"min_words: 4", "one", false, 0.25, "at least 4"},
		{"min_words: 0", "", true, 1, ""},
		{"max_chars: 2", "👨‍👩‍👧é", true, 1, ""},
		{"max_chars: 2", "abcd", false, 0.5, ""},
		{"max_sentences: 1", "Dr. Who came. He left.", false, 0.5, ""},
		{"structure: two_paragraphs", "a\n\nb", true, 1, ""},
		{"structure: 2_paragraphs", "a\n\nb\n\nc", false, 2.0 / 3, "paragraphs: 3, asked for 2"},
		{"structure: 3 bullets", "- a\n- b", false, 2.0 / 3, ""},
		{"structure: one_sentence", "One.", true, 1, ""},
		{"structure: ten_lines", "a", false, 0.1, ""},
		{"structure: three_sections", "# T\n## A\n## B\n## C", true, 1, ""},
		{"structure: 0_bullets", "- a", false, 0, ""},
		{"structure: {sections: 2, headings: [A, B]}", "## A\nx\n## B\ny", true, 1, ""},
		{"structure: {headings: [A, B]}", "## B\n## A", false, 0.5, "in another order"},
		{"structure: {sections: 2, headings: [A, C]}", "## A\nx\n## B\ny", false, 0.75, `no heading "C"`},
		{"{structure: {headings: [situation]}, ignore_case: true}", "SITUATION: x", true, 1, ""},
		{"structure: {bullets: {min: 2}}", "- a\n- b\n- c", true, 1, ""},
		{"structure: {bullets: {min: 2, max: 3}}", "- a", false, 0.5, "asked for 2 to 3"},
		{"structure: {bullets: {max: 1}, lines: 2}", "- a\n- b", false, 0.75, "bullets: 2"},
	})
}

func TestJSONSchemaAndFields(t *testing.T) {
	const schema = `json_schema: {type: object, required: [status], properties: {status: {enum: [paid, overdue]}, n: {type: integer}, items: {type: array, items: {type: object, required: [qty]}}}, additionalProperties: false}`
	run(t, []verdictTest{
		{schema, `{"status":"paid","n":1.0}`, true, 1, ""},
		{schema, "Here:\n```json\n{\"status\":\"paid\"}\n```", true, 1, ""},
		{schema, `{"status":"lost"}`, false, 0.9, `at "/status"`},
		{schema, `{"status":"paid","n":"x","z":1}`, false, 0.8, `at "/n": got string, want integer`},
		{schema, `{"status":"paid","items":[{"qty":1},{}]}`, false, 0.9, `at "/items/1"`},
		{schema, "the status is paid", false, 0, "not JSON"},
		{schema, "", false, 0, "not JSON"},
		{"json_schema: schemas/summary.json", `{"status":"x"}`, true, 1, ""},
		{"json_schema: schemas/summary.yaml", `{}`, false, 0.9, "status"},
		{"json_schema: {type: integer}", " 42 ", true, 1, ""},
		{"json_schema: {type: string, format: date}", `"2026-13-01"`, false, 0.9, "date"},
		{"json_schema: {minimum: 3}", `[1e999999999]`, false, 0.9, "range"},
		{"json_schema: {type: array, items: {multipleOf: 0.1}}", `[1e-999999999]`, false, 0.9, "range"},
		{`json_schema: {$ref: "#"}`, `{}`, false, 0.9, "cycle"},
		{`json_schema: {$defs: {a: {$ref: "#/$defs/b"}, b: {$ref: "#/$defs/a"}}, $ref: "#/$defs/a"}`, `{}`, false, 0.9, "cycle"},
		{`json_schema: {anyOf: [{type: integer}, {type: object, required: [a, b, c]}]}`, `{}`, false, 0.9, "anyOf"},
		{`json_schema: {items: {type: integer}}`, `["a","b","c","d","e","f","g","h","i","j","k","l"]`, false, 0, "and 9 more"},
		{`json_schema: {items: {type: integer}}`, `["\u001b[31m\u202e"]`, false, 0.9, ""},

		{"fields: {status: overdue}", `{"status":"overdue"}`, true, 1, ""},
		{"fields: {status: overdue, n: 1}", `{"status":"paid","n":1.0}`, false, 0.5, `status is "paid", not "overdue"`},
		{"fields: {n: 100}", `{"n":1e2}`, true, 1, ""},
		{"fields: {n: 1}", `{"n":"1"}`, false, 0, ""},
		{"fields: {id: 12345678901234567890}", `{"id":12345678901234567891}`, false, 0, ""},
		{"fields: {'a.b[0].c': null}", `{"a":{"b":[{"c":null}]}}`, true, 1, ""},
		{"fields: {a: null}", `{}`, false, 0, "a is absent"},
		{"fields: {amount: {near: 128.40, within: 0.01}}", `{"amount":128.41}`, true, 1, ""},
		{"fields: {amount: {near: 128.40, within: 0.01}}", `{"amount":128.42}`, false, 0, "not within 0.01 of 128.4"},
		{"fields: {amount: {near: 1, within: 1}}", `{"amount":"1"}`, false, 0, ""},
		{"fields: {\"items[].name\": [a, b]}", `{"items":[{"name":"a"},{"name":"b"}]}`, true, 1, ""},
		{"fields: {o: {a: 1, b: [x, true]}}", `{"o":{"b":["x",true],"a":1.0}}`, true, 1, ""},
		{"fields: {s: \"a b\"}", `{"s":"a \n b"}`, true, 1, ""},
		{"fields: {due: 2026-01-02}", `{"due":"2026-01-02"}`, true, 1, ""},
		{"fields: {s: a}", "prose", false, 0, "no JSON"},
	})
}

func TestLabelCoversReading(t *testing.T) {
	run(t, []verdictTest{
		{"label: overdue", `{"status":"overdue"}`, true, 1, ""},
		{"label: overdue", "The invoice is overdue.", true, 1, ""},
		{"label: overdue", "It was paid.", false, 0, `the label is "paid", not "overdue"`},
		{"label: overdue", "Nothing.", false, 0, "the label is none"},
		{"label: overdue", "overdue or paid?", false, 0, "ambiguous"},
		{"label: [paid, disputed]", `{"status":["disputed","paid"]}`, true, 1, ""},
		{"label: null", "Nothing.", true, 1, ""},
		{"{label: OVERDUE, ignore_case: true}", `{"status":"Overdue"}`, true, 1, ""},

		{"covers: [refund, label]", "a refund and a label", true, 1, ""},
		{"covers: [refund, label, phone]", "a refund", false, 1.0 / 3, `"label", "phone"`},
		{"covers: {path: \"items[].kind\", expected: [a, b]}", `{"items":[{"kind":"a"},{"kind":"b"}]}`, true, 1, ""},
		{"covers: {path: kinds, expected: [a, 2]}", `{"kinds":["a",2.0]}`, true, 1, ""},
		{"covers: {path: kinds, expected: [a, b]}", `{"kinds":["ab"]}`, false, 0, ""},
		{"covers: {path: kinds, expected: [a]}", "a", false, 0, "no JSON"},
		{"covers: {expected: [a]}", "a", true, 1, ""},

		{"language: de", "Die Rechnung ist am dritten März bezahlt worden, aber der Betrag stimmt nicht, und wir haben den Kunden gefragt, warum das so ist.", true, 1, ""},
		{"language: de-AT", "Die Rechnung ist nicht bezahlt.", true, 1, ""},
		{"language: en", "Die Rechnung ist am dritten März bezahlt worden, aber der Betrag stimmt nicht, und wir haben den Kunden gefragt, warum das so ist.", false, 0, "is de, not en"},
		{"language: ja", "支払い期限は三月三日です。", true, 1, ""},
		{"language: en", "42", false, 0, ""},
		{"refusal: true", "I'm sorry, but I can't help with that.", true, 1, ""},
		{"refusal: false", "I'm sorry, but I can't help with that.", false, 0, "it declines"},
		{"refusal: false", "I can't recommend it enough.", true, 1, ""},
		{"refusal: true", "Sure.", false, 0, "does not decline"},
	})
}

func TestCitations(t *testing.T) {
	const list, ids, keys = "citations: {resolve_in: input.documents}", "citations: {resolve_in: input.articles}", "citations: {resolve_in: input.pages}"
	run(t, []verdictTest{
		{list, "no citation", true, 1, ""},
		{"citations: {resolve_in: input.documents, at_least: 2}", "as [1] says", false, 0.5, "at least 2"},
		{list, "as [1] and [2] say, and [kb-a]", true, 1, ""},
		{list, "as [1] and [3] say", false, 0.5, `1 of 2 citations name no document that was given: "3"`},
		{list, "both [1, 2], 【2†source】 and [^1]", true, 1, ""},
		{list, "all [1-3]", false, 2.0 / 3, ""},
		{list, "(source: kb-a; kb-z)", false, 0.5, `"kb-z"`},
		{list, "[Source: KB-A]", true, 1, ""},
		{list, "in 2024 [2024] items[x] [ ] [x] (see below) [link](http://a.example/9) [1](http://a.example)", true, 1, ""},
		{list, "`a[7]` and\n```\nb[9]\n```\n[1]", true, 1, ""},
		{list, "[unclosed [9", true, 1, ""},
		{list, "[doc-9]", false, 0, "doc-9"},
		{ids, "[doc-3] and [7] and [Refunds]", true, 1, ""},
		{ids, "[1]", false, 0, ""},
		{keys, "[p1] and [p2] and [3]", false, 2.0 / 3, ""},
		{"citations: {resolve_in: \"input.articles[].title\"}", "[Refunds]", true, 1, ""},
	})
	compiled := compile(t, "citations: {resolve_in: input.n}")
	if _, err := compiled[0].Judge(context.Background(), subject(t, "[1]")); err == nil {
		t.Error("documents that are a number gave no error")
	}
}

func TestToolCalls(t *testing.T) {
	call := func(name, arguments string) output.ToolCall {
		return output.ToolCall{Name: name, Arguments: json.RawMessage(arguments)}
	}
	two := []output.ToolCall{call("lookup", `{"invoice_id":"4417"}`), call("refund", `{"amount":20.0,"to":{"iban":"x"}}`)}
	for _, tt := range []struct {
		expect string
		calls  []output.ToolCall
		pass   bool
		score  float64
	}{
		{"sequence: [lookup, refund]", two, true, 1},
		{"sequence: [refund, lookup]", two, false, 0.5},
		{"sequence: [lookup]", two, false, 0.5},
		{"sequence: [lookup, refund, close]", two, false, 2.0 / 3},
		{"sequence: []", two, false, 0},
		{"sequence: []", []output.ToolCall{}, true, 1},
		{"contains: [refund]", two, true, 1},
		{"contains: [refund, refund]", two, false, 0.5},
		{"forbidden: [delete]", two, true, 1},
		{"forbidden: [refund, delete]", two, false, 0.5},
		{"arguments: {lookup: [invoice_id]}", two, true, 1},
		{"arguments: {lookup: [invoice_id, locale]}", two, false, 0.5},
		{"arguments: {refund: {amount: 20}}", two, true, 1},
		{"arguments: {refund: {amount: {near: 20.004, within: 0.01}, to: {iban: x}}}", two, true, 1},
		{"arguments: {refund: {amount: 21}}", two, false, 0},
		{"arguments: {refund: []}", two, true, 1},
		{"arguments: {close: [id]}", two, false, 0},
		{"arguments: {lookup: [invoice_id]}", []output.ToolCall{call("lookup", `[1]`), call("lookup", `{`)}, false, 0},
		{"arguments: {lookup: {id: 2}}", []output.ToolCall{call("lookup", `{"id":1}`), call("lookup", `{"id":2}`)}, true, 1},
	} {
		compiled := compile(t, "tool_calls: {"+tt.expect+"}")
		s := subject(t, "")
		s.Output.ToolCalls = tt.calls
		v := judge(t, compiled[0], s)
		if v.Pass != tt.pass || math.Abs(v.Score-tt.score) > 1e-9 || v.Pass == (v.Message != "") {
			t.Errorf("%s: got %+v, want %v %v", tt.expect, v, tt.pass, tt.score)
		}
	}
	compiled := compile(t, "tool_calls: {contains: [lookup]}")
	if _, err := compiled[0].Judge(context.Background(), subject(t, "")); err == nil {
		t.Error("unknown tool calls were judged")
	}
	s := subject(t, "")
	s.Output.ToolCallsError = "unexpected end"
	if v := judge(t, compiled[0], s); v.Pass || v.Score != 0 {
		t.Errorf("a call that did not parse: %+v", v)
	}
}

func TestParamsIgnoreLayout(t *testing.T) {
	same := [][2]string{
		{"max_words: 60", "max_words:   60  # a comment"},
		{"structure: three_sections", "structure: {sections: 3}"},
		{"fields: {a: 1.0, b: x}", "fields:\n  b: x\n  a: 1\n"},
		{"must_not_contain_pii: true", "must_not_contain_pii: [ip_address, email, phone, national_id, iban, payment_card]"},
		{"must_contain_fact: [{key: f, value: a}]", "must_contain_fact: [{key: other, any: [a]}]"},
		{"language: en", "language: en-GB"},
	}
	for _, pair := range same {
		if a, b := compile(t, pair[0])[0].Params, compile(t, pair[1])[0].Params; a != b {
			t.Errorf("%q has %s and %q has %s", pair[0], a, pair[1], b)
		}
	}
	different := [][2]string{
		{"max_words: 60", "max_words: 61"},
		{"max_words: 60", "min_words: 60"},
		{"must_not_contain: [a]", "{must_not_contain: [a], ignore_case: true}"},
		{"tool_calls: {sequence: [a, b]}", "tool_calls: {sequence: [b, a]}"},
		{"json_schema: {type: object}", "json_schema: schemas/summary.json"},
	}
	for _, pair := range different {
		if a, b := compile(t, pair[0])[0].Params, compile(t, pair[1])[0].Params; a == b {
			t.Errorf("%q and %q both have %s", pair[0], pair[1], a)
		}
	}
}

func TestOrderAndNames(t *testing.T) {
	compiled := compile(t, "refusal: false\nmax_words: 9\nmust_not_contain: [b, a]\nmust_contain_fact: [{key: z, value: z}, {key: y, value: y}]\nmust_match: [x]\n")
	var names []string
	for _, c := range compiled {
		names = append(names, c.Name())
	}
	if got := fmt.Sprint(names); got != "[z y must_not_contain:b must_not_contain:a must_match:x max_words refusal]" {
		t.Error(got)
	}
	versions := check.Versions()
	for _, key := range check.Keys() {
		if versions[key] == 0 && key != "ignore_case" && key != "rubric" {
			t.Errorf("%s has no version", key)
		}
	}
}

func TestChecksAreSafeForConcurrentUse(t *testing.T) {
	compiled := compile(t, everything)
	texts := []string{"plain", `{"a":3}`, "I can't help with that.", "call +1 212 555 0142 [1]"}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 20 {
				s := subject(t, texts[i%len(texts)])
				for _, c := range compiled {
					if _, err := c.Judge(context.Background(), s); err != nil {
						t.Errorf("%s: %v", c.Name(), err)
					}
				}
			}
		})
	}
	group.Wait()
}
