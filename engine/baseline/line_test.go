package baseline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/canonical"
)

// designLine is a line as the design shows it, with real hashes in place of
// the dots.
const designLine = `{"id":"inv-0031","version":2,"input":"sha256:aa","expect":"sha256:bb","pass":true,"score":1,"checks":{"refund_window":{"pass":true,"score":1}},"projections":{"entities":["4417","EUR"],"label":"overdue","length":"short","numbers":{"amount":128.4},"shape":["amount:number","currency:string"],"tools":["lookup_invoice(invoice_id)"],"toolset":["lookup_invoice"]},"unstable":{},"samples":5,"outputs":"sha256:cc"}`

func ptr[T any](v T) *T { return &v }

func TestTheLineOfTheDesignIsOneOfOurs(t *testing.T) {
	line, err := ParseLine([]byte(designLine))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendLine(nil, &line)); got != designLine {
		t.Errorf("written again:\n%s\nwant\n%s", got, designLine)
	}
	want := Line{
		ID: "inv-0031", Version: 2, Input: "sha256:aa", Expect: "sha256:bb",
		Pass: &Tally{5, 5}, Score: ptr(1.0),
		Checks: map[string]Check{"refund_window": {Tally{5, 5}, 1, 1}},
		Projections: map[string]any{
			"entities": []any{"4417", "EUR"}, "label": "overdue", "length": "short",
			"numbers": map[string]any{"amount": json.Number("128.4")},
			"shape":   []any{"amount:number", "currency:string"},
			"tools":   []any{"lookup_invoice(invoice_id)"}, "toolset": []any{"lookup_invoice"},
		},
		Unstable: map[string]map[string]int{}, Samples: 5, Outputs: "sha256:cc",
	}
	if diff := cmp.Diff(want, line); diff != "" {
		t.Error(diff)
	}
}

