package check_test

import (
	"context"
	"strings"
	"testing"

	"docket/engine/check"
	"docket/engine/output"
	"docket/engine/source"
)

// everything asks for all that can be asked of a text.
const everything = `
must_contain_fact: [{key: f, any: [a, "30 days"]}]
must_not_contain: [b]
must_match: ['\d+']
must_not_match: ['(?m)^x']
must_not_contain_pii: {names: [Ada]}
min_words: 2
max_words: 5
max_chars: 20
max_sentences: 1
structure: {sections: 2, paragraphs: 1, lines: 1, bullets: {min: 1}, sentences: 3, headings: [A]}
json_schema: {type: object, properties: {a: {type: integer, multipleOf: 3}, b: {$ref: "#"}, c: {format: date-time}}, uniqueItems: true, items: {minimum: 3}}
fields: {a: {near: 1, within: 1}, "b[].c": [x]}
label: overdue
citations: {resolve_in: input.documents}
covers: {path: "a[]", expected: [x]}
language: en
refusal: false
`

func FuzzChecks(f *testing.F) {
	for _, s := range []string{
		"", "plain", `{"a":1e999999999,"b":{"a":3}}`, "[3e-400,3,3.0]", "```json\n{\"a\":[\"x\"]}\n```", "+1 (212) 555-0142 a@b.co DE89 3704 0044 0532 0130 00", "[1][2-9]【3†x】(source: y; z",
		"0\x1a#\xf8a", "a0\xbe\xbe. 0", "# A\n- b\n\x1b[31m\u202e\xff", "4111 1111 1111 1111 1.2.3.4 ::1 fe80::1", "I can't help with “that", "1 85 05 78 006 084 91 12345678Z 219-09-9999", strings.Repeat("[", 300),
	} {
		f.Add(s)
	}
	compiled := compile(f, everything)
	schema, err := check.Schema(nil, map[string]any{"type": "object"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := subject(t, text)
		all := []check.Check{schema}
		for _, c := range compiled {
			all = append(all, c.Check)
		}
		for _, c := range all {
			v, err := c.Judge(context.Background(), s)
			if err != nil {
				t.Errorf("%s on %q: %v", c.Name(), text, err)
			}
			if v.Score < 0 || v.Score > 1 || v.Pass != (v.Score == 1) || v.Pass == (v.Message != "") {
				t.Errorf("%s on %q: %+v", c.Name(), text, v)
			}
			if strings.ContainsAny(v.Message, "\n\r\x1b\x00") {
				t.Errorf("%s on %q: the message is not one safe line: %q", c.Name(), text, v.Message)
			}
			again, _ := c.Judge(context.Background(), &check.Subject{ID: s.ID, Sample: s.Sample, Input: s.Input, Output: &output.Output{Text: text}, Document: s.Document, HasDocument: s.HasDocument})
			if again != v {
				t.Errorf("%s on %q: %+v, then %+v", c.Name(), text, v, again)
			}
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		everything, "max_words: 3", "{", "tool_calls: {sequence: [], arguments: {a: {b: {near: 1}}}}", "command: [a, 1]", "json_schema: {$ref: x, $id: 'http://a/b'}",
		"json_schema: {pattern: '(('}", "fields: {'a[]': {near: 1, within: x}}", "structure: {headings: 3}", "must_match: ['\\p{Foo}']", "label: [[]]", "covers: {}", "language: 5",
		"json_schema: {$dynamicRef: '#a', $anchor: a}", "must_contain_fact: [[{}]]", "ignore_case: {}",
	} {
		f.Add(s)
	}
	environment := env(f)
	f.Fuzz(func(t *testing.T, text string) {
		expect, problems := source.Parse("case.yaml", []byte(text))
		if len(problems) > 0 {
			return
		}
		compiled, problems := check.Compile(expect, environment)
		if len(compiled)+len(problems) == 0 {
			t.Errorf("%q asks nothing and nobody says so", text)
		}
		names := map[string]bool{}
		for _, c := range compiled {
			if c.Check == nil || c.Name() == "" || names[c.Name()] || len(c.Params) != 8 {
				t.Errorf("%q: a bad check %+v", text, c)
			}
			names[c.Name()] = true
		}
		for _, p := range problems {
			if p.Line == 0 || p.Message == "" || strings.ContainsAny(p.Message, "\n\x1b") {
				t.Errorf("%q: a bad problem %q", text, p.Error())
			}
		}
	})
}
