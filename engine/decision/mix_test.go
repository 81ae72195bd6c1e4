package decision

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/baseline"
)

func all(n int) baseline.Tally { return baseline.Tally{Passed: n, Of: n} }

func TestMixKeepsTheOldRows(t *testing.T) {
	one := 1.0
	old := baseline.Line{
		ID: "a", Version: 1, Input: "i", Expect: "e", Pass: &baseline.Tally{Passed: 5, Of: 5}, Score: &one, Samples: 5, Captured: "2026-01-01", Outputs: "old",
		Checks:      map[string]baseline.Check{"fact": {Tally: all(5), Low: 1, High: 1}, "words": {Tally: all(5), Low: 1, High: 1}},
		Params:      map[string]string{"fact": "1", "words": "2"},
		Projections: map[string]any{"label": "overdue", "tools": []any{"lookup"}, "length": "short"},
		Unstable:    map[string]map[string]int{"refusal": {"false": 4, "true": 1}},
		Extra:       []baseline.Member{{Key: "owner", Value: []byte(`"team"`)}},
	}
	proposed := baseline.Line{
		ID: "a", Version: 2, Input: "i", Expect: "e", Pass: &baseline.Tally{Passed: 0, Of: 3}, Score: &one, Samples: 3, Outputs: "new",
		Checks: map[string]baseline.Check{"fact": {Tally: baseline.Tally{Passed: 0, Of: 3}}, "words": {Tally: baseline.Tally{Passed: 2, Of: 3}, Low: 0.4, High: 1}},
		Params: map[string]string{"fact": "1", "words": "3"},
		Projections: map[string]any{
			"label": "paid", "tools": []any{}, "refusal": false,
		},
		Unstable: map[string]map[string]int{"length": {"short": 2, "long": 1}},
	}
	got, err := Mix(&old, &proposed, Parts{Projections: map[string]bool{"label": true, "refusal": true}, Checks: map[string]bool{"words": true}})
	if err != nil {
		t.Fatal(err)
	}
	score := (1 + (2*1+1*0.4)/3) / 2
	want := baseline.Line{
		ID: "a", Version: 2, Input: "i", Expect: "e", Pass: &baseline.Tally{Passed: 2, Of: 3}, Score: &score, Samples: 3, Outputs: "new",
		Checks:      map[string]baseline.Check{"fact": {Tally: all(5), Low: 1, High: 1}, "words": {Tally: baseline.Tally{Passed: 2, Of: 3}, Low: 0.4, High: 1}},
		Params:      map[string]string{"fact": "1", "words": "3"},
		Projections: map[string]any{"label": "paid", "tools": []any{"lookup"}, "length": "short", "refusal": false},
		Unstable:    map[string]map[string]int{},
		Extra:       old.Extra,
	}
	if math.Abs(*got.Score-score) < 1e-12 {
		got.Score = &score
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	edited := proposed
	edited.Input = "another"
	if _, err := Mix(&old, &edited, Parts{}); err == nil {
		t.Error("rows of two different questions were mixed")
	}
}

// genSide draws one side of a case, as measuring gives it.
func genSide() *rapid.Generator[baseline.Line] {
	return rapid.Custom(func(t *rapid.T) baseline.Line {
		samples := rapid.IntRange(1, 5).Draw(t, "samples")
		l := baseline.Line{ID: "a", Samples: samples, Checks: map[string]baseline.Check{}, Projections: map[string]any{}, Unstable: map[string]map[string]int{}}
		for _, name := range []string{"p", "q", "r"} {
			if rapid.Bool().Draw(t, "has check "+name) {
				low := rapid.Float64Range(0, 1).Draw(t, "low")
				l.Checks[name] = baseline.Check{
					Tally: baseline.Tally{Passed: rapid.IntRange(0, samples).Draw(t, "passed"), Of: samples},
					Low:   low, High: max(low, rapid.Float64Range(0, 1).Draw(t, "high")),
				}
			}
			if rapid.Bool().Draw(t, "has projection "+name) {
				l.Projections[name] = rapid.SampledFrom([]any{nil, "x", "y"}).Draw(t, "value")
			} else {
				l.Unstable[name] = map[string]int{"x": 1}
			}
		}
		l.Pass, l.Score = judge(l.Checks)
		return l
	})
}

func TestMixingAgainGivesTheSameLine(t *testing.T) {
	set := rapid.MapOf(rapid.SampledFrom([]string{"p", "q", "r"}), rapid.Just(true))
	rapid.Check(t, func(t *rapid.T) {
		old, proposed := genSide().Draw(t, "old"), genSide().Draw(t, "proposed")
		accepted := Parts{Projections: set.Draw(t, "projections"), Checks: set.Draw(t, "checks")}
		mix := func(old *baseline.Line) []byte {
			m, err := Mix(old, &proposed, accepted)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Checks) > 0 && (*m.Score < 0 || *m.Score > 1 || m.Pass.Passed > m.Pass.Of) {
				t.Fatalf("judged as %v, %v", *m.Pass, *m.Score)
			}
			return baseline.AppendLine(nil, &m)
		}
		once := mix(&old)
		written, err := baseline.ParseLine(once)
		if err != nil {
			t.Fatal(err)
		}
		if again := mix(&written); string(again) != string(once) {
			t.Fatalf("once\n%s\nagain\n%s", once, again)
		}
	})
}
