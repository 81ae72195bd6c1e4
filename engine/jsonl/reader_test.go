package jsonl

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"docket/engine/canonical"
)

// walk reads any value with the typed methods, into the model of canonical.
func walk(r *Reader) (any, error) {
	switch {
	case r.Is('{'):
		m := map[string]any{}
		err := r.Object(func(key string) error {
			v, err := walk(r)
			m[key] = v
			return err
		})
		return m, err
	case r.Is('['):
		l := []any{}
		err := r.List(func() error {
			v, err := walk(r)
			l = append(l, v)
			return err
		})
		return l, err
	case r.Is('"'):
		return r.Text()
	case r.Is('t'), r.Is('f'):
		return r.Bool()
	case r.Null():
		return nil, nil
	}
	f, err := r.Float()
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), err
}

// spell makes numbers comparable.
func spell(v any) string { return string(canonical.Marshal(asFloats(v))) }

func asFloats(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = asFloats(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = asFloats(v[k])
		}
	}
	return v
}

func FuzzReaderAgreesWithCanonical(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0.5e3,"x\u00e9\n"],"b":{"c":null,"d":true}}`, `[]`, ` { } `, `{"a":1,"a":2}`, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`,
		`"a\ud800"`, "\"a\x00\"", "\"\xff\"", `tru`, `+1`, `01`, `1.`, `.5`, `1_0`, `0x1`, `Infinity`, `"open`, `{"a"`, `{"a":`, `[[[`, `{}x`, `"\\"`, `"\\\""`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if strings.Count(string(text), "[")+strings.Count(string(text), "{") > 500 {
			return // canonical limits the depth, a walk does not
		}
		want, wantErr := canonical.Parse(text)
		r := NewReader(text)
		got, err := walk(r)
		if err == nil {
			err = r.End()
		}
		if err != nil && strings.Contains(err.Error(), "must be a number that fits 64 bits") && wantErr == nil {
			return // canonical keeps numbers as text
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: the reader says %v, canonical %v", text, err, wantErr)
		}
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Column < 1 || e.Message == "" {
				t.Fatalf("%q: an error without a place: %v", text, err)
			}
			return
		}
		if spell(got) != spell(want) {
			t.Fatalf("%q is read as %v, by canonical as %v", text, got, want)
		}
		raw, err := NewReader(text).Raw()
		if again, parseErr := canonical.Parse(raw); err != nil || parseErr != nil || spell(again) != spell(want) {
			t.Fatalf("%q: raw is %q, %v", text, raw, err)
		}
	})
}

func TestManyKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 100 {
		b.WriteString(`"k` + strconv.Itoa(i) + `":0,`)
	}
	read := func(last string) error {
		r := NewReader([]byte(b.String() + `"` + last + `":0}`))
		return r.Object(func(string) error { _, err := r.Int(0); return err })
	}
	if err := read("other"); err != nil {
		t.Error(err)
	}
	for _, twice := range []string{"k0", "k15", "k16", "k99"} {
		if err := read(twice); err == nil || !strings.Contains(err.Error(), `the key "`+twice+`" comes twice`) {
			t.Errorf("%s: got %v", twice, err)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for want, e := range map[string]*Error{
		"f.jsonl:3:7: m": {"f.jsonl", 3, 7, "m"},
		"f.jsonl:3: m":   {"f.jsonl", 3, 0, "m"},
		"f.jsonl: m":     {"f.jsonl", 0, 0, "m"},
		"line 3: m":      {"", 3, 0, "m"},
		"column 7: m":    {"", 0, 7, "m"},
		"m":              {"", 0, 0, "m"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := In("f.jsonl", 2, &Error{Column: 4, Message: "m"}); !reflect.DeepEqual(got, &Error{"f.jsonl", 2, 4, "m"}) {
		t.Errorf("got %v", got)
	}
}
