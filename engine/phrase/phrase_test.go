package phrase_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docket/engine/phrase"
)

func TestNumbersWithNouns(t *testing.T) {
	for n, want := range map[int]string{0: "0 cases", 1: "1 case", 2: "2 cases", 1000: "1000 cases"} {
		if got := phrase.Count(n, "case", "cases"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for n, want := range map[int]string{0: "0 times", 1: "once", 2: "twice", 3: "3 times"} {
		if got := phrase.Times(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestLists(t *testing.T) {
	for _, tt := range []struct{ words, series, few string }{
		{"", "", ""},
		{"a", "a", "a"},
		{"a b", "a and b", "a and b"},
		{"a b c", "a, b and c", "a, b and c"},
		{"a b c d", "a, b, c and d", "a, b and 2 more"},
	} {
		words := strings.Fields(tt.words)
		if got := phrase.Series(words, "and"); got != tt.series {
			t.Errorf("the series of %q is %q", tt.words, got)
		}
		if got := phrase.Few(words, 2); got != tt.few {
			t.Errorf("few of %q are %q", tt.words, got)
		}
		if got := strings.Join(words, " "); got != tt.words {
			t.Errorf("%q was changed to %q", tt.words, got)
		}
	}
	if got := strings.Join(phrase.Quoted([]string{"a", "b\x1b"}), ", "); got != `"a", "b\x1b"` {
		t.Errorf("quoted: %s", got)
	}
}

func TestLongTexts(t *testing.T) {
	for _, tt := range []struct{ in, abridged, clipped string }{
		{"", "", ""},
		{"日本語", "日本語", "日本語"},
		{"日本語x", "日本語…", "日本語… (1 more character)"},
		{"a\xffbcd", "a\xffb…", "a\xffb… (2 more characters)"},
	} {
		if got := phrase.Abridge(tt.in, 3); got != tt.abridged {
			t.Errorf("%q is abridged to %q", tt.in, got)
		}
		if got := phrase.Clip(tt.in, 3); got != tt.clipped {
			t.Errorf("%q is clipped to %q", tt.in, got)
		}
	}
}

// TestACutLosesNoCharacter: what is kept and what is counted make the whole.
func TestACutLosesNoCharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, most := rapid.String().Draw(t, "s"), rapid.IntRange(0, 20).Draw(t, "most")
		kept := strings.TrimSuffix(phrase.Abridge(s, most), "…")
		if n := utf8.RuneCountInString(s); n > most && utf8.RuneCountInString(kept) != most || !strings.HasPrefix(s, kept) {
			t.Fatalf("%q at %d keeps %q", s, most, kept)
		}
	})
}
