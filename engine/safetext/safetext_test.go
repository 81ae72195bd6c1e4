package safetext_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docket/engine/safetext"
)

func TestLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text is untouched", "refund within 30 days", "refund within 30 days"},
		{"empty", "", ""},
		{"accents, CJK and Greek are untouched", "Größe 返金 ποσό", "Größe 返金 ποσό"},
		{"an escape is shown", "a\x1b[31mred", "a<ESC>[31mred"},
		{"a window title is shown", "\x1b]0;owned\a", "<ESC>]0;owned<BEL>"},
		{"a carriage return is shown", "old\rnew", "old<CR>new"},
		{"line ends and tabs are shown", "a\tb\nc", "a<TAB>b<LF>c"},
		{"NUL, backspace and DEL are shown", "\x00\b\x7f", "<NUL><BS><DEL>"},
		{"a C1 control in UTF-8 is shown", "a\u009b31m", "a<U+009B>31m"},
		{"a raw C1 byte is no UTF-8", "a\x9b31m", "a<0x9B>31m"},
		{"invalid bytes are shown one by one", "\xff\xfe", "<0xFF><0xFE>"},
		{"an encoded surrogate is invalid", "\xed\xa0\x80", "<0xED><0xA0><0x80>"},
		{"a replacement character that was written stays", "\ufffd", "\ufffd"},
		{"bidirectional controls are shown", "user\u202egnp.exe", "user<U+202E>gnp.exe"},
		{"isolates are shown", "\u2066a\u2069", "<U+2066>a<U+2069>"},
		{"a zero-width space is shown", "over\u200bdue", "over<U+200B>due"},
		{"a stray joiner is shown", "a\u200db", "a<U+200D>b"},
		{"a byte order mark is shown", "\ufeffid", "<U+FEFF>id"},
		{"a soft hyphen is shown", "re\u00adfund", "re<U+00AD>fund"},
		{"separators are shown", "a\u2028b", "a<U+2028>b"},
		{"a letter keeps its marks", "e\u0301", "e\u0301"},
		{"a mark with nothing before it is shown", "\u0301e", "<U+0301>e"},
		{"a mark after a token stays on it", "\x1b\u0301", "<ESC>\u0301"},
		{"an emoji of several people stays", "👩‍💻 👨‍👩‍👧‍👦", "👩‍💻 👨‍👩‍👧‍👦"},
		{"skin tones and selectors stay", "👩🏽‍🚀 ❤️ ☺︎", "👩🏽‍🚀 ❤️ ☺︎"},
		{"a skin tone with no emoji before it is shown", "🏽a🏽", "<U+1F3FD>a<U+1F3FD>"},
		{"a half-width voicing mark stays on its letter", "\uff76\uff9e", "\uff76\uff9e"},
		{"a letter that joins the next needs one", "\u0d4eക\u0d4e ", "\u0d4eക<U+0D4E> "},
		{"the rainbow flag stays", "🏳️‍🌈", "🏳️‍🌈"},
		{"a keycap stays", "1️⃣", "1️⃣"},
		{"a selector after a digit is shown", "1\ufe0f", "1<U+FE0F>"},
		{"the flag of England stays", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"},
		{"text hidden in tags is shown", "🏴\U000e0068\U000e0069", "🏴<U+E0068><U+E0069>"},
		{"text hidden in selectors is shown", "😀\ufe0f\U000e0101\U000e0102", "😀\ufe0f<U+E0101><U+E0102>"},
		{"a joiner at the end of an emoji is shown", "👩\u200d", "👩<U+200D>"},
		{"a chain of joiners ends", strings.Repeat("👩\u200d", 5) + "👩", strings.Repeat("👩\u200d", 4) + "👩<U+200D>👩"},
		{"Persian keeps its joiner", "می\u200cخواهم", "می\u200cخواهم"},
		{"Hindi keeps its joiner", "क्\u200dष", "क्\u200dष"},
		{"a variant ideograph stays", "葛\U000e0100", "葛\U000e0100"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := safetext.Line(test.in); got != test.want {
				t.Errorf("Line(%q)\n got %q\nwant %q", test.in, got, test.want)
			}
		})
	}
}

