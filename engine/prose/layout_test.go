package prose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNormalize(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{" \n\t", ""},
		{"plain", "plain"},
		{"two  spaces", "two spaces"},
		{" 30\u00a0days\r\n", "30 days"},
		{"e\u0301te\u0301", "été"},
		{"a\u2003\u3000b", "a b"},
		{"a\xff \xfeb", "a\xff \xfeb"},
		{"日本\u3000語", "日本 語"},
	} {
		if got := Normalize(tt.in); got != tt.want {
			t.Errorf("Normalize(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestNormalizeIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Normalize(strings.Join(rapid.SliceOf(rapid.SampledFrom(awkward)).Draw(t, "parts"), ""))
		if again := Normalize(s); again != s {
			t.Fatalf("Normalize(%q) = %q", s, again)
		}
		if want := strings.Join(strings.Fields(s), " "); want != s {
			t.Fatalf("%q holds a run of white space", s)
		}
	})
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"...", 0},
		{"One.", 1},
		{"One", 1},
		{"One. Two! Three?", 3},
		{"Really?! Yes...", 2},
		{"He said “Stop!” Then he left.", 2},
		{"\"Stop!\" he said.", 1},
		{"Dr. Smith met J. Jones at 5 p.m. yesterday.", 1},
		{"See e.g. the U.S. rules. They differ.", 2},
		{"It costs 3.50 at example.com today.", 1},
		{"Wrapped over\ntwo lines.", 1},
		{"A paragraph\n\nAnother", 2},
		{"Buy:\n- milk\n- eggs. And bread.\n", 4},
		{"1. First item\n2. Second item", 2},
		{"# Title\nBody text.", 2},
		{"Title\n=====\nBody.", 2},
		{"一つ目です。二つ目です！三つ目ですか？", 3},
		{"यह एक है। यह दो है।", 2},
		{"One…  two. Three… Four.", 3},
		{"```\ncode\n```\nText.", 2},
		{"Fine.\r\n\r\nThanks.", 2},
	} {
		if got := Sentences(tt.text); got != tt.want {
			t.Errorf("Sentences(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestParagraphsLinesBullets(t *testing.T) {
	text := "Intro line\nstill intro\r\n\r\n- one\n  * two\n+ three\n***\n• four\n\n\n1. five\n-six\n---\n```\n- code\n\n- more\n```\n"
	if diff := cmp.Diff([]string{"Intro line\nstill intro", "- one\n  * two\n+ three", "• four", "1. five\n-six", "```\n- code\n\n- more\n```"}, Paragraphs(text)); diff != "" {
		t.Errorf("Paragraphs: %s", diff)
	}
	if diff := cmp.Diff([]string{"one", "two", "three", "four"}, Bullets(text)); diff != "" {
		t.Errorf("Bullets: %s", diff)
	}
	if got := len(Lines(text)); got != 14 {
		t.Errorf("Lines: %d, want 14", got)
	}
	for _, empty := range []string{"", " ", "\n\r\n\t\n"} {
		if len(Paragraphs(empty))+len(Lines(empty))+len(Bullets(empty))+len(Sections(empty)) != 0 {
			t.Errorf("%q has something in it", empty)
		}
	}
}

func TestSections(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []Section
	}{
		{"plain paragraphs", "One.\n\nTwo.", []Section{{"", "One."}, {"", "Two."}}},
		{"markdown", "intro\n## A\na\n\n### A1\nx\n## B ##\nb", []Section{{"A", "a\n\n### A1\nx"}, {"B", "b"}}},
		{"title above", "# Report\n## A\n## B\nb\n", []Section{{"A", ""}, {"B", "b"}}},
		{"one heading", "# Only\ntext\n\nmore", []Section{{"Only", "text\n\nmore"}}},
		{"title over labels", "# Only\nSituation: s\nAction taken: a", []Section{{"Situation", "s"}, {"Action taken", "a"}}},
		{"setext", "First\n=====\na\n\nSecond\n======\nb", []Section{{"First", "a"}, {"Second", "b"}}},
		{"bold lines", "**First**\na\n\n**Second:**\nb", []Section{{"First", "a"}, {"Second", "b"}}},
		{"numbered bold", "1. **First**\na\n2. **Second**\nb", []Section{{"First", "a"}, {"Second", "b"}}},
		{"labels", "Situation: it broke.\nAction taken: we fixed it.\n\nOpen question: why?", []Section{{"Situation", "it broke."}, {"Action taken", "we fixed it."}, {"Open question", "why?"}}},
		{"bold labels", "**Situation:** it broke.\n**Action:** fixed.", []Section{{"Situation", "it broke."}, {"Action", "fixed."}}},
		{"wide colon", "状況：壊れた。\n対応：直した。", []Section{{"状況", "壊れた。"}, {"対応", "直した。"}}},
		{"one label is a remark", "Note: this is prose.\n\nIt goes on.", []Section{{"", "Note: this is prose."}, {"", "It goes on."}}},
		{"no label", "It was late. Then: rain.\n\nhttps://a.example/b\n10:30 start", []Section{{"", "It was late. Then: rain."}, {"", "https://a.example/b\n10:30 start"}}},
		{"code is no heading", "```\n# one\n# two\n```", []Section{{"", "```\n# one\n# two\n```"}}},
	} {
		if diff := cmp.Diff(tt.want, Sections(tt.text)); diff != "" {
			t.Errorf("%s: Sections(%q): %s", tt.name, tt.text, diff)
		}
	}
}

func FuzzMeasures(f *testing.F) {
	for _, s := range []string{"", "a", "# h\n\n```\nx", "- \n* * *\n===", "**a**:\n**b**: c", "A: b\n：", "\xff.\xfe \u2028", "I can’t “help", "1. 2) (3) x", strings.Repeat("。", 50), "a\r\rb\r\n", "a\xa6\xb2. 0", "\x87\xcd\xe0.و\xd4", strings.Join(awkward, "")} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words, clusters := segments(s)
		if got := Words(s); got != words {
			t.Errorf("Words(%q) = %d, the segmentation has %d", s, got, words)
		}
		if got := Characters(s); got != clusters {
			t.Errorf("Characters(%q) = %d, the segmentation has %d", s, got, clusters)
		}
		if n := Normalize(s); Normalize(n) != n {
			t.Errorf("Normalize(%q) is not settled", s)
		}
		fenced := strings.Contains(s, "```") || strings.Contains(s, "~~~") // what a fence says is no sentence
		if words > 0 && (Sentences(s) == 0 && !fenced || len(Paragraphs(s)) == 0 || len(Lines(s)) == 0) {
			t.Errorf("%q has words, but no sentence, paragraph or line", s)
		}
		for _, section := range Sections(s) {
			if !strings.Contains(s, section.Heading) || !strings.Contains(s, section.Body) {
				t.Errorf("section %q of %q is not in the text", section, s)
			}
		}
		if code, sure := Guess(s); code == "" || sure && code == Unknown {
			t.Errorf("Guess(%q) = %q, %v", s, code, sure)
		}
		Bullets(s)
		Language(s)
		Refusal(s)
	})
}
