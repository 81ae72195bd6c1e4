package check_test

import (
	"fmt"
	"testing"

	"docket/engine/check"
	"docket/engine/source"
)

// TestCasesThatAskTheSameShareTheirChecks, and cases that ask for something
// else, or the same in another spelling, which messages repeat, do not.
func TestCasesThatAskTheSameShareTheirChecks(t *testing.T) {
	shared := new(check.Shared)
	compile := func(text string, s *check.Shared) []check.Compiled {
		t.Helper()
		v, problems := source.Parse("expect.yaml", []byte(text))
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		checks, problems := check.Compile(v, check.Env{Shared: s})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return checks
	}
	at := func(c check.Compiled) string { return fmt.Sprintf("%p", c.Check) }
	const both = "must_not_contain: [14 days]\nmax_words: 90\n"
	first, second := compile(both, shared), compile(both, shared)
	if &first[0] != &second[0] {
		t.Error("two cases that ask the same have two lists of checks")
	}
	third := compile("must_not_contain: [14 Days]\nmax_words: 90\n", shared)
	if len(third) != 2 || at(third[1]) != at(first[1]) || at(third[0]) == at(first[0]) {
		t.Error("a case that asks one thing alike shares that, and nothing else")
	}
	blind := compile("ignore_case: true\n"+both, shared)
	spelled := compile("ignore_case: true\nmust_not_contain: [14 DAYS]\nmax_words: 90\n", shared)
	if at(blind[0]) == at(first[0]) || at(blind[0]) == at(spelled[0]) {
		t.Error("checks that are blind to case were shared beyond their spelling")
	}
	if alone := compile(both, nil); at(alone[0]) == at(first[0]) {
		t.Error("a check was shared where nothing is to be")
	}
}
