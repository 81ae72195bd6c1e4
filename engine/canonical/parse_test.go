package canonical_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/engine/canonical"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]any{
		" \t\r\n1.0 \n":               json.Number("1.0"),
		`""`:                          "",
		`"a\"\\\/\b\f\n\r\tz"`:        "a\"\\/\b\f\n\r\tz",
		`"\u00e9é\ud83d\uDE00\u0000"`: "éé😀\x00",
		`[]`:                          []any{},
		`{}`:                          map[string]any{},
		`[null,true,false,-0,1e-7]`:   []any{nil, true, false, json.Number("-0"), json.Number("1e-7")},
		`{"a":{"b":[{}]},"":"é"}`:     map[string]any{"a": map[string]any{"b": []any{map[string]any{}}}, "": "é"},
		`9007199254740993`:            json.Number("9007199254740993"),
	} {
		got, err := canonical.Parse([]byte(in))
		if err != nil {
			t.Errorf("Parse(%s): %v", in, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%s): %s", in, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", canonical.MaxDepth+1)
	for _, tt := range []struct{ in, want string }{
		{"", "line 1, column 1: nothing here, expected a JSON value"},
		{" \n ", "line 2, column 2: nothing here, expected a JSON value"},
		{"\ufeff{}", "line 1, column 1: expected a JSON value, found a byte-order mark"},
		{`{"a":1,"a":2}`, `line 1, column 8: the key "a" stands twice in one object`},
		{`{"a":1,"\u0061":2}`, `line 1, column 8: the key "a" stands twice in one object`},
		{"{\"é\":1,\n \"x\" 2}", `line 2, column 6: expected ':' after the key "x", found '2'`},
		{`{"a":1} {}`, `line 1, column 9: expected the end after the JSON value, found '{'`},
		{`[1,]`, `line 1, column 4: expected a JSON value, found ']'`},
		{`[1 2]`, `line 1, column 4: expected ',' or ']', found '2'`},
		{`{"a":1,}`, `line 1, column 8: expected a key in quotes, found '}'`},
		{`{a:1}`, `line 1, column 2: expected a key in quotes, found 'a'`},
		{`{"a":`, `line 1, column 6: the text ends where a value should stand`},
		{`{"a"`, `line 1, column 5: expected ':' after the key "a", found the end of the text`},
		{`[{"a":1`, `line 1, column 2: this object is never closed: the text ends inside it`},
		{`{`, `line 1, column 1: this object is never closed: the text ends inside it`},
		{`["abc`, `line 1, column 2: this string is never closed: the text ends inside it`},
		{`"\`, `line 1, column 2: the text ends inside an escape`},
		{`"\x"`, `line 1, column 2: a backslash must not stand before this character; write \\ for a backslash`},
		{`"\u12"`, `line 1, column 2: \u needs four hex digits`},
		{`"\ud83d"`, `line 1, column 2: \ud83d is half of a surrogate pair and no character`},
		{`"\ud83d\u0041"`, `line 1, column 2: \ud83d is half of a surrogate pair and no character`},
		{`"\ude00\ud83d"`, `line 1, column 2: \ude00 is half of a surrogate pair and no character`},
		{"\"a\tb\"", `line 1, column 3: a control character (0x09) must be written as an escape in a string`},
		{"\"é\xff\"", `line 1, column 3: the byte 0xff is not UTF-8`},
		{"\xff", `line 1, column 1: expected a JSON value, found the byte 0xff, which is not UTF-8`},
		{`01`, `line 1, column 1: a number must not begin with a zero`},
		{`-`, `line 1, column 1: a minus sign with no number after it`},
		{`1.`, `line 1, column 2: digits are missing after the '.' of a number`},
		{`1e+`, `line 1, column 2: digits are missing after the 'e' of a number`},
		{`+1`, `line 1, column 1: expected a JSON value, found '+'`},
		{`nul`, `line 1, column 1: expected a JSON value; a word other than true, false and null must be in quotes`},
		{`NaN`, `line 1, column 1: expected a JSON value, found 'N'`},
		{deep, "line 1, column 1001: lists and objects nest deeper than 1000"},
	} {
		_, err := canonical.Parse([]byte(tt.in))
		if err == nil || err.Error() != tt.want {
			t.Errorf("Parse(%.40q)\n got %v\nwant %s", tt.in, err, tt.want)
		}
		var syntax *canonical.SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("Parse(%.40q) gives a %T", tt.in, err)
		}
	}
	full := strings.Repeat("[", canonical.MaxDepth) + strings.Repeat("]", canonical.MaxDepth)
	if _, err := canonical.Parse([]byte(full)); err != nil {
		t.Errorf("as deep as is allowed: %v", err)
	}
	wide := "[" + strings.Repeat("[],{},", canonical.MaxDepth) + "1]"
	if _, err := canonical.Parse([]byte(wide)); err != nil {
		t.Errorf("wide is not deep: %v", err)
	}
}

// values draws JSON models, nested up to depth, whose numbers are canonical
// already.
func values(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return json.Number(fmt.Sprint(n)) }),
		rapid.Map(rapid.Float64(), func(f float64) any { return json.Number(canonical.Marshal(f)) }),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(
		leaf,
		rapid.Map(rapid.SliceOfN(values(depth-1), 0, 4), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.String(), values(depth-1), 0, 4), func(m map[string]any) any { return m }),
	)
}

func TestWrittenAndReadIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		text := canonical.Marshal(v)
		if !json.Valid(text) {
			t.Fatalf("not JSON: %s", text)
		}
		back, err := canonical.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(v, back); diff != "" {
			t.Fatal(diff)
		}
		if again := canonical.Marshal(back); !bytes.Equal(text, again) {
			t.Fatalf("%s, then %s", text, again)
		}
		if canonical.Hash(v) != canonical.Hash(back) {
			t.Fatal("hashes differ")
		}
	})
}

// FuzzParse holds Parse to encoding/json: what is read is JSON there too and
// means the same, and what is refused there is refused here.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"id":"inv-0031","pass":true,"score":0.5,"checks":{"a":[1,-2e3,"\u00e9\ud83d\ude00"]}}`,
		`{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", `[[[[]]]]`, `1e400`, `-0.0`, "\ufeff1", `[1,]`, `{"":{}}`, "\"\u2028\x7f\"", `tru`, `01`, `"\`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := canonical.Parse(data)
		if err != nil {
			var syntax *canonical.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("no position: %v", err)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("read what is no JSON: %q", data)
		}
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, v); diff != "" {
			t.Fatal(diff)
		}
		text := canonical.Marshal(v)
		again, err := canonical.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if fixed := canonical.Marshal(again); !bytes.Equal(text, fixed) {
			t.Fatalf("no fixed point: %q, then %q", text, fixed)
		}
	})
}

