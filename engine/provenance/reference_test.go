package provenance

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"docket/engine/suite"
)

func rules() []suite.Link {
	return []suite.Link{
		{Pattern: regexp.MustCompile(`INC-(\d+)`), Target: "https://incidents.example/$1"},
		{Pattern: regexp.MustCompile(`#(\d+)`), Target: "https://forge.example/issues/$1"},
	}
}

func TestReferences(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"incident INC-219 — refund window dropped", []string{"ticket INC-219 https://incidents.example/219"}},
		{"PROJ-12 and #1234, not UTF-8, ISO-8601 or GPT-4", []string{"ticket PROJ-12 ", "ticket #1234 https://forge.example/issues/1234"}},
		{"see (https://wiki.example/a_(b)), or https://x.example/INC-7.", []string{"url https://wiki.example/a_(b) https://wiki.example/a_(b)", "url https://x.example/INC-7 https://x.example/INC-7"}},
		{"commit 1a2b3c4 broke it", []string{"commit! 1a2b3c4 "}},
		{"since 1a2b3c4 perhaps, 1234567 is an order, defaced is a word", []string{"commit 1a2b3c4 "}},
		{strings.Repeat("0a", 20), []string{"commit! " + strings.Repeat("0a", 20) + " "}},
		{"copied from tests/legacy/refunds.spec.ts, and/or example.com/page.html", []string{"file tests/legacy/refunds.spec.ts "}},
		{"2025/04/02 a 50/50 chance at 3.5/4.5", nil},
		{"https://\x1b]8;;evil", nil},
		{"https://x.example/ü", []string{"url https://x.example/ü https://x.example/%C3%BC"}},
		{"", nil},
	} {
		var got []string
		for _, r := range References(test.text, rules()) {
			sure := ""
			if r.Certain {
				sure = "!"
			}
			if r.Text != test.text[r.Start:r.End] {
				t.Errorf("%q: %q does not stand at %d", test.text, r.Text, r.Start)
			}
			got = append(got, string(r.Kind)+sure+" "+r.Text+" "+r.Address)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q refers to\n%q, want\n%q", test.text, got, test.want)
		}
	}
}

func TestIncidents(t *testing.T) {
	for text, want := range map[string]string{
		"incident INC-219 — dropped":                "INC-219",
		"after INC-219 and INC-220, see PROJ-4":     "INC-219 INC-220",
		"incident #77: wrong amount":                "#77",
		"post-mortem: https://wiki.example/pm/4":    "https://wiki.example/pm/4",
		"ticket CARE-12, a customer asked":          "",
		"the outage of March, nobody wrote it down": "",
	} {
		if got := strings.Join(Incidents(text, rules()), " "); got != want {
			t.Errorf("%q speaks of %q, want %q", text, got, want)
		}
	}
	for want, cases := range map[bool][]suite.Case{
		true:  {{Provenance: "the outage of March"}, {Provenance: "INC-4"}, {Provenance: "x", Tags: []string{"incident"}}},
		false: {{Provenance: "ticket CARE-12: coincidental"}, {Provenance: "sampled from production"}},
	} {
		for _, c := range cases {
			if StemsFromIncident(&c) != want {
				t.Errorf("%q stems from an incident: want %v", c.Provenance, want)
			}
		}
	}
}

func TestBoilerplate(t *testing.T) {
	for _, said := range []string{
		"test", "Test.", "TODO", "todo: find out", "n/a", "-", "…", "added by migration", "Added by the migration script", "imported from evals.csv",
		"Imported from promptfoo", "auto-generated", "inv-0031", "Case: inv-0031", "migrated from tests/old/refunds.py", "xxx", "legacy", "initial commit",
	} {
		if Boilerplate(&suite.Case{ID: "inv-0031", Provenance: said}, rules()) == "" {
			t.Errorf("%q passes for a provenance", said)
		}
	}
	for _, said := range []string{
		"INC-219", "added by migration of INC-219", "imported from production after the agent quoted 14 days", "written for the tests",
		"sampled from production, June 2026 — a reminder in French", "test of the new refund policy after two customers complained", "#12",
		"generated 40 letters; this one made the model answer in German", "https://wiki.example/refunds",
	} {
		if why := Boilerplate(&suite.Case{ID: "inv-0031", Provenance: said}, rules()); why != "" {
			t.Errorf("%q is refused: it %s", said, why)
		}
	}
}

func TestDangles(t *testing.T) {
	known := Known{
		Commit: func(id string) bool { return id == "1a2b3c4" },
		File: func(path string) (there, ours bool) {
			return path == "cases/there.yaml", strings.HasPrefix(path, "cases/")
		},
	}
	text := "commit 1a2b3c4, commit 9a9b9c9, maybe 8a8b8c8, cases/there.yaml, cases/gone.yaml, theirs/else.go"
	var got []string
	for _, d := range Dangles(text, rules(), known) {
		got = append(got, d.Text+" "+d.Why)
	}
	if want := []string{"9a9b9c9 git knows no such commit", "cases/gone.yaml there is no such file"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	known.Commit = nil
	if got := Dangles("commit 9a9b9c9", rules(), known); got != nil {
		t.Errorf("without git %v dangles", got)
	}
	if got := Unruled("INC-1, PROJ-2, #3", rules()); len(got) != 1 || got[0].Text != "PROJ-2" || Tracker(got[0].Text) != "PROJ" {
		t.Errorf("without a rule are %v", got)
	}
	if got := Unruled("PROJ-2", nil); got != nil {
		t.Errorf("with no rule at all %v is a finding", got)
	}
}

func FuzzReferences(f *testing.F) {
	for _, s := range []string{"incident INC-219 (https://a.example/b_(c)).", "commit 1a2b3c4 #1 a/b.c", "https://[::1]:80/\x1b", "\xff INC-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, r := range References(text, rules()) {
			if r.Start < end || r.End <= r.Start || text[r.Start:r.End] != r.Text {
				t.Fatalf("%q: %+v", text, r)
			}
			end = r.End
			if strings.ContainsFunc(r.Address, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
				t.Fatalf("the address %q", r.Address)
			}
		}
		Boilerplate(&suite.Case{ID: "a", Provenance: text}, rules())
	})
}
