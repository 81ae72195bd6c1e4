package projection_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/canonical"
	"docket/engine/projection"
)

func stable(v any) projection.Measured {
	return projection.Measured{Stable: v, HasStable: true, Samples: 5}
}

func split(counts map[string]int) projection.Measured {
	n := 0
	for _, c := range counts {
		n += c
	}
	return projection.Measured{Unstable: counts, Samples: n}
}

func anyOf(values ...any) map[string]any { return map[string]any{"any": values} }

func TestAllow(t *testing.T) {
	set := suite(t)
	many := map[string]int{}
	for i := range projection.MostAllowed + 1 {
		many[fmt.Sprintf("v%d", i)] = 1
	}
	shape := func(members ...any) any { return members }
	for _, test := range []struct {
		what, name string
		old, new   projection.Measured
		want       string // JSON, or what the error says
	}{
		{"two values", "label", stable("paid"), stable("overdue"), `{"any":["overdue","paid"]}`},
		{"the same value", "label", stable("paid"), stable("paid"), `"paid"`},
		{"into an earlier set", "label", stable(anyOf("disputed", "overdue")), stable("paid"), `{"any":["disputed","overdue","paid"]}`},
		{"what the new samples were split on", "label", stable("paid"), split(map[string]int{"paid": 1, "overdue": 2}), `{"any":["overdue","paid"]}`},
		{"what was unstable before", "label", split(map[string]int{"paid": 3, "null": 2}), stable("overdue"), `{"any":["overdue","paid",null]}`},
		{"unstable on its own", "label", split(map[string]int{"paid": 3, "overdue": 2}), projection.Measured{}, `{"any":["overdue","paid"]}`},
		{"more than can be meant", "label", split(many), stable("v0"), "label would be allowed 9 values, and more than 8 are too many to expect: accept it as unstable instead"},
		{"measured nowhere", "label", projection.Measured{}, projection.Measured{}, "label was measured on neither side, so there is nothing to allow"},
		{"sequences", "tools", stable([]any{"a()"}), stable([]any{"b()", "a()"}), `{"any":[["a()"],["b()","a()"]]}`},
		{"a language that one side could not tell", "language", stable("unknown"), stable("en"), `"en"`},
		{"members", "shape", stable(shape("a:string", "b:number")), stable(shape("a:string", "c:null")), `{"any":[["a:string","b:number"],["a:string","c:null"]]}`},
		{
			"members that came and went", "shape",
			projection.Measured{Stable: shape("a:string"), HasStable: true, Unstable: map[string]int{"note:string": 2}, Samples: 5},
			projection.Measured{},
			`{"any":[["a:string","note:string"],["a:string"]]}`,
		},
		{"no JSON in some", "shape", stable(nil), stable(shape("a:string")), `{"any":[["a:string"],null]}`},
	} {
		t.Run(test.what, func(t *testing.T) {
			got, err := set.Allow(test.name, test.old, test.new)
			said := string(canonical.Marshal(got))
			if err != nil {
				said = err.Error()
			}
			if said != test.want {
				t.Errorf("got  %s\nwant %s", said, test.want)
			}
		})
	}
}

// TestWhatIsAllowedIsTheSame: once a person allowed the new value, neither
// side, nor any one sample of either, differs from the set; allowing again
// changes nothing; and a line that keeps to the set does not lose it.
func TestWhatIsAllowedIsTheSame(t *testing.T) {
	set := suite(t)
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawSamples(t, set, "old"), drawSamples(t, set, "new")
		old, new := measured(set, before), measured(set, after)
		for _, name := range set.Names() {
			value, err := set.Allow(name, old[name], new[name])
			if err != nil {
				if strings.Contains(err.Error(), "no expectation") || strings.Contains(err.Error(), "neither side") {
					continue
				}
				t.Fatal(err)
			}
			allowed := projection.Measured{Stable: value, HasStable: true, Samples: 1}
			sides := []projection.Measured{old[name], new[name]}
			for i, samples := range [][]map[string]any{before, after} {
				if m := sides[i]; !m.HasStable && len(m.Unstable) == 0 {
					continue // measured in some samples only: the line says nothing of them
				}
				for _, sample := range samples {
					sides = append(sides, measured(set, []map[string]any{sample})[name])
				}
			}
			for _, side := range sides {
				for _, d := range set.Compare(name, allowed, side) {
					if d.Kind != projection.Noise {
						t.Fatalf("%s\nallowed %s\nside    %s", spellDifference(name, d), canonical.Marshal(value), spellMeasured(side))
					}
				}
				if !projection.IsAllowed(value) {
					continue
				}
				if carried := set.Carry(name, allowed, side); side.HasStable && len(side.Unstable) == 0 && string(canonical.Marshal(carried.Stable)) != string(canonical.Marshal(value)) {
					t.Fatalf("%s: the set %s was lost to %s", name, canonical.Marshal(value), canonical.Marshal(carried.Stable))
				}
			}
			again, err := set.Allow(name, allowed, new[name])
			if err != nil {
				t.Fatal(err)
			}
			if name != "numbers" && string(canonical.Marshal(again)) != string(canonical.Marshal(value)) {
				t.Fatalf("%s: allowing again made %s of %s", name, canonical.Marshal(again), canonical.Marshal(value))
			}
		}
	})
}

func spellMeasured(m projection.Measured) string {
	unstable, err := json.Marshal(m.Unstable)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s, unstable %s", canonical.Marshal(m.Stable), unstable)
}
