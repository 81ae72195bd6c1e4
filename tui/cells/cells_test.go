package cells_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docket/engine/safetext"
	"docket/tui/cells"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     []string
	}{
		{"fits", "paid in full", 12, []string{"paid in full"}},
		{"empty", "", 10, []string{""}},
		{"between words", "the refund window is thirty days", 12, []string{"the refund", "window is", "thirty days"}},
		{"a space at the edge is dropped", "abcd efgh", 4, []string{"abcd", "efgh"}},
		{"a long word is split", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"wide characters do not straddle", "返金返金", 5, []string{"返金", "返金"}},
		{"an emoji of several parts stays whole", "ab👩‍💻cd", 3, []string{"ab", "👩‍💻c", "d"}},
		{"spaces that align are kept", "a  b", 10, []string{"a  b"}},
		{"a width of nothing still ends", "返a", 0, []string{"返", "a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, row := range cells.Wrap(test.in, test.width) {
				got = append(got, test.in[row.Start:row.End])
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("Wrap(%q, %d) = %q, want %q", test.in, test.width, got, test.want)
			}
		})
	}
}

func TestFit(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  string
	}{
		{"overdue", 7, "overdue"}, {"overdue", 6, "overd…"}, {"返金期間", 5, "返金…"}, {"返金期間", 8, "返金期間"}, {"abc", 0, ""}, {"返", 1, "…"},
	}
	for _, test := range tests {
		if got := cells.Fit(test.in, test.width, "…"); got != test.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", test.in, test.width, got, test.want)
		}
	}
}

func TestPropertyWidths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := safetext.Line(rapid.String().Draw(t, "text"))
		width := rapid.IntRange(0, 30).Draw(t, "width")
		if got, want := cells.Width(s), ansi.StringWidth(s); got != want {
			t.Fatalf("Width(%q) = %d, the writer of frames measures %d", s, got, want)
		}
		styled := "\x1b[1m" + s + "\x1b[0m│──" + s
		if got, want := cells.Styled(styled), ansi.StringWidth(styled); got != want {
			t.Fatalf("Styled(%q) = %d, the writer of frames measures %d", styled, got, want)
		}
		if w := ansi.StringWidth(cells.Fit(s, width, "…")); w > width {
			t.Fatalf("Fit(%q, %d) is %d wide", s, width, w)
		}
		if w := ansi.StringWidth(cells.CutLeft(s, width)); w > width {
			t.Fatalf("CutLeft(%q, %d) is %d wide", s, width, w)
		}
		if w := ansi.StringWidth(cells.Clamp("\x1b[1m"+s+"\x1b[0m", width)); w > width {
			t.Fatalf("Clamp(%q, %d) is %d wide", s, width, w)
		}
		if w := ansi.StringWidth(cells.ASCII(s, true)); w != ansi.StringWidth(s) {
			t.Fatalf("ASCII changes the width of %q to %d", s, w)
		}
		var kept strings.Builder
		for _, row := range cells.Wrap(s, width) {
			part := s[row.Start:row.End]
			if w := ansi.StringWidth(part); w > max(width, 2) || w != row.Width {
				t.Fatalf("Wrap(%q, %d) has a row %q that is %d wide and says %d", s, width, part, w, row.Width)
			}
			kept.WriteString(part)
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(kept.String()) != bare(s) {
			t.Fatalf("Wrap(%q, %d) lost text: %q", s, width, kept.String())
		}
	})
}

func TestASCII(t *testing.T) {
	if got := cells.ASCII("a → b — 返 é", false); got != "a > b - 返 é" {
		t.Errorf("signs became %q", got)
	}
	if got := cells.ASCII("a → b — 返 é", true); got != "a > b - ?? ?" {
		t.Errorf("strictly it became %q", got)
	}
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat("the refund window is thirty days ", 64<<10/33)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		cells.Wrap(s, 60)
	}
}
