package safetext_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"docket/engine/safetext"
)

func TestJSONShowsWhatATerminalWouldObey(t *testing.T) {
	var b strings.Builder
	if err := safetext.JSON(&b, map[string]string{"id": "a\x1b[2J\u009b1m\u202eb\U000e0041<b>&"}); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":"a\u001b[2J\u009b1m\u202eb\udb40\udc41<b>&"}` + "\n"; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
}

// TestJSONKeepsValues: a program that reads it gets what was written.
func TestJSONKeepsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		var b strings.Builder
		if err := safetext.JSON(&b, want); err != nil {
			t.Fatal(err)
		}
		line, ended := strings.CutSuffix(b.String(), "\n")
		if !ended || strings.ContainsFunc(line, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }) {
			t.Errorf("%q is no line that a terminal may show", b.String())
		}
		var got string
		if err := json.Unmarshal([]byte(line), &got); err != nil || got != want {
			t.Errorf("%q comes back as %q, %v", want, got, err)
		}
	})
}
