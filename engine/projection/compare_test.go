package projection_test

import (
	"slices"
	"testing"

	"docket/engine/projection"
)

// TestOverSamples holds the comparison to each sentence of the design's "Over
// samples", for each kind of projection.
func TestOverSamples(t *testing.T) {
	set := suite(t)
	for _, tc := range []struct {
		name, projection string
		old, new         []string
		want             []string
	}{
		// Whole values.
		{"same where all samples have it", "label", []string{`"a"`, `"a"`}, []string{`"a"`, `"a"`, `"a"`}, nil},
		{"unsettled where some do", "label", []string{`"a"`, `"a"`}, []string{`"a"`, `"b"`}, []string{`label unsettled a → {"any":["a","b"]}`}},
		{"changed where none does", "label", []string{`"a"`, `"a"`}, []string{`"b"`}, []string{"label changed a → b"}},
		{"changed where none does, in several ways", "label", []string{`"a"`}, []string{`"b"`, `"c"`}, []string{`label changed a → {"any":["b","c"]}`}},
		{"to null and back", "label", []string{`"a"`}, []string{`null`}, []string{"label changed a → null"}},
		{"a sequence in another order", "tools", []string{`["a()","b()"]`}, []string{`["b()","a()"]`}, []string{`tools changed ["a()","b()"] → ["b()","a()"]`}},
		{"calls that do not parse", "tools", []string{`["a()"]`}, []string{`"unparsable"`}, []string{`tools changed ["a()"] → unparsable`}},
		{"unstable is never changed", "label", []string{`"a"`, `"b"`}, []string{`"a"`}, nil},
		{"unstable, and some new samples outside", "label", []string{`"a"`, `"b"`}, []string{`"a"`, `"c"`}, nil},
		{"unstable, and every new sample outside", "label", []string{`"a"`, `"b"`}, []string{`"c"`, `"d"`}, []string{`label unsettled {"any":["a","b"]} → {"any":["c","d"]}`}},
		{"stability is gained over as many samples, which is no change", "label", []string{`"a"`, `"b"`}, []string{`"a"`, `"a"`}, []string{`label noise {"any":["a","b"]} → a`}},
		{"an allowed set: within", "label", []string{`{"any":["a","b"]}`}, []string{`"b"`, `"a"`}, nil},
		{"an allowed set: one outside", "label", []string{`{"any":["a","b"]}`}, []string{`"b"`, `"c"`}, []string{`label unsettled {"any":["a","b"]} → {"any":["b","c"]}`}},
		{"an allowed set: all outside", "label", []string{`{"any":["a","b"]}`}, []string{`"c"`}, []string{`label changed {"any":["a","b"]} → c`}},
		{"added later", "label", []string{""}, []string{`"a"`}, nil},
		{"unknown calls are not compared", "tools", []string{`["a()"]`}, []string{""}, nil},
		{"unknown language never differs", "language", []string{`"en"`}, []string{`"unknown"`}, nil},
		{"nor the other way round", "language", []string{`"unknown"`}, []string{`"de"`}, nil},
		{"known languages do", "language", []string{`"en"`}, []string{`"de"`, `"unknown"`}, []string{"language changed en → de"}},
		{"refusal", "refusal", []string{`false`}, []string{`true`}, []string{"refusal changed false → true"}},

		// Members.
		{"members: the same", "shape", []string{`["a:x","b:x"]`}, []string{`["a:x","b:x"]`}, nil},
		{"members: a held one lost", "shape", []string{`["a:x","b:x"]`}, []string{`["a:x"]`, `["a:x"]`}, []string{"shape b:x lost b:x → null"}},
		{"members: a held one in some", "shape", []string{`["a:x","b:x"]`}, []string{`["a:x"]`, `["a:x","b:x"]`}, []string{"shape b:x unsettled b:x → null"}},
		{"members: one never seen, in the only sample", "shape", []string{`["a:x"]`, `["a:x"]`}, []string{`["a:x","c:x"]`}, []string{"shape c:x added null → c:x"}},
		{"members: one never seen, in some", "shape", []string{`["a:x"]`}, []string{`["a:x","c:x"]`, `["a:x"]`}, []string{"shape c:x unsettled null → c:x"}},
		{"members: one of another type", "shape", []string{`["a:number"]`}, []string{`["a:string"]`}, []string{"shape a:number lost a:number → null", "shape a:string added null → a:string"}},
		{"members: an unstable one comes", "shape", []string{`["a:x"]`, `["a:x","n:x"]`}, []string{`["a:x","n:x"]`}, nil},
		{"members: an unstable one goes", "shape", []string{`["a:x"]`, `["a:x","n:x"]`}, []string{`["a:x"]`}, nil},
		{"members: an unstable one settles", "shape", []string{`["a:x"]`, `["a:x","n:x"]`}, []string{`["a:x","n:x"]`, `["a:x","n:x"]`}, []string{"shape n:x noise n:x → n:x"}},
		{"members: a stable one beside unstable ones is lost", "shape", []string{`["a:x"]`, `["a:x","n:x"]`}, []string{`["n:x"]`}, []string{"shape a:x lost a:x → null"}},
		{"members: no JSON any more", "shape", []string{`["a:x","b:x"]`}, []string{`null`}, []string{`shape changed ["a:x","b:x"] → null`}},
		{"members: no JSON in some", "shape", []string{`["a:x","b:x"]`}, []string{`null`, `["a:x","b:x"]`}, []string{`shape unsettled ["a:x","b:x"] → null`}},
		{"members: JSON now", "shape", []string{`null`}, []string{`["a:x"]`, `["a:x"]`}, []string{`shape changed null → ["a:x"]`}},
		{"members: JSON in some", "shape", []string{`null`}, []string{`["a:x"]`, `null`}, []string{`shape unsettled null → ["a:x"]`}},
		{"members: JSON or not, as before", "shape", []string{`null`, `["a:x"]`}, []string{`null`}, nil},
		{"members: JSON or not, with one never seen", "shape", []string{`null`, `["a:x"]`}, []string{`["a:x","b:x"]`}, []string{"shape b:x added null → b:x"}},
		{"members: every tool gone", "toolset", []string{`["a"]`}, []string{`[]`}, []string{"toolset a lost a → null"}},
		{"members: the first tool", "toolset", []string{`[]`}, []string{`["a"]`}, []string{"toolset a added null → a"}},
		{"members: an allowed set: either", "shape", []string{`{"any":[["a:x"],["a:x","n:x"]]}`}, []string{`["a:x","n:x"]`, `["a:x"]`}, nil},
		{"members: an allowed set: what all hold is held", "shape", []string{`{"any":[["a:x"],["a:x","n:x"]]}`}, []string{`["n:x"]`}, []string{"shape a:x lost a:x → null"}},
		{"members: an allowed set: null", "shape", []string{`{"any":[["a:x"],null]}`}, []string{`null`}, nil},
		{"members: a baseline edited by hand", "shape", []string{`"what"`}, []string{`["a:x"]`}, []string{`shape changed what → ["a:x"]`}},

		// Numbers.
		{"numbers: within the tolerance", "numbers", []string{`{"amount":1.0}`}, []string{`{"amount":1.1}`}, nil},
		{"numbers: out of it", "numbers", []string{`{"amount":20}`}, []string{`{"amount":90}`}, []string{"numbers amount changed 20 → 90"}},
		{"numbers: some out of it", "numbers", []string{`{"amount":20}`}, []string{`{"amount":90}`, `{"amount":20}`}, []string{`numbers amount unsettled 20 → {"any":[20,90]}`}},
		{"numbers: absent now", "numbers", []string{`{"amount":20}`}, []string{`{"amount":null}`}, []string{"numbers amount lost 20 → null"}},
		{"numbers: absent in some", "numbers", []string{`{"amount":20}`}, []string{`{"amount":null}`, `{"amount":20}`}, []string{`numbers amount unsettled 20 → {"any":[20,null]}`}},
		{"numbers: there now", "numbers", []string{`{"amount":null}`}, []string{`{"amount":20}`}, []string{"numbers amount added null → 20"}},
		{"numbers: configured later", "numbers", []string{`{"amount":1}`}, []string{`{"amount":1,"fee":2}`}, nil},
		{"numbers: no longer configured", "numbers", []string{`{"amount":1,"gone":2}`}, []string{`{"amount":1,"gone":3}`}, nil},
		{"numbers: unstable, and between", "numbers", []string{`{"amount":10}`, `{"amount":30}`}, []string{`{"amount":20}`}, nil},
		{"numbers: unstable, and outside", "numbers", []string{`{"amount":10}`, `{"amount":30}`}, []string{`{"amount":50}`}, []string{`numbers amount unsettled {"any":[10,30]} → 50`}},
		{"numbers: two at once, in order", "numbers", []string{`{"fee":1,"amount":1}`}, []string{`{"fee":2,"amount":2}`}, []string{"numbers amount changed 1 → 2", "numbers fee changed 1 → 2"}},
		{"numbers: to the last digit", "numbers", []string{`{"fee":12345678901234567890}`}, []string{`{"fee":12345678901234567891}`}, []string{"numbers fee changed 12345678901234567890 → 12345678901234567891"}},
		{"numbers: an allowed set of one", "numbers", []string{`{"amount":{"any":[1,2]}}`}, []string{`{"amount":2}`}, nil},
		{"numbers: an allowed set of all", "numbers", []string{`{"any":[{"amount":1},{"amount":2}]}`}, []string{`{"amount":3}`}, []string{`numbers amount changed {"any":[1,2]} → 3`}},
		{"numbers: a baseline edited by hand", "numbers", []string{`[1]`}, []string{`{"amount":3}`}, []string{`numbers changed [1] → {"amount":3}`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			old := measured(set, samplesOf(t, tc.projection, tc.old...))
			if v := tc.old[0]; len(tc.old) == 1 && v != "" {
				// A line as it stands in a file, whoever wrote it.
				old[tc.projection] = projection.Measured{Stable: parse(t, v), HasStable: true, Samples: 1}
			}
			got := differences(set, old, measured(set, samplesOf(t, tc.projection, tc.new...)))
			if !slices.Equal(got, tc.want) {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestCompareWithoutSuite(t *testing.T) {
	side := func(s string) projection.Measured {
		return projection.Measured{Stable: parse(t, s), HasStable: true, Samples: 1}
	}
	if got := projection.Compare("numbers", side(`{"a":1}`), side(`{"a":2}`), nil); len(got) != 1 {
		t.Errorf("without tolerance: %v", got)
	}
	if got := projection.Compare("numbers", side(`{"a":1}`), side(`{"a":2}`), map[string]float64{"a": 1}); len(got) != 0 {
		t.Errorf("within the tolerance: %v", got)
	}
	if got := projection.Compare("mood", side(`"good"`), side(`"bad"`), nil); len(got) != 1 || got[0].Kind != projection.Changed {
		t.Errorf("a projection of another version: %v", got)
	}
	if got := projection.Compare("shape", side(`["a:x"]`), side(`["b:x"]`), nil); len(got) != 2 {
		t.Errorf("members: %v", got)
	}
}