const benchmarkLine = `{"id":"inv-0031","version":2,"input":"sha256:6a3c0ce8b2f7d9c1","expect":"sha256:1f0c9d7be2a4","pass":true,"score":1,"checks":{"refund_window":{"pass":true,"score":1},"max_words":{"pass":"4/5","score":[0.6,1]}},"projections":{"entities":["4417","EUR"],"label":"overdue","length":"short","numbers":{"amount":128.4},"shape":["amount:number","currency:string"],"tools":["lookup_invoice(invoice_id)"]},"unstable":{},"samples":5}`

func BenchmarkParse(b *testing.B) {
	data := []byte(benchmarkLine)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := canonical.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseEncodingJSON is what BenchmarkParse is measured against.
func BenchmarkParseEncodingJSON(b *testing.B) {
	data := []byte(benchmarkLine)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	v, err := canonical.Parse([]byte(benchmarkLine))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(benchmarkLine)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = canonical.Append(buf[:0], v)
	}
}

// BenchmarkAppendEncodingJSON is what BenchmarkAppend is measured against.
func BenchmarkAppendEncodingJSON(b *testing.B) {
	v, err := canonical.Parse([]byte(benchmarkLine))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(benchmarkLine)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(v); err != nil {
			b.Fatal(err)
		}
	}
}