func TestLinesAreWrittenAsTheDesignSays(t *testing.T) {
	tests := []struct {
		name string
		line Line
		want string
	}{
		{
			"no expectations: pass and score are null, and expect is not there",
			Line{ID: "a", Version: 1, Input: "sha256:aa", Samples: 1},
			`{"id":"a","version":1,"input":"sha256:aa","pass":null,"score":null,"checks":{},"projections":{},"unstable":{},"samples":1}`,
		},
		{
			"a split check and a failed one",
			Line{
				ID: "a", Version: 1, Expect: "x", Samples: 5, Pass: &Tally{0, 5}, Score: ptr(0.46),
				Checks: map[string]Check{"b": {Tally{4, 5}, 0.6, 1}, "a": {Tally{0, 5}, 0, 0}},
				Params: map[string]string{"b": "0badcafe", "a": "00c0ffee"},
			},
			`{"id":"a","version":1,"input":"","expect":"x","pass":false,"score":0.46,"checks":{"a":{"pass":false,"score":0},"b":{"pass":"4/5","score":[0.6,1]}},"params":{"a":"00c0ffee","b":"0badcafe"},"projections":{},"unstable":{},"samples":5}`,
		},
		{
			"text stands unescaped, unstable members are counted, unknown keys come last",
			Line{
				ID: "請求/1|<b>", Samples: 3, Captured: "2026-08-11", Outputs: "sha256:cc",
				Projections: map[string]any{"refusal": false, "label": nil},
				Unstable:    map[string]map[string]int{"shape": {"note:string": 2}},
				Extra:       []Member{{"zeta", json.RawMessage(`{"b": 1, "a": [1.0]}`)}, {"alpha", json.RawMessage(`null`)}},
			},
			`{"id":"請求/1|<b>","version":0,"input":"","pass":null,"score":null,"checks":{},"projections":{"label":null,"refusal":false},"unstable":{"shape":{"note:string":2}},"samples":3,"captured":"2026-08-11","outputs":"sha256:cc","zeta":{"b": 1, "a": [1.0]},"alpha":null}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(AppendLine(nil, &test.line)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestWrongLinesAreRefusedWithTheColumn(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"no id", `{"version":1,"samples":1}`, `the line has no "id"`},
		{"no samples", `{"id":"a","version":1}`, `the line has no "samples"`},
		{"empty", ``, `column 1: the line must be an object, found the end of the line`},
		{"a list", `[]`, `column 1: the line must be an object, found a list`},
		{"id of another type", `{"id":7,"samples":1}`, `column 7: "id" must be a string, found a number`},
		{"the same key twice", `{"id":"a","samples":1,"id":"b"}`, `column 23: the key "id" comes twice`},
		{"the same key twice, once escaped", `{"id":"a","samples":1,"i\u0064":"b"}`, `column 23: the key "id" comes twice`},
		{"a deeper key twice", `{"id":"請求","samples":1,"projections":{"numbers":{"a":1,"a":2}}}`, `column 56: the key "a" stands twice in one object`},
		{"a check twice", `{"id":"a","samples":1,"checks":{"c":{"pass":true,"score":1},"c":{"pass":true,"score":1}}}`, `column 61: the key "c" comes twice`},
		{"an unknown key of a check", `{"id":"a","samples":1,"checks":{"c":{"passed":true,"score":1}}}`, `column 47: "passed" is no key of a check; it has "pass" and "score"`},
		{"half a check", `{"id":"a","samples":1,"checks":{"c":{"pass":true}}}`, `column 37: "c" must have both "pass" and "score"`},
		{"a tally that is none", `{"id":"a","samples":1,"pass":"5/4"}`, `column 30: "pass" must be true, false, or how many of how many passed as in "4/5", found "5/4"`},
		{"a tally in another spelling", `{"id":"a","samples":1,"pass":"04/5"}`, `column 30: "pass" must be true, false`},
		{"scores the wrong way round", `{"id":"a","samples":1,"checks":{"c":{"pass":true,"score":[1,0]}}}`, `column 58: "score" must be a number, or the lowest and the highest as in [0.6,1]`},
		{"a score too large", `{"id":"a","samples":1,"score":1e999}`, `column 31: "score" must be a number that fits 64 bits, found "1e999"`},
		{"a number that JSON lacks", `{"id":"a","samples":01}`, `column 21: "samples" must be a whole number, found 01`},
		{"no samples at all", `{"id":"a","samples":0}`, `column 21: "samples" must be 1 or more, found 0`},
		{"cut short", `{"id":"a","samples":1,"projections":{"label":"over`, `column 46: the line ends inside a string`},
		{"text behind the end", `{"id":"a","samples":1} {}`, `column 24: unexpected text after the end of the object`},
		{"a control character", "{\"id\":\"a\tb\",\"samples\":1}", `column 9: a control character (0x09) must be written as an escape in a string`},
		{"no UTF-8", "{\"id\":\"a\xff\",\"samples\":1}", `column 7: the string is not valid UTF-8`},
		{"half a surrogate pair", `{"id":"a\ud800","samples":1}`, `column 9: \ud800 is half of a surrogate pair`},
		{"nested without end", `{"id":"a","samples":1,"new":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, `nest deeper than 1000`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseLine([]byte(test.line))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestUnknownKeysSurviveWithTheirSpelling(t *testing.T) {
	const text = `{"id":"a","version":1,"input":"","pass":null,"score":null,"checks":{},"projections":{},"unstable":{},"samples":1,"later":{ "z" : 1.50, "a":"\u00e9" }}`
	line, err := ParseLine([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendLine(nil, &line)); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
}

func TestHeader(t *testing.T) {
	const text = `{"_config":{"format":1,"suite":"invoices","mode":"live","system":"prod","model":"m-1","answered":["m-1","m-1b"],"params":{"temperature":0},"sdk":"go 1","environment":"staging","captured":"2026-08-11","expires":"2026-11-09","samples":5,"ruler":"sha256:aa","prompt":"sha256:bb","tools":"sha256:cc","recordings":"sha256:dd","judges":{"tone":"sha256:ee"},"later":[1.0]}}`
	header, err := ParseHeader([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendHeader(nil, &header)); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
	if header.Model != "m-1" || header.Samples != 5 || header.Judges["tone"] != "sha256:ee" || len(header.Extra) != 1 {
		t.Errorf("read as %+v", header)
	}
	small := Header{Format: 1, Suite: "s", Mode: "mock"}
	if got, want := string(AppendHeader(nil, &small)), `{"_config":{"format":1,"suite":"s","mode":"mock"}}`; got != want {
		t.Errorf("what is unknown is left out: got %s, want %s", got, want)
	}
	for text, want := range map[string]string{
		`{"_config":{"format":2,"suite":"s","mode":"mock"}}`: "the file has format 2 and this docket knows up to 1; install a newer docket",
		`{"_config":{"suite":"s","mode":"mock"}}`:            `the header has no "format"`,
		`{"_config":{"format":1},"other":1}`:                 `the first line must hold the key "_config" and no other, found "other"`,
		`{}`:                                                 `the first line must hold the key "_config"`,
		`{"_config":{"format":1,"suite":"a","suite":"b"}}`:   `column 36: the key "suite" comes twice`,
	} {
		if _, err := ParseHeader([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// genText draws texts that JSON has to escape, and such as look like our keys.
func genText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(0, 12, -1),
		rapid.SampledFrom([]string{`,"samples":`, `,"samples":5}`, `x,"outputs":"`, "samples", "a\"b\\", "\u2028", "金額", "\x1b[31m"}),
	)
}

func genValue(depth int) *rapid.Generator[any] {
	scalar := rapid.OneOf(
		rapid.Just[any](nil), rapid.Just[any](true),
		rapid.Map(genText(), func(s string) any { return s }),
		rapid.Map(rapid.IntRange(-1e9, 1e9), func(n int) any { return json.Number(canonical.Marshal(n)) }),
		rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return json.Number(canonical.Marshal(f)) }),
	)
	if depth == 0 {
		return scalar
	}
	return rapid.OneOf(
		scalar,
		rapid.Map(rapid.SliceOfN(genValue(depth-1), 0, 4), func(l []any) any { return append([]any{}, l...) }),
		rapid.Map(rapid.MapOfN(genText(), genValue(depth-1), 0, 4), func(m map[string]any) any { return m }),
	)
}

