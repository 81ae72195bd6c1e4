package source_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"docket/engine/canonical"
	"docket/engine/source"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestScalars(t *testing.T) {
	for text, want := range map[string]any{
		"3": json.Number("3"), "-3": json.Number("-3"), "0": json.Number("0"), "1.50": json.Number("1.50"), "1e2": json.Number("1e2"),
		".5": json.Number("0.5"), "-.5e-3": json.Number("-0.5e-3"), "9007199254740993": json.Number("9007199254740993"),
		"true": true, "True": true, "FALSE": false, "yes": "yes", "no": "no", "on": "on", "y": "y",
		"null": nil, "~": nil, `"null"`: "null", `'3'`: "3", `"true"`: "true", "!!str 3": "3",
		// What YAML would turn into something else stays as it was written.
		"2024-01-02": "2024-01-02", "2024-01-02T10:00:00Z": "2024-01-02T10:00:00Z", "0o17": "0o17", "0x1F": "0x1F", "0b1": "0b1",
		"0047": "0047", "1_000": "1_000", "+49": "+49", "5.": "5.", ".": ".", "-": "-", ".inf": ".inf", ".nan": ".nan", "1:30": "1:30", "1e": "1e",
		"TICKET_4471": "TICKET_4471", "30 days": "30 days", "=": "=", "<<": "<<",
	} {
		if text == "-" {
			text = `"-"`
		}
		v := parse(t, "k: "+text+"\n")
		if diff := cmp.Diff(want, v.Get("k").JSON()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestValues(t *testing.T) {
	v := parse(t, "\ufeff# a comment\r\nid: 0047\r\nlist:\r\n  - one\r\n  - 2\r\n  - {x: true}\r\nempty:\r\ntext: |\r\n  a\r\n  b\r\n\"quoted é\": \"\\u00e9\"\r\n")
	want := map[string]any{
		"id": "0047", "list": []any{"one", json.Number("2"), map[string]any{"x": true}}, "empty": nil, "text": "a\nb\n", "quoted é": "é",
	}
	if diff := cmp.Diff(want, v.JSON()); diff != "" {
		t.Error(diff)
	}
	if got := v.Get("list").Items()[2].Get("x").At().String(); got != "f.yaml:6:9" {
		t.Errorf("a nested value stands at %s", got)
	}
	var keys []string
	for _, e := range v.Entries() {
		keys = append(keys, fmt.Sprintf("%s@%d:%d", e.Key, e.KeyAt.Line, e.KeyAt.Column))
	}
	if got := strings.Join(keys, " "); got != "id@2:1 list@3:1 empty@7:1 text@8:1 quoted é@11:1" {
		t.Errorf("keys are %s", got)
	}
	if absent := v.Get("nope").Get("deeper"); !absent.IsZero() || absent.Kind() != source.Absent || absent.JSON() != nil || absent.Scalar() != "" {
		t.Errorf("an absent value is %v", absent)
	}
	described := map[string]string{
		"a: [1]": "a list", "a: {}": "a mapping", "a:": "an empty value", "a: 3": "the number 3", "a: TRUE": "true",
		"a: x\u200by": `the text "x\u200by"`, "a: " + strings.Repeat("é", 50): `the text "` + strings.Repeat("é", 40) + `…"`,
	}
	for text, want := range described {
		if got := parse(t, text).Get("a").Describe(); got != want {
			t.Errorf("%s is described as %s, want %s", text, got, want)
		}
	}
}

func TestKnown(t *testing.T) {
	v := parse(t, "max_word: 60\nstructure: x\nzzz: 1\n")
	got := source.Known(v, "an expectation", "max_words", "structure").Error()
	want := `f.yaml:1:1: unknown key "max_word" in an expectation; did you mean "max_words"?
f.yaml:3:1: unknown key "zzz" in an expectation; expected one of max_words, structure`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = source.Known(parse(t, "[1]"), "an expectation", "label").Error()
	if want := "f.yaml:1:1: expected an expectation, which is a mapping, got a list"; got != want {
		t.Errorf("got %s", got)
	}
	if got := source.Known(source.Value{}, "an expectation"); got != nil {
		t.Errorf("an absent value has problems: %v", got)
	}
}

func TestRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "f:1:1: the file is empty, or holds nothing but comments"},
		{"only comments", "# x\n\n", "f:1:1: the file is empty, or holds nothing but comments"},
		{"large", strings.Repeat("#", source.MaxBytes+1_000_000), "f: the file is 5.0 MB large; docket reads at most 4 MB here"},
		{"NUL", "a: x\nb: \x00\n", "f:2:4: a NUL byte; this is not a text file"},
		{"control", "a: é\x1b[2J\n", `f:1:5: the control character U+001B; write it as "\u001b", in double quotes`},
		{"C1", "a: \u009b\n", `f:1:4: the control character U+009B; write it as "\u009b", in double quotes`},
		{"UTF-8", "a: é\xff\n", "f:1:5: the byte 0xff is not UTF-8; save the file as UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "f:1:1: the file is UTF-16; save it as UTF-8"},
		{"BOM inside", "a: b\n\ufeffc: d\n", "f:2:1: a byte-order mark in the middle of the file; delete it"},
		{"duplicate", "a: 1\nb: 2\na: 3\n", `f:3:1: the key "a" stands twice in one mapping, first on line 1; leave one of them`},
		{"duplicate deep", "x: {a: 1, \"a\": 3}\n", `f:1:11: the key "a" stands twice in one mapping, first on line 1; leave one of them`},
		{"keys", "1: a\ntrue: b\n? [x]\n: c\n~: d\n", `f:1:1: a key must be text, got the number 1; put it in quotes
f:2:1: a key must be text, got true; put it in quotes
f:3:3: a key must be text, got a list
f:5:1: a key must be text, got an empty value`},
		{"conflict", "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> branch\n", "f:2:1: git left a conflict here; choose a side and delete the markers"},
		{"conflict, Windows", "a: 1\r\n>>>>>>> branch\r\n", "f:2:1: git left a conflict here; choose a side and delete the markers"},
		{"cycle", "a: &x [*x]\n", "f:1:8: the alias *x stands for a value that it is part of"},
		{"merge", "a: 1\n<<: [{b: 2}, 3]\n", "f:2:14: the merge key << takes a mapping, or a list of them, got the number 3"},
		{"deep", strings.Repeat("[", 300) + strings.Repeat("]", 300), "f:1:202: lists and mappings nest deeper than 200"},
	} {
		v, problems := source.Parse("f", []byte(tt.text))
		if got := problems.Error(); got != tt.want {
			t.Errorf("%s:\n got %.300s\nwant %s", tt.name, got, tt.want)
		}
		_ = v.JSON() // whatever came of it can be walked
	}
}

func TestAcceptsWhatLooksLikeAConflict(t *testing.T) {
	const text = "title: |\n  Heading\n  =======\n  <<<<<<< HEAD\n  >>>>>>> quoted mail\nline: 'a\n\n  ======='\n"
	v := parse(t, text)
	if want := "Heading\n=======\n<<<<<<< HEAD\n>>>>>>> quoted mail\n"; v.Get("title").Scalar() != want {
		t.Errorf("got %q", v.Get("title").Scalar())
	}
	parse(t, "a: x\n<<<<<<<<: more than seven\n") // eight are none of git's
}

func TestAliases(t *testing.T) {
	v := parse(t, "base: &b {x: 1, y: [2]}\nsame: *b\nmore:\n  <<: *b\n  x: 3\n")
	want := map[string]any{"x": json.Number("3"), "y": []any{json.Number("2")}}
	if diff := cmp.Diff(want, v.Get("more").JSON()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(v.Get("base").JSON(), v.Get("same").JSON()); diff != "" {
		t.Error(diff)
	}
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i <= 9; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	_, problems := source.Parse("f", []byte(bomb))
	if want := "f:4:38: the aliases of this file stand for more than 10000 values; write the values out"; problems.Error() != want {
		t.Errorf("got %s", problems.Error())
	}
	chain := "a0: &a0 x\n"
	for i := 1; i <= 300; i++ {
		chain += fmt.Sprintf("a%d: &a%d [*a%d]\n", i, i, i-1)
	}
	// Each is one deeper than the one before; the first that is too deep is
	// met before there are too many values.
	chain = strings.ReplaceAll(chain, "&a1 [", "&a1 "+strings.Repeat("[", 150))
	chain = strings.ReplaceAll(chain, "*a0]", "*a0"+strings.Repeat("]", 150))
	if _, problems = source.Parse("f", []byte(chain)); problems.Error() != "f:52:12: lists and mappings nest deeper than 200" {
		t.Errorf("aliases that nest: %v", problems)
	}
	if v := parse(t, "&k x: *k\n"); v.Get("x").Scalar() != "x" {
		t.Errorf("a key is no anchor: %v", v.JSON())
	}
	wide := "a: &a {"
	for i := range 1000 {
		wide += fmt.Sprintf("k%d: 1, ", i)
	}
	wide += "}\nb:\n  <<: [" + strings.Repeat("*a, ", 1000) + "]\n"
	if _, problems = source.Parse("f", []byte(wide)); !strings.Contains(problems.Error(), "stand for more than 10000 values") {
		t.Errorf("merge keys that multiply: %v", problems)
	}
}

// YAML holds JSON: what docket writes as JSON reads as the same value.
func TestReadsJSON(t *testing.T) {
	text := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return r != '\ufeff' && r != '\ufffe' && r != '\uffff' }))
	leaf := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.Float64(), func(f float64) any { return json.Number(canonical.Marshal(f)) }),
	)
	list := rapid.Map(rapid.SliceOfN(leaf, 0, 4), func(l []any) any { return l })
	object := rapid.Map(rapid.MapOfN(text, rapid.OneOf(leaf, list), 0, 4), func(m map[string]any) any { return m })
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(list, object).Draw(t, "v")
		data := canonical.Marshal(v)
		got, problems := source.Parse("f", data)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", data, problems)
		}
		if diff := cmp.Diff(v, got.JSON()); diff != "" {
			t.Fatalf("%s: %s", data, diff)
		}
	})
}

