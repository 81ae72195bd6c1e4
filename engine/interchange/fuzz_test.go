package interchange_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"unicode/utf8"

	"docket/engine/interchange"
)

// FuzzRead holds what is true of every file that is read at all.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "{", "[", "[]", "[{}]", "\xef\xbb\xbf{\"id\":\"a\",\"text\":\"x\"}\r\n\r\n",
		`{"id":"a","sample":2,"text":"x","tool_calls":[{"name":"f","arguments":"{\"a\":1}"}],"raw":1e3,"k":[{}]}`,
		`[{"id":"a","output":{"x":[1,2,{"y":"\"}"}]}},{"id":"a","output":"\u00e9\\"}]`,
		`{"id":"a","tool_calls":[{"function":{"name":"f","arguments":[]}}],"error":{"m":1}}`,
		"{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"a\",\"text\":\"x\",\"sample\":1}\n{\"id\":\"b",
		"{\"\":0}", "{\"text\"\n:\n\"\"}", "\x1f\x8b", "<<<<<<< a\n", "=======",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		holds(t, bytes.NewReader(data), interchange.Options{})
	})
}

// FuzzReadAnswer only looks for panics: a program may print anything.
func FuzzReadAnswer(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"text":"x"}`, `{"id":"a","error":"b"}`, "nonsense", "\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if row, err := interchange.ReadAnswer(data); err == nil && row.Sample < 0 {
			t.Errorf("row %+v", row)
		}
	})
}

// holds reads a file and holds what is true of every one: it is refused with a
// sentence, or each of its rows is a sample of its own with an id and checks of
// different names.
func holds(t *testing.T, r io.Reader, o interchange.Options) {
	t.Helper()
	file, err := interchange.ReadWith(t.Context(), "f", r, o)
	if err != nil {
		if err.Error() == "" || !utf8.ValidString(err.Error()) {
			t.Errorf("the error is %q", err)
		}
		return
	}
	if len(file.Rows) == 0 || file.Report.Rows != len(file.Rows) {
		t.Errorf("%d rows, the report says %d", len(file.Rows), file.Report.Rows)
	}
	seen := map[string]bool{}
	for _, r := range file.Rows {
		key := fmt.Sprint(r.Sample, " ", r.ID)
		if seen[key] || r.Sample < 1 || r.ID == "" || len(r.ID) > interchange.MaxID || r.Line < 1 {
			t.Errorf("row %+v", r)
		}
		seen[key] = true
		names := map[string]bool{}
		for _, c := range r.Checks {
			if c.Name == "" || names[c.Name] {
				t.Errorf("checks %+v", r.Checks)
			}
			names[c.Name] = true
		}
	}
}
