package list_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docket/tui/list"
	"docket/tui/style"
)

func undecided(string) list.State { return list.Undecided }

func look(_ *list.Row, s list.State) (string, style.Role) {
	return [...]string{".", "%", "~", "y"}[s], style.Plain
}

func rows(ids ...string) []list.Row {
	var out []list.Row
	for _, id := range ids {
		out = append(out, list.Row{ID: id})
	}
	return out
}

func fruit() *list.List {
	var l list.List
	l.SetGroups([]list.Group{
		{ID: "a", Kind: "colour", Label: "green → red", Rows: rows("apple", "pear", "plum")},
		{ID: "b", Kind: "price", Label: "up", Rows: rows("fig", "grape")},
	}, undecided)
	return &l
}

func id(l *list.List) string {
	if _, row := l.Selected(); row != nil {
		return row.ID
	}
	return ""
}

func TestDraw(t *testing.T) {
	l := fruit()
	l.SetState("apple", list.Decided)
	l.SetFolded("b", true)
	l.Select("pear")
	l.ToggleMark("plum")
	got := strings.Join(l.Draw(style.New(false, true), 28, 6, true, look), "\n")
	want := strings.Join([]string{
		" v colour  green → red  1/3 ",
		"   y apple                  ",
		" > . pear                   ",
		"  +. plum                   ",
		" > price  up              2 ",
		"                            ",
	}, "\n")
	if got != want {
		t.Errorf("drawn as\n%s\nwant\n%s", got, want)
	}
}

func TestSelectionFollowsTheRow(t *testing.T) {
	l := fruit()
	l.Select("fig")
	l.Filter([]string{"g"}, nil)
	if id(l) != "fig" {
		t.Errorf("after a filter that keeps it the cursor is on %q", id(l))
	}
	l.Filter(nil, nil)
	l.SetGroups([]list.Group{{Rows: rows("plum", "fig", "apple")}}, undecided)
	if id(l) != "fig" {
		t.Errorf("after another grouping the cursor is on %q", id(l))
	}
}

// A filter that is typed and kept must never act on the row that was selected
// before it.
func TestFilterIsDoneWhenItReturns(t *testing.T) {
	l := fruit()
	l.Select("apple")
	l.Filter([]string{"gra"}, nil)
	if got := id(l); got != "grape" {
		t.Errorf("the cursor is on %q, want the only match", got)
	}
	if l.Matches() != 1 {
		t.Errorf("%d matches, want 1", l.Matches())
	}
	l.Filter([]string{"price"}, nil)
	if l.Matches() != 2 {
		t.Errorf("the word of a group finds %d rows, want 2", l.Matches())
	}
	l.Filter(nil, []func(*list.Row) bool{func(r *list.Row) bool { return r.ID == "pear" }})
	if id(l) != "pear" {
		t.Errorf("the cursor is on %q, want what the condition leaves", id(l))
	}
	l.Filter([]string{"nothing at all"}, nil)
	if g, row := l.Selected(); g != nil || row != nil {
		t.Error("an empty list has a selection")
	}
	l.Filter(nil, nil)
	if l.Matches() != 5 {
		t.Errorf("without a filter %d rows show, want 5", l.Matches())
	}
}

func TestNextUndecided(t *testing.T) {
	l := fruit()
	l.Select("apple")
	l.SetState("pear", list.Decided)
	l.SetFolded("b", true)
	var order []string
	for range 4 {
		l.NextUndecided(1)
		order = append(order, id(l))
	}
	if got := strings.Join(order, " "); got != "plum fig grape apple" {
		t.Errorf("n visits %q", got)
	}
	l.NextUndecided(-1)
	if id(l) != "grape" {
		t.Errorf("N goes to %q, want grape", id(l))
	}
	for _, r := range []string{"apple", "plum", "fig"} {
		l.SetState(r, list.Decided)
	}
	if l.NextUndecided(1) {
		t.Error("there is another undecided row after the last one")
	}
}

