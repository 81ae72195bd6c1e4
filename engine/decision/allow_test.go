package decision

import (
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/disk/disktest"
	"docket/engine/journal"
)

func allowSet(values ...any) map[string]any { return map[string]any{"any": values} }

// TestAllowedPartsOfALine: what is allowed stands beside what is accepted and
// what keeps its old value, all in one line, however often it is made.
func TestAllowedPartsOfALine(t *testing.T) {
	for _, test := range []struct {
		what    string
		decided map[string]Verdict // by part; "" is the case
		want    string             // the projections of the line
		plan    [3]int             // accepted, allowed, rejected
	}{
		{"the case", map[string]Verdict{"": Allow}, `{"label":{"any":["x","y"]},"tools":{"any":["x","y"]}}`, [3]int{0, 1, 0}},
		{"one part", map[string]Verdict{"projection:label": Allow}, `{"label":{"any":["x","y"]},"tools":"x"}`, [3]int{0, 1, 0}},
		{"beside one that is accepted", map[string]Verdict{"projection:label": Allow, "projection:tools": Accept}, `{"label":{"any":["x","y"]},"tools":"y"}`, [3]int{1, 1, 0}},
		{"beside one that is rejected", map[string]Verdict{"projection:label": Allow, "projection:tools": Reject}, `{"label":{"any":["x","y"]},"tools":"x"}`, [3]int{0, 1, 1}},
		{"on top of an accepted case", map[string]Verdict{"": Accept, "projection:label": Allow}, `{"label":{"any":["x","y"]},"tools":"y"}`, [3]int{1, 1, 0}},
	} {
		t.Run(test.what, func(t *testing.T) {
			m := disktest.NewMemory("/r")
			h := baseline.Header{Format: baseline.Format, Suite: "s", Mode: "live"}
			old := baseline.Line{ID: "a", Version: 1, Input: "sha256:aa", Projections: map[string]any{"label": "x", "tools": "x"}, Unstable: map[string]map[string]int{"label": {"x": 4, "y": 1}}, Samples: 5, Outputs: "sha256:old"}
			if _, err := baseline.Create(m, "/r", &h, map[string][]byte{"a": baseline.AppendLine(nil, &old)}); err != nil {
				t.Fatal(err)
			}
			f := open(t, m, "/r")
			i := item(f, "a", "")
			i.Proposed = baseline.Dated(wide("a", "y", "y"), "2026-08-11")
			i.Decision.Seen = Seen(lineOf(f, "a"), i.Proposed)
			i.Decision.Changes = []Change{{Kind: "projection", Of: "label", Old: "x", New: "y"}, {Kind: "projection", Of: "tools", Old: "x", New: "y"}}

			at := decidedAt
			c := journal.Config{FS: m, Root: "/r", Name: journal.Name("s", "live"), Subject: f.Hash(), Now: func() time.Time { at = at.Add(time.Second); return at }}
			j, err := journal.Open(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{"", "projection:tools", "projection:label"} {
				verdict, ok := test.decided[part]
				if !ok {
					continue
				}
				decided := i
				if verdict == Allow {
					decided.Allowed = map[string]any{"label": allowSet("x", "y")}
					if part == "" {
						decided.Allowed["tools"] = allowSet("x", "y")
					}
				}
				if _, err := j.Decide(journal.Group{Verdict: string(verdict), Reason: "either will do", Entries: []journal.Entry{decided.Entry(part)}}); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // the second time as after a crash before the journal was closed
				items, err := Items(j.Decisions(), open(t, m, "/r"))
				if err != nil {
					t.Fatal(err)
				}
				outcome, err := Apply(request(m, "/r", items...))
				if err != nil || len(outcome.Stale) > 0 {
					t.Fatalf("%+v, %v", outcome.Stale, err)
				}
				if outcome.Already == 0 && [3]int{outcome.Accepted, outcome.Allowed, outcome.Rejected} != test.plan {
					t.Errorf("the plan counts %d, %d, %d", outcome.Accepted, outcome.Allowed, outcome.Rejected)
				}
				line, err := open(t, m, "/r").Line(0)
				if err != nil {
					t.Fatal(err)
				}
				if got := string(canonical.Marshal(line.Projections)); got != test.want || len(line.Unstable) > 0 {
					t.Errorf("the line holds %s, unstable %v; want %s", got, line.Unstable, test.want)
				}
				if line.Captured != "2026-08-11" {
					t.Errorf("the line says that it was captured %q, and not on the day of the run", line.Captured)
				}
				accepts := test.plan[0] > 0
				if !accepts && (line.Samples != 5 || line.Outputs != "sha256:old") {
					t.Errorf("nothing was accepted, and the line is of %d samples, %s", line.Samples, line.Outputs)
				}
			}
		})
	}
}

// TestAnAllowOnAnotherLineIsStale and is not written as what was proposed.
func TestAnAllowOnAnotherLineIsStale(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	i := item(f, "a", Allow)
	i.Decision.Seen = "0000000000000000"
	plan, err := MakePlan(f, []Item{i}, nil)
	if err != nil || len(plan.Stale) != 1 || plan.Allowed != 0 || len(plan.Edit.Replace) != 0 {
		t.Errorf("%+v, %v", plan, err)
	}
}
