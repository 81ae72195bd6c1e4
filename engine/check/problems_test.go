package check_test

import (
	"strings"
	"testing"

	"docket/engine/check"
)

func TestProblems(t *testing.T) {
	for _, tt := range []struct{ expect, want string }{
		{"max_wrods: 3", `case.yaml:1:1: unknown key "max_wrods" in expect; did you mean "max_words"?`},
		{"[a]", "1:1: expected the case's expectations"},
		{"{}", "asks nothing"},
		{"ignore_case: true", "asks nothing"},
		{"{max_words: 3, ignore_case: sometimes}", "ignore_case: expected true or false"},
		{"max_words: many", "1:12: max_words: expected a whole number of words"},
		{"max_words: -1", "expected a whole number"},
		{"max_words: 1.5", "expected a whole number"},
		{"{min_words: 9, max_words: 3}", "no text has both"},
		{"must_contain_fact: 30 days", "expected a list such as"},
		{"must_contain_fact: [{value: x}]", "a fact needs a key"},
		{"must_contain_fact: [{key: a}]", "either value, a string, or any"},
		{"must_contain_fact: [{key: a, value: x, any: [y]}]", "either value, a string, or any"},
		{"must_contain_fact: [{key: a, vlaue: x}]", `did you mean "value"?`},
		{"must_contain_fact: [{key: a, value: ' '}]", "got a blank one"},
		{"must_contain_fact: [{key: max_words, value: x}]", "is the name of another check"},
		{"must_contain_fact: [{key: schema, value: x}]", "is the name of another check"},
		{"must_contain_fact: [{key: a, value: x}, {key: a, value: y}]", "1:47: a second check would be called \"a\""},
		{"must_contain_fact: [{key: a, any: []}]", "the list is empty"},
		{"must_not_contain: [a, a]", "a second check would be called"},
		{"must_not_contain: []", "the list is empty"},
		{"must_not_contain: [[a]]", "expected a string, got a list"},
		{"must_match: ['(?=x)']", "write it without look-around"},
		{`must_match: ['(a)\1']`, "write it without back-references"},
		{"must_match: ['(']", "missing closing )"},
		{"must_match: ['a{2000}']", "invalid repeat count"},
		{"must_not_contain_pii: false", "asks nothing"},
		{"label: overdeu", `case.yaml:1:8: label: "overdeu" is not among the suite's labels: did you mean "overdue"?`},
		{"label: [paid, overdeu]", `case.yaml:1:15: label: "overdeu" is not among`},
		{"label: shipped", "expected one of disputed, overdue, paid"},
		{"must_not_contain_pii: [emial]", `did you mean "email"?`},
		{"must_not_contain_pii: {kind: [email]}", `did you mean "kinds"?`},
		{"structure: lots", "expected three_sections, 2_paragraphs"},
		{"structure: three_chapters", "expected three_sections"},
		{"structure: {sections: some}", "expected a whole number"},
		{"structure: {sections: {min: 3, max: 2}}", "no text has both"},
		{"structure: {}", "asks nothing"},
		{"json_schema: {type: objekt}", `at "/type"`},
		{"json_schema: {$ref: 'file:///etc/passwd'}", "nothing is loaded from files or the network"},
		{"json_schema: {$ref: 'https://a.example/s.json'}", "nothing is loaded from files or the network"},
		{"json_schema: {$ref: other.json}", "nothing is loaded from files or the network"},
		{"json_schema: {$schema: 'https://a.example/s.json'}", "nothing is loaded from files or the network"},
		{"json_schema: {$ref: '#/$defs/x'}", "does not compile"},
		{"json_schema: {minimum: 1e999999}", "too large"},
		{"json_schema: 5", "expected a schema"},
		{"json_schema: schemas/none.json", "cannot read"},
		{"json_schema: schemas/bad.json", "line 1"},
		{"fields: {}", "expected paths and their values"},
		{"fields: {'a[': 1}", "fields: path"},
		{"fields: {a: {near: 1}}", "needs both numbers"},
		{"fields: {a: {near: 1, within: -1}}", "0 or more"},
		{"fields: {a: {near: 1, within: 1, x: 2}}", `unknown key "x"`},
		{"fields: {a.b: 1, '$.a.b': 2}", "two spellings"},
		{"label: {a: b}", "a label, or a list of labels"},
		{"tool_calls: [a]", "which is a mapping"},
		{"tool_calls: {sequense: [a]}", `did you mean "sequence"?`},
		{"tool_calls: {}", "asks nothing"},
		{"tool_calls: {contains: [a], forbidden: [a]}", "both asked for and forbidden"},
		{"tool_calls: {arguments: {a: 1}}", "expected a list of keys"},
		{"citations: {}", "needs resolve_in"},
		{"citations: {resolve_in: documents}", "does not start with input"},
		{"citations: {resolve_in: input.nothing}", "the case has nothing at"},
		{"covers: x", "expected a list of strings"},
		{"covers: {path: a}", "needs expected"},
		{"covers: [a, a]", "listed twice"},
		{"language: klingon", "is no language that can be told"},
		{"refusal: maybe", "expected true or false"},
		{"command: ls", "expected a list such as"},
		{"command: [' ']", "blank"},
		{"command: []", "the list is empty"},
	} {
		_, problems := check.Compile(parse(t, tt.expect), env(t))
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), tt.want) {
			t.Errorf("%s: got %v, want one problem with %q", tt.expect, problems, tt.want)
		}
	}
}

func TestProblemsComeTogetherAndInOrder(t *testing.T) {
	compiled, problems := check.Compile(parse(t, "max_words: x\nlabl: paid\nmin_words: 3\nmust_match: ['(', ok, '[']\n"), env(t))
	if len(problems) != 4 || len(compiled) != 2 {
		t.Fatalf("%d problems, %d checks: %v", len(problems), len(compiled), problems)
	}
	for i := 1; i < len(problems); i++ {
		if problems[i].Line < problems[i-1].Line {
			t.Errorf("out of order: %v", problems)
		}
	}
}

func TestNothingExpected(t *testing.T) {
	compiled, problems := check.Compile(parse(t, "a: 1").Get("expect"), env(t))
	if len(compiled)+len(problems) != 0 {
		t.Errorf("an absent expectation gave %v, %v", compiled, problems)
	}
	bare := check.Env{}
	_, problems = check.Compile(parse(t, "{label: paid, json_schema: a.json}"), bare)
	if len(problems) != 2 || !strings.Contains(problems.Error(), "the suite does not say what its labels are") || !strings.Contains(problems.Error(), "no file can be read here") {
		t.Errorf("without labels and files: %v", problems)
	}
}
