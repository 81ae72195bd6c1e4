package pair_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docket/tui/pair"
	"docket/tui/style"
)

func of(s string) style.Line { return style.Of(style.Plain, s) }

func invoice() pair.Content {
	rows := pair.Rows{
		{Key: "label", Kind: pair.Changed, Name: "label", Old: of("overdue"), New: of("paid")},
		{Key: "tools", Kind: pair.Lost, Name: "tools", Old: of("lookup_invoice(invoice_id)")},
		{Key: "refund_window", Kind: pair.Changed, Sign: "✗", SignRole: style.Bad, Name: "refund_window", Old: of("pass 5/5"), New: of("fail 3/3")},
		{Kind: pair.Same, Name: "length", Old: of("short"), New: of("short")},
		{Kind: pair.Same, Name: "language", Old: of("en"), New: of("en")},
	}
	return pair.Content{Source: rows, Old: "baseline", New: "candidate", NameWidth: rows.NameWidth(), Parts: true}
}

func draw(p *pair.Pane, colour bool, width, height int) string {
	return strings.Join(p.Draw(style.New(colour, false), width, height, true, nil), "\n")
}

func TestSideBySide(t *testing.T) {
	var p pair.Pane
	p.Show(invoice(), false)
	got := draw(&p, false, 66, 7)
	want := strings.Join([]string{
		"                  baseline                 candidate              ",
		"▸~ label          overdue                  paid                   ",
		" - tools          lookup_invoice(invoice_  (none)                 ",
		"                 ↳id)                                             ",
		" ✗ refund_window  pass 5/5                 fail 3/3               ",
		"     2 unchanged, = shows them                                    ",
		"                                                                  ",
	}, "\n")
	if got != want {
		t.Errorf("drawn as\n%s\nwant\n%s", got, want)
	}
}

func TestStacked(t *testing.T) {
	var p pair.Pane
	p.Show(invoice(), false)
	p.Set(pair.Options{Stacked: true, All: true})
	got := draw(&p, false, 50, 8)
	want := strings.Join([]string{
		"▸~ label         baseline   overdue               ",
		"                 candidate  paid                  ",
		" - tools         baseline   lookup_invoice(invoice",
		"                           ↳_id)                  ",
		"                 candidate  (none)                ",
		" ✗ refund_windo  baseline   pass 5/5              ",
		"   w             candidate  fail 3/3              ",
		"   length                   short                 ",
	}, "\n")
	if got != want {
		t.Errorf("drawn as\n%s\nwant\n%s", got, want)
	}
}

func TestWordMarks(t *testing.T) {
	var p pair.Pane
	p.Show(pair.Content{Source: pair.Rows{{Kind: pair.Changed, Old: of("the refund window is 30 days"), New: of("the refund window is 14 days")}}}, false)
	plain := draw(&p, false, 80, 1)
	if !strings.Contains(plain, "is [-30-] days") || !strings.Contains(plain, "is {+14+} days") {
		t.Errorf("without colour the words are not marked: %q", plain)
	}
	coloured := draw(&p, true, 80, 1)
	theme := style.New(true, false)
	if !strings.Contains(coloured, theme.Render(style.OldMark, "30")) || !strings.Contains(coloured, theme.Render(style.NewMark, "14")) {
		t.Errorf("the words are not marked: %q", coloured)
	}
}

func TestTextsWithLittleInCommonAreNotMarked(t *testing.T) {
	var p pair.Pane
	p.Show(pair.Content{Source: pair.Rows{{Kind: pair.Changed, Old: of("overdue"), New: of("paid in full")}}}, false)
	if got := draw(&p, false, 80, 1); strings.Contains(got, "[-") {
		t.Errorf("marked although nothing is shared: %q", got)
	}
}

func TestAlign(t *testing.T) {
	lines := pair.Texts("one\ntwo\nthree\nfour", "one\n2\nthree\nand\nfour")
	var got []string
	for i := range lines.Len() {
		row := lines.Row(i)
		got = append(got, fmt.Sprintf("%d %s|%s", row.Kind, row.Old, row.New))
	}
	want := "0 one|one; 1 two|2; 0 three|three; 3 |and; 0 four|four"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("aligned as %s\nwant       %s", s, want)
	}
}