func genTally(samples int) *rapid.Generator[Tally] {
	return rapid.Map(rapid.IntRange(0, samples), func(n int) Tally { return Tally{n, samples} })
}

// genLine draws lines such as measuring gives.
func genLine() *rapid.Generator[Line] {
	return rapid.Custom(func(t *rapid.T) Line {
		samples := rapid.IntRange(1, 9).Draw(t, "samples")
		score := rapid.Float64Range(0, 1)
		check := rapid.Custom(func(t *rapid.T) Check {
			a, b := score.Draw(t, "a"), score.Draw(t, "b")
			return Check{genTally(samples).Draw(t, "tally"), min(a, b), max(a, b)}
		})
		l := Line{
			ID:          rapid.OneOf(rapid.StringMatching(`[a-z]{1,4}-[0-9]{1,3}`), rapid.StringN(1, 8, -1)).Draw(t, "id"),
			Version:     rapid.IntRange(0, 9).Draw(t, "version"),
			Input:       rapid.StringMatching(`(sha256:[0-9a-f]{8})?`).Draw(t, "input"),
			Expect:      rapid.StringMatching(`(sha256:[0-9a-f]{8})?`).Draw(t, "expect"),
			Checks:      rapid.MapOfN(genText(), check, 0, 20).Draw(t, "checks"),
			Projections: rapid.MapOfN(genText(), genValue(2), 0, 5).Draw(t, "projections"),
			Unstable:    rapid.MapOfN(genText(), rapid.MapOfN(genText(), rapid.IntRange(1, 9), 0, 3), 0, 3).Draw(t, "unstable"),
			Samples:     samples,
			Captured:    rapid.SampledFrom([]string{"", "2026-08-11"}).Draw(t, "captured"),
			Outputs:     rapid.OneOf(rapid.Just(""), genText()).Draw(t, "outputs"),
		}
		if rapid.Bool().Draw(t, "judged") {
			l.Pass, l.Score = ptr(genTally(samples).Draw(t, "pass")), ptr(score.Draw(t, "score"))
		}
		if rapid.Bool().Draw(t, "params") {
			l.Params = rapid.MapOfN(genText(), rapid.StringMatching(`[0-9a-f]{8}`), 1, 3).Draw(t, "of")
		}
		for _, key := range rapid.SliceOfNDistinct(rapid.StringMatching(`x_[a-z]{3}`), 0, 3, rapid.ID).Draw(t, "extra") {
			l.Extra = append(l.Extra, Member{key, canonical.Marshal(genValue(2).Draw(t, "value"))})
		}
		return l
	})
}

func TestWhatIsWrittenIsWhatIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := genLine().Draw(t, "line")
		text := AppendLine(nil, &line)
		got, err := ParseLine(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(line, got); diff != "" {
			t.Fatalf("%s\n%s", text, diff)
		}
		if again := AppendLine(nil, &got); string(again) != string(text) {
			t.Fatalf("the same line has two spellings:\n%s\n%s", text, again)
		}
	})
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(designLine))
	f.Add([]byte(`{"id":"a","samples":1}`))
	f.Add([]byte(`{ "id" : "\u00e9" , "samples" : 3 , "pass" : "1/3" , "x" : [ 1.0 , {} ] }`))
	f.Add([]byte(`{"id":"a","samples":1,"checks":{"samples":{"pass":true,"score":[0,1]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		line, err := ParseLine(text)
		key := Key(text)
		if !strings.HasPrefix(string(text), string(key)) {
			t.Fatal("a key is the beginning of its line")
		}
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without a sentence")
			}
			return
		}
		spelling := AppendLine(nil, &line)
		again, err := ParseLine(spelling)
		if err != nil {
			t.Fatalf("%s\nis read, and not when written as\n%s\n%v", text, spelling, err)
		}
		if twice := AppendLine(nil, &again); string(twice) != string(spelling) {
			t.Fatalf("two spellings:\n%s\n%s", spelling, twice)
		}
	})
}
