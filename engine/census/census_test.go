package census

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/results"
	"docket/engine/suite"
)

func taken() *Census {
	s := &suite.Suite{Name: "mail", Cases: []*suite.Case{
		{ID: "a", Weight: 3, Provenance: "incident INC-219", Tags: []string{"refund", "refund", "de"}, Added: "2026-05-20", ExpectHash: "x"},
		{ID: "b", Weight: 1, Provenance: "sampled from production", Tags: []string{"refund"}, Added: "2026-03-20", ExpectHash: "x"},
		{ID: "c, d", Weight: 1, Provenance: "the outage of March", Added: "2025-06-02", ExpectHash: "x"},
		{ID: "e\x1b[2J", Weight: 0.5, Provenance: "INC-219 again", Added: "2024-01-01"},
		{ID: "f", Weight: 1, Provenance: "ticket T-1", ExpectHash: "x"},
	}}
	rules := []suite.Link{{Pattern: regexp.MustCompile(`INC-(\d+)`), Target: "https://x.example/$1"}}
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	return Take(s, rules, now, true, map[string]int{"a": 2, "b": 1, "c, d": 4}, map[string]results.Tally{
		"a": {Judged: 2, Failed: 1}, "b": {Judged: 1}, "c, d": {Judged: 3},
	})
}

func TestTake(t *testing.T) {
	c := taken()
	for _, test := range []struct {
		what      string
		got, want []Share
	}{
		{"all", []Share{c.All}, []Share{{"all", 5, 6.5}}},
		{"tags", c.Tags, []Share{{"refund", 2, 4}, {"de", 1, 3}}},
		{"incidents", c.Incidents, []Share{{"INC-219", 2, 3.5}}},
		{"from an incident", []Share{c.FromIncident}, []Share{{"", 3, 4.5}}},
		{"untagged", []Share{c.Untagged}, []Share{{"", 3, 2.5}}},
		{"ages", c.Ages, []Share{{"under a month", 1, 3}, {"under three months", 1, 1}, {"under a year", 1, 1}, {"a year or more", 1, 0.5}, {"no date", 1, 1}}},
		{"weights", c.Weights, []Share{{"3", 1, 3}, {"1", 3, 3}, {"0.5", 1, 0.5}}},
		{"unasked", []Share{c.Unasked}, []Share{{"", 1, 0.5}}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.got, test.want)
		}
	}
	if !slices.Equal(c.NeverRan, []string{"e\x1b[2J", "f"}) || !slices.Equal(c.NeverFailed, []string{"b", "c, d"}) || c.Judged != 3 {
		t.Errorf("never ran %q, never failed %q of %d", c.NeverRan, c.NeverFailed, c.Judged)
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	if err := writeText(&out, taken()); err != nil {
		t.Fatal(err)
	}
	want := `mail: 5 cases, weight 6.5
69% of the weight comes from incidents: 3 cases, 4.5 of 6.5
1 case has no expectation, and can neither pass nor fail

tag      cases         weight
refund       2  40%         4  62%
de           1  20%         3  46%
(none)       3  60%       2.5  38%

incident   cases         weight
INC-219        2  40%       3.5  54%

age                  cases         weight
under a month            1  20%         3  46%
under three months       1  20%         1  15%
under a year             1  20%         1  15%
a year or more           1  20%       0.5   8%
no date                  1  20%         1  15%

weight   cases         weight
3            1  20%         3  46%
1            3  60%         3  46%
0.5          1  20%       0.5   8%

never ran     2 cases: e<ESC>[2J, f
never failed  2 cases: b, "c, d"
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	if err := writeJSON(&out, taken()); err != nil || !json.Valid(out.Bytes()) {
		t.Errorf("%q, %v", out.String(), err)
	}
	none := taken()
	none.Stored = false
	out.Reset()
	if err := writeText(&out, none); err != nil || !strings.Contains(out.String(), "not known") {
		t.Errorf("%q, %v", out.String(), err)
	}
}