func TestLineBoundsStackedMarks(t *testing.T) {
	got := safetext.Line("z" + strings.Repeat("\u0301", 1000))
	if n := strings.Count(got, "\u0301"); n != 10 {
		t.Errorf("%d marks on one letter were kept, want 10", n)
	}
	if n := strings.Count(got, "<U+0301>"); n != 990 {
		t.Errorf("%d marks are shown as tokens, want 990", n)
	}
}

func TestBlock(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"line feeds stay", "a\nb\n", "a\nb\n"},
		{"a tab goes to the next stop", "\tx\nab\tc", "        x\nab      c"},
		{"a tab at a stop is a whole one", "12345678\tx", "12345678        x"},
		{"tabs add up", "a\t\tb\tc", "a               b       c"},
		{"a stop counts columns, not bytes", "返金\tx", "返金    x"},
		{"CR before LF is shown", "a\r\nb", "a<CR>\nb"},
		{"a tab after a token", "\x1b\tx", "<ESC>   x"},
		{"a mark at the start of a line is shown", "a\n\u0301b", "a\n<U+0301>b"},
		{"controls are shown", "a\n\x1b[2J", "a\n<ESC>[2J"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := safetext.Block(test.in); got != test.want {
				t.Errorf("Block(%q)\n got %q\nwant %q", test.in, got, test.want)
			}
		})
	}
}

// problem returns what in s must never reach a terminal, or "".
func problem(s string, lineFeeds bool) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	for _, r := range s {
		switch {
		case r == '\n' && lineFeeds:
		case unicode.IsControl(r):
			return "a control character"
		case unicode.Is(unicode.Bidi_Control, r):
			return "a bidirectional control"
		case r == 0x200b, r == 0xfeff, r == 0x2060, r == 0x2028, r == 0x2029:
			return "an invisible character"
		}
	}
	return ""
}

// hostile draws strings that are rich in what terminals act on.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			"\x1b[31m", "\x1b]8;;x\a", "\r", "\n", "\t", "\u009b", "\u202e", "\u200b", "\u200d", "\ufe0f", "👩", "❤", "é", "e\u0301",
			"\u0301", "返", "\U000e0041", "\U000e007f", "🏴", "\U0001f3fd", "1", "\u20e3", "ه", "\u200c", "\xff", "\xe8\xbf", "\u00ad",
		}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 12), func(p []string) string { return strings.Join(p, "") })
}

func TestPropertyNothingUnsafeLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "text")
		line, block := safetext.Line(s), safetext.Block(s)
		if p := problem(line, false); p != "" {
			t.Fatalf("Line(%q) = %q holds %s", s, line, p)
		}
		if p := problem(block, true); p != "" {
			t.Fatalf("Block(%q) = %q holds %s", s, block, p)
		}
		if again := safetext.Line(line); again != line {
			t.Fatalf("Line is not idempotent: %q, then %q", line, again)
		}
		if got, want := strings.Count(block, "\n"), strings.Count(s, "\n"); got != want {
			t.Fatalf("Block(%q) has %d line ends, want %d", s, got, want)
		}
	})
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b[2J", "a\u202eb", "👩‍💻", "\xff\xfe", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می\u200cخواهم", "e\u0301\u0301", "1️⃣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := safetext.Line(s)
		if p := problem(line, false); p != "" {
			t.Fatalf("Line(%q) = %q holds %s", s, line, p)
		}
		if again := safetext.Line(line); again != line {
			t.Fatalf("Line is not idempotent on %q: %q, then %q", s, line, again)
		}
		if p := problem(safetext.Block(s), true); p != "" {
			t.Fatalf("Block(%q) holds %s", s, p)
		}
	})
}

func BenchmarkLine(b *testing.B) {
	texts := []struct{ name, unit string }{
		{"ascii", "the refund window is 30 days "},
		{"cjk", "返金期間は三十日です。"},
		{"mixed", "café 返金 👩‍💻 done "},
		{"hostile", "\x1b[31m\u202e\xff"},
	}
	for _, text := range texts {
		s := strings.Repeat(text.unit, 1<<20/len(text.unit))
		b.Run(text.name+"/1MB", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				safetext.Line(s)
			}
		})
	}
}

func BenchmarkBlockTabs(b *testing.B) {
	s := strings.Repeat("a\t", 1<<19)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		safetext.Block(s)
	}
}
