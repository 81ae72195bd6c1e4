package prose

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{" \n\t ", 0},
		{"!!! ... --- ***", 0},
		{"one", 1},
		{"Hello, world!", 2},
		{"don't", 1},
		{"don’t", 1},
		{"well-known", 2},
		{"it costs $3,000.50 (or 3.5%)", 5},
		{"a.m. and U.S.A.", 3},
		{"snake_case __init__ _", 2},
		{"10:30", 2},
		{"C3PO", 1},
		{"e-mail: a@b.example", 4},
		{"один два три", 3},
		{"Übergröße naïve café", 3},
		{"你好世界", 4},
		{"これはテストです。", 6},
		{"支払い期限は30日です", 10},
		{"한국어 문장", 2},
		{"สวัสดี", 4},
		{"👍🏽 ok", 1},
		{"\xff\xfe broken", 1},
	} {
		if got := Words(tt.text); got != tt.want {
			t.Errorf("Words(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestCharacters(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"abc", 3},
		{"a\r\nb", 3},
		{"e\u0301", 1},
		{"👨‍👩‍👧‍👦", 1},
		{"🇩🇪🇫🇷", 2},
		{"नमस्ते", 4}, // Unicode 15.0: a conjunct is two clusters
		{"日本語", 3},
		{"“quoted” – dash", 15},
	} {
		if got := Characters(tt.text); got != tt.want {
			t.Errorf("Characters(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

// segments is the definition that the fast counts must agree with.
func segments(s string) (words, clusters int) {
	state := -1
	rest, word := s, ""
	for rest != "" {
		word, rest, state = uniseg.FirstWordInString(rest, state)
		if holdsText(word) {
			words++
		}
	}
	return words, uniseg.GraphemeClusterCount(s)
}

var awkward = []string{
	"a", "Z", "7", "_", "'", "’", ".", ":", ",", ";", " ", "\u00a0", "\n", "\r", "\r\n", "\t", "-", "é", "e\u0301", "\u0301", "ß", "д", "Ω", "日", "本", "の", "テ", "ー", "。", "、", "「",
	"한", "ᄒ", "ก", "ำ", "ี", "क", "्", "ष", "א", "״", "\"", "\u200d", "\u200b", "\u00ad", "👍", "🏽", "👩", "❤", "\ufe0f", "🇩", "🇫", "\u0600", "\xff", "\xe3\x81", "々", "〱", "ｱ", "ﾞ", "Ａ", "１", "\u202e", "\ufeff", "\u2028",
}

func TestCountsAgreeWithTheStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(awkward), 0, 12).Draw(t, "parts"), "")
		words, clusters := segments(s)
		if got := Words(s); got != words {
			t.Fatalf("Words(%q) = %d, the segmentation has %d", s, got, words)
		}
		if got := Characters(s); got != clusters {
			t.Fatalf("Characters(%q) = %d, the segmentation has %d", s, got, clusters)
		}
	})
}
