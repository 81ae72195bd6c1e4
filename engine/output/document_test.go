package output_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"docket/engine/output"
)

func TestDocument(t *testing.T) {
	object := map[string]any{"a": json.Number("1")}
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	tooDeep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	none := any(nil)
	for _, tc := range []struct {
		name, text string
		want       any
		ok         bool
	}{
		{"object", `{"a":1}`, object, true},
		{"white space and a byte-order mark around it", "\ufeff \n{\"a\":1}\r\n", object, true},
		{"array", `["x", null, true]`, []any{"x", nil, true}, true},
		{"empty object", `{}`, map[string]any{}, true},
		{"a string in its quotes", `"overdue"`, "overdue", true},
		{"numbers keep their spelling", `{"a":1.50e2}`, map[string]any{"a": json.Number("1.50e2")}, true},
		{"a key twice: the last wins", `{"a":{"b":2},"a":1}`, object, true},
		{"depth at the bound", deep, nil, true},
		{"depth past the bound", tooDeep, none, false},
		{"brackets in strings are no depth", `{"a":"` + strings.Repeat("[", 5000) + `"}`, nil, true},
		{"bare word", "true", none, false},
		{"null", "null", none, false},
		{"bare number", "42", none, false},
		{"nothing", "  ", none, false},
		{"prose", "The invoice is overdue.", none, false},
		{"quoted prose", `"I am sorry," she said, "but no."`, none, false},
		{"prose in brackets", "[as discussed]", none, false},
		{"prose around an object", `Here it is: {"a":1}`, none, false},
		{"two values", `{"a":1} {"a":2}`, none, false},
		{"trailing comma", `{"a":1,}`, none, false},
		{"truncated", `{"a":1`, none, false},
		{"fenced", "Sure:\n\n```json\n{\"a\":1}\n```\nAnything else?", object, true},
		{"fenced, the whole text", "```json\n{\"a\":1}\n```", object, true},
		{"fenced without a language", "```\n{\"a\":1}\n```", object, true},
		{"tildes", "~~~~\n{\"a\":1}\n~~~~", object, true},
		{"Windows line ends", "```json\r\n{\"a\":1}\r\n```\r\n", object, true},
		{"indented below a list item", "1. Result\n     ```json\n     {\"a\":1}\n     ```", object, true},
		{"never closed", "```json\n{\"a\":1}\n", object, true},
		{"cut off inside", "```json\n{\"a\":1", none, false},
		{"the first that parses", "```sh\nls [x]\n```\n```json\n{\"a\":1}\n```\n```json\n{\"b\":2}\n```", object, true},
		{"a fenced string is code", "```\n\"overdue\"\n```", none, false},
		{"a shorter fence inside", "````\n```\n{\"a\":1}\n```\n````", none, false},
		{"inline code is no fence", "```{\"a\":1}``` is what you asked for", none, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := output.Document(tc.text)
			if ok != tc.ok {
				t.Fatalf("found %v, want %v (%v)", ok, tc.ok, got)
			}
			if tc.want != nil && !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %#v, want %#v", got, tc.want)
			}
		})
	}
}

func FuzzDocument(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "```json\n[1]\n```", `"x"`, "~~~\n", "```", "\ufeff[", `{"a":1}{`, "````\n```\n{}\n````"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		doc, ok := output.Document(s)
		if !ok {
			return
		}
		again, err := json.Marshal(doc)
		if err != nil {
			t.Fatalf("%q gave what is no JSON: %v", s, err)
		}
		if twice, ok := output.Document(string(again)); !ok || !reflect.DeepEqual(twice, doc) {
			t.Fatalf("%q gave %v, which reads back as %v", s, doc, twice)
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	object := `{"id":"inv-0031","amount":128.4,"lines":[{"sku":"x","n":1}],"note":"` + strings.Repeat("word ", 80) + `"}`
	for name, text := range map[string]string{
		"object500": object,
		"prose500":  strings.Repeat("word ", 100),
		"object5MB": "[" + strings.Repeat(object+",", 5<<20/len(object)) + "1]",
		"fences5MB": strings.Repeat("```\n[x]\n```\n{\n", 5<<20/14),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				output.Document(text)
			}
		})
	}
}
