package tui_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"docket/tui"
)

func TestFilter(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("/")
	d.Sees("words, or colour: note:")
	d.Type("pear")
	d.Sees("2 of 12", "pear-0100")
	d.Misses("apple-0031  ")
	if at(d) != "pear-0100" {
		t.Errorf("while the filter is typed the cursor is on %q", at(d))
	}
	// Enter keeps it, and the next key acts on what is shown.
	d.Press("enter", "d")
	told(t, f, "later pear-0100")
	d.Sees("2 of 12", "/pear")
	d.Press("esc")
	d.Misses("/pear")

	d.Press("/")
	d.Type("colour:red")
	d.Sees("2 of 12")
	d.Press("esc", "/")
	d.Type("note:")
	d.Sees("note: needs a value", "12 of 12")
	d.Press("enter")
	d.Sees("note: needs a value")
	d.Press("esc", "/")
	d.Type("zzz")
	d.Sees("0 of 12", "nothing matches the filter")
	d.Press("enter", "d", "A")
	told(t, f, "later pear-0100")
}

func TestDigitsAndSpacesAreTextInAFilter(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.Press("/")
	d.Type("a 0 q")
	if got := tui.Filtered(d.Model()); got != "a 0 q" {
		t.Errorf("typed %q", got)
	}
}

func TestTabs(t *testing.T) {
	f := market()
	d := drive(t, f, 160, 36)
	d.Sees("[1 prices]  2 label   3 scales")
	d.Press("2")
	d.Sees(" 1 prices  [2 label]", "within [-30-] days", "{+14+} days", "+ ", "It may have a stone.")
	d.Press("|")
	d.Sees("- Keep it cool", "+ Keep it cool")
	d.Press("3")
	d.Sees("weighed twice")
	d.Press("o")
	d.Sees("120000 g")
	d.Press("1", "o")
	d.Sees("works in the tab scales")
	d.Press("]")
	d.Sees("[2 label]")
	d.Press("n")
	d.Sees("[2 label]", "apple-0044 is picked") // the tab stays from row to row
}

func TestSlowContentOfAnotherRowIsDropped(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Hold = true
	d.Press("3")
	d.Sees("loading")
	d.Press("j", "1")
	d.Release()
	d.Misses("weighed twice", "loading")
}

func TestAFailedLoadSaysWhatToDo(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.Press("3", "/")
	d.Type("plum")
	d.Sees("market fetch gets them")
}

func TestUnchangedRowsFoldUnderACount(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.Sees("2 unchanged, = shows them")
	d.Press("=")
	d.Misses("unchanged, =")
	d.Sees("grower")
}

func TestHelpHoldsEveryKey(t *testing.T) {
	d := drive(t, market(), 160, 60)
	d.Press("?")
	for _, section := range tui.Keys(d.Model()).Help() {
		for _, b := range section.Bindings {
			d.Sees(b.Words())
		}
	}
	d.Press("esc")
	d.Sees("▸ · apple-0031")
}

func TestNextGroupIsAKey(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("}")
	if at(d) != "cherry-0021" {
		t.Errorf("} goes to %q", at(d))
	}
	d.Press("{", "{")
	if at(d) != "apple-0031" {
		t.Errorf("{ goes to %q", at(d))
	}
	d.Sees("there is no other group that way")
	told(t, f, "")
}

func TestHelpCutsNothing(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120} {
		d := drive(t, market(), width, 90)
		d.Press("?")
		for line := range strings.Lines(d.View()) {
			if strings.HasPrefix(line, "│") && strings.Contains(line, "…") {
				t.Errorf("at %d columns the help cuts %s", width, line)
			}
		}
	}
}

func TestADialogWithOneWayOutOffersNoOther(t *testing.T) {
	d := drive(t, market(), 80, 24)
	d.Press("ctrl+s")
	d.Sees("nothing is decided yet", "keep deciding", "esc back")
	d.Misses("y do it", "the other choice")
	d.Press("esc", "d", "ctrl+s")
	d.Sees("y do it")
}

func TestTheFooterKeepsTheVerdictOnAGroup(t *testing.T) {
	d := drive(t, market(), 80, 24)
	d.Sees("A keep group", "ctrl+s write", "? help", "q quit")
	d = drive(t, market(), 120, 24)
	d.Sees("A keep group", "n next", "/ filter")
}

func TestMouseSelectsAndScrollsAndNeverDecides(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	click := func(x, y int) {
		d.Send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	row := func(text string) int {
		for y, line := range strings.Split(ansi.Strip(d.View()), "\n") {
			if strings.Contains(line, text) {
				return y
			}
		}
		t.Fatalf("%q is not on screen", text)
		return 0
	}
	click(8, row("· kiwi-0012"))
	if at(d) != "kiwi-0012" {
		t.Errorf("the click selected %q", at(d))
	}
	click(60, row("[1 prices]"))
	d.Sees("[2 label]")
	d.Press("esc")
	click(4, row("▾ price  red"))
	click(4, row("▾ price  red"))
	d.Misses("cherry-0021")
	for range 20 {
		d.Send(tea.MouseMsg{X: 5, Y: 10, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	}
	told(t, f, "")
}

func TestMouseComesBackAfterAPause(t *testing.T) {
	d := drive(t, market(), 120, 36)
	for name, msg := range map[string]tea.Msg{"suspend": tea.ResumeMsg{}, "editor": tui.Edited()} {
		d.Sent = nil
		d.Send(msg)
		if got := strings.Join(d.Sent, " "); !strings.Contains(got, "enableMouse") || !strings.Contains(got, "clearScreen") {
			t.Errorf("after %s the terminal was sent %q", name, got)
		}
	}
	d.Press("M")
	d.Sent = nil
	d.Send(tea.ResumeMsg{})
	if got := strings.Join(d.Sent, " "); strings.Contains(got, "enableMouse") {
		t.Error("the mouse was taken although the user freed it")
	}
}

func TestResizeClearsTheScreen(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.Sent = nil
	d.Send(tea.WindowSizeMsg{Width: 90, Height: 30})
	if len(d.Sent) == 0 || !strings.Contains(d.Sent[0], "clearScreen") {
		t.Errorf("after a resize the terminal was sent %q", d.Sent)
	}
}

func TestWorkOfAnAction(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.Hold = true
	d.Press("t")
	d.Sees("tasting")
	d.Release()
	d.Sees("sweet")
}

func TestBulkRowsOfAHundredThousand(t *testing.T) {
	f := many(100_000)
	d := drive(t, f, 120, 36)
	d.Press("v", "A")
	d.Type("x")
	d.Press("enter", "y")
	d.Sees("100000 decided")
	d.Press("u")
	d.Sees("0 decided")
}

// What is said on the first frame may be longer than a line of 80 columns.
func TestALongNoticeIsNotCut(t *testing.T) {
	f := market()
	f.spec = func(s *tui.Spec) {
		s.Notice = "resumed: 3 decisions from before; the prices are those of a part of the stalls, and what was not asked keeps its old price"
	}
	d := drive(t, f, 80, 24)
	d.Sees("resumed: 3 decisions from before", "keeps its old price", "q quit")
	d.Press("j")
	d.Misses("resumed")
	d = drive(t, f, 160, 24)
	d.Sees(f.Spec().Notice)
}

// A filter that is typed faster than the program reads is a filter, and no row
// of commands without its first letter.
func TestAFilterTypedInOneBurst(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("j/pead")})
	d.Sees("0 of 12")
	if got := tui.Filtered(d.Model()); got != "pead" {
		t.Errorf("the filter is %q", got)
	}
	told(t, f, "")
}