func TestOnlyVisibleRowsAreAskedFor(t *testing.T) {
	asked := map[int]bool{}
	source := counting{n: 100_000, row: func(i int) pair.Row {
		asked[i] = true
		return pair.Row{Kind: pair.Wide, Old: of(fmt.Sprint("line ", i))}
	}}
	var p pair.Pane
	p.Show(pair.Content{Source: source}, false)
	draw(&p, true, 80, 20)
	p.Scroll(30)
	draw(&p, true, 80, 20)
	p.Bottom()
	if got := draw(&p, false, 80, 20); !strings.Contains(got, "line 99999") {
		t.Errorf("the end is not in sight:\n%s", got)
	}
	if len(asked) > 200 {
		t.Errorf("%d rows were asked for to show three screens of 20", len(asked))
	}
}

type counting struct {
	n   int
	row func(int) pair.Row
}

func (c counting) Len() int           { return c.n }
func (c counting) Same(int) bool      { return false }
func (c counting) Row(i int) pair.Row { return c.row(i) }

func TestControlsInValuesAreShown(t *testing.T) {
	var p pair.Pane
	p.Show(pair.Content{Source: pair.Rows{{Kind: pair.Changed, Name: "\x1b[2J", Old: of("a\rb\x1b]0;x\a"), New: of("a\u202eb")}}, NameWidth: 20}, false)
	got := draw(&p, false, 120, 3)
	for _, want := range []string{"<CR>", "<ESC>", "<BEL>", "<U+202E>"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not shown:\n%s", want, got)
		}
	}
}

func TestPropertyDrawnSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) style.Line {
			var line style.Line
			for range rapid.IntRange(0, 3).Draw(t, "spans") {
				line = append(line, style.Span{Text: rapid.String().Draw(t, label), Role: style.Role(rapid.IntRange(0, int(style.Cursor)).Draw(t, "role"))})
			}
			return line
		}
		var rows pair.Rows
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			rows = append(rows, pair.Row{
				Key: rapid.String().Draw(t, "key"), Kind: pair.Kind(rapid.IntRange(0, 4).Draw(t, "kind")),
				Name: rapid.String().Draw(t, "name"), Old: text("old"), New: text("new"),
			})
		}
		content := pair.Content{Source: rows, Old: rapid.String().Draw(t, "head"), Parts: rapid.Bool().Draw(t, "parts"), Note: rapid.String().Draw(t, "note")}
		if rapid.Bool().Draw(t, "names") {
			content.NameWidth = rows.NameWidth()
		}
		var p pair.Pane
		p.Show(content, false)
		theme := style.New(rapid.Bool().Draw(t, "colour"), rapid.Bool().Draw(t, "ascii"))
		for range 6 {
			switch rapid.IntRange(0, 5).Draw(t, "do") {
			case 0:
				p.Scroll(rapid.IntRange(-20, 20).Draw(t, "by"))
			case 1:
				p.Move(rapid.IntRange(-5, 5).Draw(t, "by"))
			case 2:
				p.Bottom()
			case 3:
				p.Page(1)
			case 4:
				p.Set(pair.Options{Stacked: rapid.Bool().Draw(t, "stacked"), Cut: rapid.Bool().Draw(t, "cut"), All: rapid.Bool().Draw(t, "all")})
			case 5:
				p.Show(content, true)
			}
			width, height := rapid.IntRange(20, 100).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "height")
			drawn := p.Draw(theme, width, height, true, nil)
			if len(drawn) != height {
				t.Fatalf("%d rows, want %d", len(drawn), height)
			}
			for _, row := range drawn {
				if w := ansi.StringWidth(row); w != width {
					t.Fatalf("a row is %d wide, want %d: %q", w, width, row)
				}
			}
		}
	})
}

func BenchmarkWordMarks(b *testing.B) {
	before := strings.Repeat("the refund window is thirty days and a customer may ask ", 20)
	after := strings.ReplaceAll(before, "thirty", "fourteen")
	content := pair.Content{Source: pair.Rows{{Kind: pair.Changed, Old: of(before), New: of(after)}}}
	theme := style.New(true, false)
	for b.Loop() {
		var p pair.Pane
		p.Show(content, false)
		p.Draw(theme, 140, 50, true, nil)
	}
}
