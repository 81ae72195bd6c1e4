package safetext_test

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"docket/engine/safetext"
)

func TestJSONShowsWhatATerminalWouldObey(t *testing.T) {
	var b strings.Builder
	if err := safetext.JSON(&b, map[string]string{"id": "a\x1b[2J\u009b1m\u202eb\U000e0041<b>&é漢\ufe0f"}); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":"a\u001b[2J\u009b1m\u202eb\udb40\udc41<b>&é漢\ufe0f"}` + "\n"; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
}

// TestJSONKeepsValues: a program that reads it gets what was written.
func TestJSONKeepsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]any{"text": rapid.String().Draw(t, "text")}
		for _, write := range []func(io.Writer, any) error{safetext.JSON, safetext.IndentedJSON} {
			var b strings.Builder
			if err := write(&b, want); err != nil {
				t.Fatal(err)
			}
			lines, ended := strings.CutSuffix(b.String(), "\n")
			if !ended || strings.ContainsFunc(lines, func(r rune) bool {
				return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
			}) {
				t.Errorf("%q is nothing that a terminal may show", b.String())
			}
			var got map[string]any
			if err := json.Unmarshal([]byte(lines), &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q comes back as %q, %v", want, got, err)
			}
		}
	})
}