// FuzzParse looks for texts on which Parse breaks down, or says something that
// has no place in the file, or reads a value that cannot be walked.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "a: 1\n", "a: [1, {b: c}]\n", "a: &x [1]\nb: *x\nc:\n  <<: {d: 2}\n", "a: *a\n", "? [a]\n: b\n", "\ufeffa: b\r\n", "a: \"x\n", "a: 'x",
		"- a\n- b: |\n    c\n", "a: 1\n---\nb: 2\n", "%YAML 1.2\n---\n", "\t", "a: !!int x\n", "<<<<<<< x\n", "a:\n\t- b\n", "{", "é: @\n", "&a [*a]", "&a {*a : b}", "a: \"\\ud800\"",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, problems := source.Parse("f", data)
		lines := strings.Count(strings.ReplaceAll(string(data), "\r", "\n"), "\n") + strings.Count(string(data), "\u0085") +
			strings.Count(string(data), "\u2028") + strings.Count(string(data), "\u2029") + 1
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.Line > lines || p.Message == "" {
				t.Fatalf("%v in a text of %d lines", p, lines)
			}
		}
		model := v.JSON()
		if _, err := canonical.Parse(canonical.Marshal(model)); err != nil {
			t.Fatal(err)
		}
		if len(problems) == 0 && v.IsZero() {
			t.Fatal("no value and no problem")
		}
	})
}

const benchmarkCase = `id: summarise-0047
added: 2025-04-02
provenance: incident INC-219 — refund window dropped from summary, agent quoted 14 days
input:
  ticket_id: TICKET_4471
  body: The customer asks whether the refund window is 14 or 30 days.
  locale: en-GB
expect:
  must_contain_fact:
    - key: refund_window
      value: "30 days"
  must_not_contain_pii: true
  max_words: 60
  structure: three_sections   # situation, action taken, open question
scoring: deterministic
weight: 3          # incident-derived cases count triple
version: 2
`

func BenchmarkParse(b *testing.B) {
	data := []byte(benchmarkCase)
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := source.Parse("f.yaml", data); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}
