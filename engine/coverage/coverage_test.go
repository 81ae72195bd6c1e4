package coverage_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"docket/engine/coverage"
	"docket/engine/source"
	"docket/engine/suite"
)

// a case of a library's desk, its expectation in YAML.
func aCase(t *testing.T, id, provenance, expect string, tags ...string) *suite.Case {
	t.Helper()
	c := &suite.Case{ID: id, Provenance: provenance, Tags: tags, Weight: 1}
	if expect != "" {
		v, problems := source.Parse(id, []byte(expect))
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		c.Expect = v
	}
	return c
}

func told(losses []coverage.Loss) string {
	var all []string
	for _, l := range losses {
		text := string(l.Kind) + " " + l.Name
		if len(l.Going) > 0 {
			text += fmt.Sprint(" with ", l.Going)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

func TestWhatOnlyOneCaseCoversIsLostWithIt(t *testing.T) {
	rules := []suite.Link{{Pattern: regexp.MustCompile(`INC-(\d+)`), Target: "https://incidents.example/$1"}}
	x := coverage.New([]*suite.Case{
		aCase(t, "a", "incident INC-219, see DESK-1", "{must_contain_fact: [{key: hours, value: \"17:30\"}, {key: phone, value: \"1\"}], max_words: 60}", "hours", "en"),
		aCase(t, "b", "ticket DESK-1", "{must_contain_fact: [{key: hours, value: \"18:00\"}], max_words: 80, label: open}", "hours"),
		aCase(t, "c", "ticket DESK-2", "{label: closed, tool_calls: {sequence: [find_branch(city)]}, fields: {status: ok}}"),
		aCase(t, "d", "ticket DESK-3", "{tool_calls: {forbidden: [find_branch]}}", "en"),
		aCase(t, "e", "no reason", ""),
	}, rules)
	for _, tc := range []struct{ id, going, want string }{
		{"a", "", "incident INC-219; fact phone; value hours “17:30”; value phone “1”"},
		{"a", "b", "incident INC-219; fact hours with [b]; fact phone; check max_words with [b]; tag hours with [b]; ticket DESK-1 with [b]; value hours “17:30”; value phone “1”"},
		{"b", "", "label open; value hours “18:00”"},
		{"c", "", "check fields: status; label closed; ticket DESK-2"},
		{"d", "ac", "tool find_branch with [c]; tag en with [a]; ticket DESK-3"},
		{"e", "", ""},
		{"unknown", "", ""},
	} {
		got := told(x.Lost(tc.id, func(id string) bool { return strings.Contains(tc.going, id) }))
		if got != tc.want {
			t.Errorf("%s, while %q go: lost %q, want %q", tc.id, tc.going, got, tc.want)
		}
	}
	if shared := x.Shared("a", nil); shared[coverage.Feature{Kind: coverage.Fact, Name: "hours"}] != 1 || len(shared) != 5 {
		t.Errorf("shared %v", shared)
	}
}
