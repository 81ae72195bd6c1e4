package canonical_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"testing"

	"docket/engine/canonical"
)

// The hashes are those of the canonical form that recordings name "canonical
// v1"; they were made with another implementation.
func TestOneSpelling(t *testing.T) {
	for _, tt := range []struct{ in, want, sum string }{
		{
			`{"b":1,"a":2}`, `{"a":2,"b":1}`,
			"d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772",
		},
		{
			`{"temperature":0.0,"model":"m-1","messages":[{"role":"user","content":"caf\u00e9 <b>"}]}`,
			`{"messages":[{"content":"café <b>","role":"user"}],"model":"m-1","temperature":0}`,
			"698fb0a2565090d8d29b6ff709cba3956745163cf9081dd534f3021fd142921b",
		},
		{
			`{"n":1.0,"m":1e2,"z":-0,"y":-0.0,"q":0.10,"e":1e21,"f":1E-7,"big":9007199254740993}`,
			`{"big":9007199254740993,"e":1e+21,"f":1e-7,"m":100,"n":1,"q":0.1,"y":0,"z":0}`,
			"03fd823b1593bc63493e7f09a8b71a42f63e332d2de7b5a9c2a083f45b203bd2",
		},
	} {
		v, err := canonical.Parse([]byte(tt.in))
		if err != nil {
			t.Fatalf("Parse(%s): %v", tt.in, err)
		}
		got := canonical.Marshal(v)
		if string(got) != tt.want {
			t.Errorf("Marshal(%s)\n got %s\nwant %s", tt.in, got, tt.want)
		}
		if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != tt.sum {
			t.Errorf("hash of %s is %x", got, sum)
		}
		if want := "sha256:" + tt.sum; canonical.Hash(v) != want {
			t.Errorf("Hash(%s) = %s, want %s", tt.in, canonical.Hash(v), want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for in, want := range map[json.Number]string{
		"0": "0", "-0": "0", "-0.0": "0", "0e5": "0", "1.0": "1", "-1.50": "-1.5", "1e2": "100", "1E+2": "100",
		"0.000001": "0.000001", "0.0000001": "1e-7", "1e-10": "1e-10", "1e20": "100000000000000000000", "1e21": "1e+21",
		"123456789012345678901234567890": "123456789012345678901234567890",
		"0.30000000000000004":            "0.30000000000000004",
		"1e400":                          "1e400", // too large for a float: left alone
		"01":                             `"01"`,  // no JSON number: never written as one
		"":                               `""`,
		"NaN":                            `"NaN"`,
		"1.":                             `"1."`,
	} {
		if got := string(canonical.AppendNumber(nil, in)); got != want {
			t.Errorf("AppendNumber(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestGoValues(t *testing.T) {
	for _, tt := range []struct {
		in   any
		want string
	}{
		{nil, "null"},
		{true, "true"},
		{7, "7"},
		{int64(-7), "-7"},
		{0.30000000000000004, "0.30000000000000004"},
		{1.0, "1"},
		{math.Inf(1), "null"},
		{math.NaN(), "null"},
		{[]string{"b", "a"}, `["b","a"]`},
		{[]any{}, "[]"},
		{[]any(nil), "[]"},
		{map[string]any(nil), "{}"},
		{map[string]int{"b": 2, "a": 1}, `{"a":1,"b":2}`},
		{map[string]string{"b": "<", "a": "&"}, `{"a":"&","b":"<"}`},
		{json.RawMessage(`{"b": 1.0, "a": [ ]}`), `{"a":[],"b":1}`},
		{map[string]float64{"x": 0.5}, `{"x":0.5}`},
		{struct {
			B int    `json:"b"`
			A string `json:"a"`
		}{1, "<"}, `{"a":"<","b":1}`},
	} {
		if got := string(canonical.Marshal(tt.in)); got != tt.want {
			t.Errorf("Marshal(%#v) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestStrings(t *testing.T) {
	for in, want := range map[string]string{
		"":                 `""`,
		"a\"b\\c/d":        `"a\"b\\c/d"`,
		"\b\f\n\r\t":       `"\b\f\n\r\t"`,
		"\x00\x1b[2J":      `"\u0000\u001b[2J"`,
		"\x7f\u0085\u009b": `"\u007f\u0085\u009b"`,
		"\u2028x\u2029":    `"\u2028x\u2029"`,
		"é 日本 👩‍👩‍👧 <a href='x'>&": `"é 日本 👩‍👩‍👧 <a href='x'>&"`,
		"\u00a0\u202a": "\"\u00a0\u202a\"",
		"ok\xff\xc3":   "\"ok\ufffd\ufffd\"",
	} {
		if got := string(canonical.AppendString(nil, in)); got != want {
			t.Errorf("AppendString(%q) = %s, want %s", in, got, want)
		}
	}
}
