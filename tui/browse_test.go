package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"docket/tui/keymap"
)

func TestFilter(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.press("/")
	d.sees("words, or colour: note:")
	d.typed("pear")
	d.sees("2 of 12", "pear-0100")
	d.misses("apple-0031  ")
	if d.at() != "pear-0100" {
		t.Errorf("while the filter is typed the cursor is on %q", d.at())
	}
	// Enter keeps it, and the next key acts on what is shown.
	d.press("enter", "d")
	told(t, d.m.screen.(*fruits), "later pear-0100")
	d.sees("2 of 12", "/pear")
	d.press("esc")
	d.misses("/pear")

	d.press("/")
	d.typed("colour:red")
	d.sees("2 of 12")
	d.press("esc", "/")
	d.typed("note:")
	d.sees("note: needs a value", "12 of 12")
	d.press("enter")
	d.sees("note: needs a value")
	d.press("esc", "/")
	d.typed("zzz")
	d.sees("0 of 12", "nothing matches the filter")
	d.press("enter", "d", "A")
	told(t, d.m.screen.(*fruits), "later pear-0100")
}

func TestDigitsAndSpacesAreTextInAFilter(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.press("/")
	d.typed("a 0 q")
	if d.m.scope != keymap.Filter || d.m.filter.input.Value() != "a 0 q" {
		t.Errorf("typed %q", d.m.filter.input.Value())
	}
}

func TestTabs(t *testing.T) {
	f := market()
	d := drive(t, f, 160, 36)
	d.sees("[1 prices]  2 label   3 scales")
	d.press("2")
	d.sees(" 1 prices  [2 label]", "within [-30-] days", "{+14+} days", "+ ", "It may have a stone.")
	d.press("|")
	d.sees("- Keep it cool", "+ Keep it cool")
	d.press("3")
	d.sees("weighed twice")
	d.press("o")
	d.sees("120000 g")
	d.press("1", "o")
	d.sees("works in the tab scales")
	d.press("]")
	d.sees("[2 label]")
	d.press("n")
	d.sees("[2 label]", "apple-0044 is picked") // the tab stays from row to row
}

func TestSlowContentOfAnotherRowIsDropped(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.hold = true
	d.press("3")
	d.sees("loading")
	d.press("j", "1")
	d.release()
	d.misses("weighed twice", "loading")
}

func TestAFailedLoadSaysWhatToDo(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.press("3", "/")
	d.typed("plum")
	d.sees("market fetch gets them")
}

func TestUnchangedRowsFoldUnderACount(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.sees("2 unchanged, = shows them")
	d.press("=")
	d.misses("unchanged, =")
	d.sees("grower")
}

func TestHelpHoldsEveryKey(t *testing.T) {
	d := drive(t, market(), 160, 60)
	d.press("?")
	for _, section := range d.m.keys.Help() {
		for _, b := range section.Bindings {
			d.sees(b.Words())
		}
	}
	d.press("esc")
	d.sees("▸ · apple-0031")
}

func TestNextGroupIsAKey(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.press("}")
	if d.at() != "cherry-0021" {
		t.Errorf("} goes to %q", d.at())
	}
	d.press("{", "{")
	if d.at() != "apple-0031" {
		t.Errorf("{ goes to %q", d.at())
	}
	d.sees("there is no other group that way")
	told(t, d.m.screen.(*fruits), "")
}

func TestHelpCutsNothing(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120} {
		d := drive(t, market(), width, 90)
		d.press("?")
		for line := range strings.Lines(d.m.View()) {
			if strings.HasPrefix(line, "│") && strings.Contains(line, "…") {
				t.Errorf("at %d columns the help cuts %s", width, line)
			}
		}
	}
}

func TestADialogWithOneWayOutOffersNoOther(t *testing.T) {
	d := drive(t, market(), 80, 24)
	d.press("ctrl+s")
	d.sees("nothing is decided yet", "keep deciding", "esc back")
	d.misses("y do it", "the other choice")
	d.press("esc", "d", "ctrl+s")
	d.sees("y do it")
}

func TestTheFooterKeepsTheVerdictOnAGroup(t *testing.T) {
	d := drive(t, market(), 80, 24)
	d.sees("A keep group", "ctrl+s write", "? help", "q quit")
	d = drive(t, market(), 120, 24)
	d.sees("A keep group", "n next", "/ filter")
}

func TestMouseSelectsAndScrollsAndNeverDecides(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	click := func(x, y int) {
		d.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	row := func(text string) int {
		for y, line := range strings.Split(ansi.Strip(d.m.View()), "\n") {
			if strings.Contains(line, text) {
				return y
			}
		}
		t.Fatalf("%q is not on screen", text)
		return 0
	}
	click(8, row("· kiwi-0012"))
	if d.at() != "kiwi-0012" {
		t.Errorf("the click selected %q", d.at())
	}
	click(60, row("[1 prices]"))
	d.sees("[2 label]")
	d.press("esc")
	click(4, row("▾ price  red"))
	click(4, row("▾ price  red"))
	d.misses("cherry-0021")
	for range 20 {
		d.send(tea.MouseMsg{X: 5, Y: 10, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	}
	told(t, f, "")
}

func TestMouseComesBackAfterAPause(t *testing.T) {
	d := drive(t, market(), 120, 36)
	for name, msg := range map[string]tea.Msg{"suspend": tea.ResumeMsg{}, "editor": editedMsg{}} {
		d.sent = nil
		d.send(msg)
		if got := strings.Join(d.sent, " "); !strings.Contains(got, "enableMouse") || !strings.Contains(got, "clearScreen") {
			t.Errorf("after %s the terminal was sent %q", name, got)
		}
	}
	d.press("M")
	d.sent = nil
	d.send(tea.ResumeMsg{})
	if got := strings.Join(d.sent, " "); strings.Contains(got, "enableMouse") {
		t.Error("the mouse was taken although the user freed it")
	}
}

func TestResizeClearsTheScreen(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.sent = nil
	d.send(tea.WindowSizeMsg{Width: 90, Height: 30})
	if len(d.sent) == 0 || !strings.Contains(d.sent[0], "clearScreen") {
		t.Errorf("after a resize the terminal was sent %q", d.sent)
	}
}

func TestWorkOfAnAction(t *testing.T) {
	d := drive(t, market(), 120, 36)
	d.hold = true
	d.press("t")
	d.sees("tasting")
	d.release()
	d.sees("sweet")
}

func TestBulkRowsOfAHundredThousand(t *testing.T) {
	f := many(100_000)
	d := drive(t, f, 120, 36)
	d.press("v", "A")
	d.typed("x")
	d.press("enter", "y")
	d.sees("100000 decided")
	d.press("u")
	d.sees("0 decided")
}

func TestProgressWhileOpening(t *testing.T) {
	d := &driver{t: t, now: time.Unix(0, 0)}
	m := newModel(t.Context(), nil, Options{Width: 80, Height: 24})
	d.m = m
	m.opening.polls = 2
	m.opening.report(120, 220, "running invoices")
	m.Update(progressMsg{})
	d.sees("running invoices", "120 of 220", "▓▓▓")
}
