package interchange_test

import (
	"bytes"
	"fmt"
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
		file, err := interchange.Read(t.Context(), "f", bytes.NewReader(data))
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
		}
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