func TestFoldingKeepsTheCursorInTheGroup(t *testing.T) {
	l := fruit()
	l.Select("pear")
	l.SetFolded("a", true)
	if g, row := l.Selected(); row != nil || g == nil || g.ID != "a" {
		t.Errorf("the cursor is on %v, want the header of a", row)
	}
	if !l.Reveal("plum") || id(l) != "plum" {
		t.Error("a row in a folded group was not revealed")
	}
}

func TestMarksDoNotSurviveWhatTheyNamed(t *testing.T) {
	l := fruit()
	l.ToggleMark("pear")
	l.ToggleMark("fig")
	l.SetGroups([]list.Group{{Rows: rows("fig")}}, undecided)
	if m := l.Marked(); len(m) != 1 || m[0].ID != "fig" {
		t.Errorf("marked: %v", m)
	}
}

// TestPropertyDrawnSize draws lists of random text at random sizes after
// random moves.
func TestPropertyDrawnSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var groups []list.Group
		n := 0
		for gi := range rapid.IntRange(0, 4).Draw(t, "groups") {
			g := list.Group{ID: fmt.Sprint(gi), Kind: rapid.String().Draw(t, "kind"), Label: rapid.String().Draw(t, "label")}
			for range rapid.IntRange(0, 6).Draw(t, "rows") {
				g.Rows = append(g.Rows, list.Row{ID: fmt.Sprint("r", n), Label: rapid.String().Draw(t, "row"), Note: rapid.String().Draw(t, "note")})
				n++
			}
			groups = append(groups, g)
		}
		var l list.List
		l.SetGroups(groups, undecided)
		theme := style.New(rapid.Bool().Draw(t, "colour"), rapid.Bool().Draw(t, "ascii"))
		for range 8 {
			switch rapid.IntRange(0, 7).Draw(t, "do") {
			case 0:
				l.Move(rapid.IntRange(-9, 9).Draw(t, "by"))
			case 1:
				l.NextUndecided(1)
			case 2:
				if g, _ := l.Selected(); g != nil {
					l.SetFolded(g.ID, !l.IsFolded(g.ID))
				}
			case 3:
				l.Filter([]string{rapid.SampledFrom([]string{"a", "e", "zz"}).Draw(t, "word")}, nil)
			case 4:
				l.Filter(nil, nil)
			case 5:
				l.SetState(fmt.Sprint("r", rapid.IntRange(0, 9).Draw(t, "row")), list.State(rapid.IntRange(0, 3).Draw(t, "state")))
			case 6:
				l.Scroll(rapid.IntRange(-5, 5).Draw(t, "scroll"))
			case 7:
				l.Bottom()
			}
			width, height := rapid.IntRange(10, 60).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "height")
			drawn := l.Draw(theme, width, height, true, look)
			if len(drawn) != height {
				t.Fatalf("%d rows drawn, want %d", len(drawn), height)
			}
			for _, row := range drawn {
				if w := ansi.StringWidth(row); w != width {
					t.Fatalf("a row is %d wide, want %d: %q", w, width, row)
				}
			}
		}
	})
}

func TestDecidableLeavesOutFixedRows(t *testing.T) {
	var l list.List
	l.SetGroups([]list.Group{
		{ID: "a", Kind: "colour", Rows: []list.Row{{ID: "apple", Fixed: true}, {ID: "pear"}}},
		{ID: "b", Kind: "price", Rows: []list.Row{{ID: "fig", Fixed: true}}},
	}, undecided)
	if a, b := l.Decidable("a"), l.Decidable("b"); a != 1 || b != 0 {
		t.Errorf("got %d and %d, want 1 and 0", a, b)
	}
	l.Filter([]string{"apple"}, nil)
	if n := l.Decidable("a"); n != 0 {
		t.Errorf("of what the filter leaves %d can be decided", n)
	}
}

func TestAGroupThatIsDecidedHasNoSignOfAVerdict(t *testing.T) {
	l := fruit()
	for _, id := range []string{"fig", "grape"} {
		l.SetState(id, list.Decided)
	}
	got := strings.Join(l.Draw(style.New(false, false), 28, 6, true, look), "\n")
	if !strings.Contains(got, "price  up            2/2 ") || strings.Contains(got, "✓") {
		t.Errorf("got\n%s", got)
	}
}
