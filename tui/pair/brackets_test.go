package pair

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docket/tui/style"
)

func laid(text string, regions []region, width int) []string {
	r := enrich(style.Of(style.Plain, text), style.Plain).mark(regions, style.OldMark, false, "[-", "-]")
	var rows []string
	for _, p := range r.lay(style.New(false, false), width, true) {
		rows = append(rows, ansi.Strip(p.styled))
	}
	return rows
}

func TestBracketsAreShutAtTheEndOfARow(t *testing.T) {
	const calls = "lookup_policy(topic) escalate(queue, reason)"
	for _, test := range []struct {
		width int
		want  string
	}{
		{80, "[-lookup_policy(topic) escalate(queue, reason)-]"},
		{24, "[-lookup_policy(topic)-]\n[-escalate(queue,-]\n[-reason)-]"},
		{22, "[-lookup_policy(topi-]\n[-c) escalate(queue,-]\n[-reason)-]"},
	} {
		got := laid(calls, []region{{0, len(calls)}}, test.width)
		for i := range got {
			got[i] = strings.TrimRight(got[i], " ")
		}
		if said := strings.Join(got, "\n"); said != test.want {
			t.Errorf("at %d columns:\n%s\nwant\n%s", test.width, said, test.want)
		}
	}
}

func TestPropertyEachRowOfBracketsStandsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé語]{1,16}`), 1, 20).Draw(t, "words")
		text := strings.Join(words, " ")
		var regions []region
		at := 0
		for _, w := range words {
			if end := at + len(w); rapid.Bool().Draw(t, "marked") {
				if n := len(regions); n > 0 && regions[n-1].end == at-1 && rapid.Bool().Draw(t, "joined") {
					regions[n-1].end = end
				} else {
					regions = append(regions, region{at, end})
				}
			}
			at += len(w) + 1
		}
		width := rapid.IntRange(bracketRoom, 60).Draw(t, "width")
		rows := laid(text, regions, width)
		var all strings.Builder
		for _, row := range rows {
			if w := ansi.StringWidth(row); w != width {
				t.Fatalf("%q has %d columns, want %d", row, w, width)
			}
			if strings.TrimSpace(row) == "" && len(rows) > 1 {
				t.Fatalf("an empty row in %q", rows)
			}
			if strings.Count(row, "[-") != strings.Count(row, "-]") || strings.Contains(row, "[--]") {
				t.Fatalf("%q does not stand alone in %q", row, rows)
			}
			all.WriteString(row)
		}
		bare := strings.NewReplacer(" ", "", "[-", "", "-]", "")
		if got, want := bare.Replace(all.String()), bare.Replace(text); got != want {
			t.Fatalf("it reads %q, want %q", got, want)
		}
	})
}
