package projection_test

import (
	"encoding/json"
	"testing"

	"docket/engine/canonical"
	"docket/engine/projection"
)

// parse reads a JSON value; "" is a projection that did not apply.
func parse(t testing.TB, s string) any {
	t.Helper()
	v, err := canonical.Parse([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

func samplesOf(t testing.TB, name string, values ...string) []map[string]any {
	samples := make([]map[string]any, len(values))
	for i, v := range values {
		samples[i] = map[string]any{}
		if v != "" {
			samples[i][name] = parse(t, v)
		}
	}
	return samples
}

func suite(t testing.TB) *projection.Set {
	return compile(t, "{label: {path: status}, numbers: {amount: {path: a, within: 0.1}, fee: {path: b}}}")
}

func TestFold(t *testing.T) {
	set := suite(t)
	for _, tc := range []struct {
		name, projection string
		values           []string
		stable, unstable string // of that projection; "" for none
	}{
		{"whole: all agree", "label", []string{`"paid"`, `"paid"`}, `"paid"`, ""},
		{"whole: null is a value", "label", []string{`null`, `null`}, `null`, ""},
		{"whole: they differ", "label", []string{`"paid"`, `"overdue"`, `"paid"`}, "", `{"overdue":1,"paid":2}`},
		{"whole: what is no string is canonical JSON", "label", []string{`null`, `["b","a"]`, `"a"`}, "", `{"[\"b\",\"a\"]":1,"a":1,"null":1}`},
		{"whole: a string that reads as JSON is quoted", "label", []string{`"null"`, `null`, `"12"`, `"true"`, `"[x"`}, "", `{"\"12\"":1,"\"null\"":1,"\"true\"":1,"[x":1,"null":1}`},
		{"whole: one sample did not apply", "tools", []string{`["a()"]`, ""}, "", `{"[\"a()\"]":1}`},
		{"whole: numbers that are equal are one", "label", []string{`[1.0]`, `[1]`}, `[1]`, ""},
		{"language: unknown agrees", "language", []string{`"en"`, `"unknown"`, `"en"`}, `"en"`, ""},
		{"language: only unknown", "language", []string{`"unknown"`, `"unknown"`}, `"unknown"`, ""},
		{"language: two, and unknown", "language", []string{`"en"`, `"unknown"`, `"de"`}, "", `{"de":1,"en":1,"unknown":1}`},
		{"members: what every sample has, what some have", "shape", []string{`["a:number","note:string"]`, `["a:number"]`, `["a:number","note:string"]`}, `["a:number"]`, `{"note:string":2}`},
		{"members: nothing in common", "toolset", []string{`["a"]`, `["b"]`}, `[]`, `{"a":1,"b":1}`},
		{"members: empty sets", "toolset", []string{`[]`, `[]`}, `[]`, ""},
		{"members: null in all", "shape", []string{`null`, `null`}, `null`, ""},
		{"members: null in some", "shape", []string{`["a:number"]`, `null`, `["a:number"]`}, "", `{"a:number":2,"null":1}`},
		{"members: one named null", "toolset", []string{`["null","x"]`, `["x"]`}, `["x"]`, `{"\"null\"":1}`},
		{"members: digits stay as they are", "entities", []string{`["4417"]`, `[]`}, `[]`, `{"4417":1}`},
		{"members: one sample did not apply", "toolset", []string{`["a"]`, ""}, "", `{"a":1}`},
		{"numbers: equal", "numbers", []string{`{"amount":1}`, `{"amount":1}`}, `{"amount":1}`, ""},
		{"numbers: within the tolerance, the lower median", "numbers", []string{`{"amount":1.1}`, `{"amount":1}`, `{"amount":1.04}`, `{"amount":1.06}`}, `{"amount":1.04}`, ""},
		{"numbers: max - min past the tolerance", "numbers", []string{`{"amount":1}`, `{"amount":1.06}`, `{"amount":1.12}`}, `{}`, `{"amount:1":1,"amount:1.06":1,"amount:1.12":1}`},
		{"numbers: without a tolerance", "numbers", []string{`{"fee":1}`, `{"fee":1.0001}`}, `{}`, `{"fee:1":1,"fee:1.0001":1}`},
		{"numbers: absent in all", "numbers", []string{`{"fee":null}`, `{"fee":null}`}, `{"fee":null}`, ""},
		{"numbers: absent in some", "numbers", []string{`{"fee":null,"amount":2}`, `{"fee":2,"amount":2}`}, `{"amount":2}`, `{"fee:2":1,"fee:null":1}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stable, unstable := set.Fold(samplesOf(t, tc.projection, tc.values...))
			got := ""
			if v, ok := stable[tc.projection]; ok {
				got = string(canonical.Marshal(v))
			}
			if got != tc.stable {
				t.Errorf("stable %s, want %s", got, tc.stable)
			}
			got = ""
			if v, ok := unstable[tc.projection]; ok {
				b, _ := json.Marshal(v)
				got = string(b)
			}
			if got != tc.unstable {
				t.Errorf("unstable %s, want %s", got, tc.unstable)
			}
		})
	}
}

func TestSpellReadsBack(t *testing.T) {
	for _, v := range []any{nil, true, "true", "null", "overdue", "", " 1", "1", json.Number("1"), `"x"`, "[", "[]", []any{}, []any{"a"}, "nothing", "-", "{x}"} {
		if got := projection.Read(projection.Spell(v)); string(canonical.Marshal(got)) != string(canonical.Marshal(v)) {
			t.Errorf("%#v is spelled %s, which reads back as %#v", v, projection.Spell(v), got)
		}
	}
}

func TestCarry(t *testing.T) {
	set := suite(t)
	for _, tc := range []struct {
		name, projection string
		old, new         []string
		stable, unstable string
	}{
		{"whole: over fewer samples it stays unstable", "label", []string{`"a"`, `"b"`, `"a"`}, []string{`"a"`}, "", `{"a":3,"b":1}`},
		{"whole: over as many it becomes stable", "label", []string{`"a"`, `"b"`}, []string{`"a"`, `"a"`}, `"a"`, ""},
		{"whole: what was stable is replaced", "label", []string{`"a"`, `"a"`, `"a"`}, []string{`"b"`}, `"b"`, ""},
		{"members: over fewer samples", "shape", []string{`["a:x","n:x"]`, `["a:x"]`, `["a:x","m:x"]`}, []string{`["a:x","n:x","z:x"]`}, `["a:x","z:x"]`, `{"m:x":1,"n:x":2}`},
		{"members: null in some of the old", "shape", []string{`["a:x"]`, `null`, `null`}, []string{`["a:x","b:x"]`}, "", `{"a:x":2,"b:x":1,"null":2}`},
		{"members: none any more", "shape", []string{`["a:x","n:x"]`, `["a:x"]`}, []string{`null`}, `null`, ""},
		{"numbers: over fewer samples", "numbers", []string{`{"amount":1,"fee":2}`, `{"amount":9,"fee":2}`}, []string{`{"amount":1,"fee":3}`}, `{"fee":3}`, `{"amount:1":2,"amount:9":1}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			old := measured(set, samplesOf(t, tc.projection, tc.old...))[tc.projection]
			new := measured(set, samplesOf(t, tc.projection, tc.new...))[tc.projection]
			m := set.Carry(tc.projection, old, new)
			got := ""
			if m.HasStable {
				got = string(canonical.Marshal(m.Stable))
			}
			if got != tc.stable {
				t.Errorf("stable %s, want %s", got, tc.stable)
			}
			got = ""
			if len(m.Unstable) > 0 {
				b, _ := json.Marshal(m.Unstable)
				got = string(b)
			}
			if got != tc.unstable {
				t.Errorf("unstable %s, want %s", got, tc.unstable)
			}
			if m.Samples != len(tc.new) {
				t.Errorf("samples %d", m.Samples)
			}
		})
	}
}
