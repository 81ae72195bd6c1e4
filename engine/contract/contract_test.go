package contract_test

import (
	"context"
	"strings"
	"testing"

	"docket/engine/contract"
	"docket/engine/interchange"
)

func TestHold(t *testing.T) {
	c, problems := contract.Parse("c.yaml", []byte("version: 1\nexpect:\n  must_match: ['^Summary:']\n  max_words: 4\n"), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	file, err := interchange.Read(context.Background(), "o.jsonl", strings.NewReader(`{"id":"a","text":"Summary: all well"}
{"id":"b","text":"all is well with the order"}
{"id":"c","error":"timeout"}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Hold(context.Background(), file.Rows)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Headline(), "2 outputs, 2 checks: 1 broke the contract; 1 more is an error of the system itself, not judged"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for name, want := range map[string]string{
		"text": "c.yaml: 2 outputs, 2 checks: 1 broke the contract; 1 more is an error of the system itself, not judged\n" +
			"  must_match:^Summary:  broken by 1 of 2\n  max_words  broken by 1 of 2\n",
		"json": `"checks":{"max_words":{"held":1,"broken":1},"must_match:^Summary:":{"held":1,"broken":1}}`,
	} {
		format, err := contract.FormatNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := format.Write(&out, r); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s, %v:\n%s\nwant %s", name, err, out.String(), want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"expect: {max_words: 4}":                          "c.yaml:1:1: version is missing; write version: 1",
		"version: 2\nexpect: {max_words: 4}":              "c.yaml:1:10: version: expected 1, got",
		"version: 1":                                      "c.yaml:1:1: expect is missing",
		"version: 1\nexpect: {max_wrds: 4}":               `did you mean`,
		"version: 1\nexpect: {label: paid, max_words: 4}": "label cannot stand in a contract",
		"version: 1\nexpects: {max_words: 4}":             "unknown key",
		"- 1":                                             "expected a contract",
	} {
		_, problems := contract.Parse("c.yaml", []byte(text), nil)
		if !strings.Contains(problems.Error(), want) {
			t.Errorf("%q gives %v, want %s", text, problems, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("version: 1\nexpect: {max_words: 4}\n")
	f.Add("version: 1\nexpect:\n  structure: three_lines\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, problems := contract.Parse("c.yaml", []byte(text), nil)
		if (c == nil) == (len(problems) == 0) {
			t.Errorf("%q gives %v and %v", text, c, problems)
		}
	})
}
