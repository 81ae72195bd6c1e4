package safetext_test

import (
	"testing"

	"docket/engine/safetext"
)

func TestWordIsOneWordOfAShell(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"a/b-c_1.jsonl", "a/b-c_1.jsonl"},
		{"two words", "'two words'"},
		{"it's", `'it'\''s'`},
		{"$(rm x)", "'$(rm x)'"},
		{"-flag", "./-flag"},
		{"", "''"},
	} {
		if got := safetext.Word(test.name); got != test.want {
			t.Errorf("%q: got %s, want %s", test.name, got, test.want)
		}
	}
}
