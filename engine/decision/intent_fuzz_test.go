package decision

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzParseIntent: what a step over several files is read as is what it would be
// written as, and what cannot be read is named with its file.
func FuzzParseIntent(f *testing.F) {
	for _, seed := range []intent{
		{Format: 1, Suite: "s", Edits: []Rewrite{{"cases/s/a.yaml", []byte("id: a\n"), []byte("id: a\nversion: 2\n")}}},
		{Format: 1, Suite: "s", Name: "20260811T102203Z-7f3a-1-122865bf.jsonl", Record: []byte("{}\n")},
		{Format: 2, Suite: "t"},
	} {
		data, err := json.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":1,"suite":"s","edits":[{"path":"../x","old":"!"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		const path = ".docket/retiring/s.json"
		in, err := parseIntent(path, "s", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseIntent(path, "s", text)
		if err != nil || !reflect.DeepEqual(in, again) {
			t.Fatalf("%+v is read back as %+v, %v", in, again, err)
		}
	})
}
