package tui

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui/list"
)

func told(t *testing.T, f *fruits, want string) {
	t.Helper()
	if got := f.session.told(); got != want {
		t.Errorf("the session was told\n %q\nwant\n %q", got, want)
	}
}

func TestADecisionIsAKeyAReasonAndEnter(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	if d.at() != "apple-0031" {
		t.Fatalf("the cursor starts on %q, want the first undecided row", d.at())
	}
	d.press("a")
	d.sees("keep ─ apple-0031", "reason")
	d.typed("in season")
	d.press("enter")
	told(t, f, "keep apple-0031 (in season)")
	d.sees("✓ apple-0031", "1 decided", "1/9")
	if d.at() != "apple-0044" {
		t.Errorf("after a decision the cursor is on %q, want the next undecided row", d.at())
	}
	// The run of like decisions: a key and Enter each.
	d.press("a")
	d.sees("enter: as before")
	d.press("enter", "a", "enter")
	told(t, f, "keep apple-0031 (in season); keep apple-0044 (in season); keep gooseberry-0101 (in season)")
}

func TestAReasonIsNotOfferedForAnotherVerdict(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("a")
	d.typed("in season")
	d.press("enter", "r")
	d.misses("as before")
	d.press("enter")
	d.sees("a reason is needed")
	d.typed("because")
	d.press("enter")
	d.sees("because is no reason")
	d.press("esc")
	told(t, f, "keep apple-0031 (in season)")
}

func TestEarlierReasonsComeBack(t *testing.T) {
	f := market()
	f.session.before = []Mark{{Row: "plum-0003", Verdict: "keep", Text: "said last week"}}
	d := drive(t, f, 120, 36)
	d.sees("✓ plum-0003", "1 decided")
	d.press("a", "x", "up")
	d.sees("said last week")
	d.press("down")
	d.sees("reason  x")
	d.press("up", "enter")
	told(t, f, "keep apple-0031 (said last week)")
}

func TestAVerdictMayAskForNothing(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("d")
	told(t, f, "later apple-0031")
}

// The mark of a decision is drawn only once the session has it on disk.
func TestTheMarkIsDrawnWhenTheDecisionIsKept(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.hold = true
	d.press("d", "d")
	d.sees("… apple-0031", "… apple-0044", "0 decided")
	d.misses("» apple-0031")
	told(t, f, "")
	d.release()
	d.sees("» apple-0031", "» apple-0044", "2 decided")
	told(t, f, "later apple-0031; later apple-0044")
}

func TestAFailedDecisionLeavesNoMark(t *testing.T) {
	f := market()
	f.session.fail = errors.New("no space left on the device")
	d := drive(t, f, 120, 36)
	d.press("d")
	d.sees("not put off: no space left on the device", "· apple-0031", "0 decided")
}

func TestUndoAndRedo(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("u")
	d.sees("nothing is left to undo")
	d.press("d", "d", "u")
	d.sees("undone: apple-0044", "1 decided")
	if d.at() != "apple-0044" {
		t.Errorf("the cursor is on %q, want what was undone", d.at())
	}
	d.press("U")
	told(t, f, "later apple-0031; later apple-0044")
	d.press("u", "u")
	told(t, f, "")
	d.sees("0 decided", "· apple-0031")
}

func TestBulkNamesWhatItFallsOn(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("A")
	d.typed("in season")
	d.press("enter")
	d.sees("keep 9 fruits", "8 of them were never opened", "reason: in season")
	// Neither the key that opened it nor Enter confirms.
	d.press("A", "A")
	told(t, f, "")
	d.press("enter")
	told(t, f, "")
	d.press("A", "enter", "y")
	if got := f.session.told(); strings.Count(got, "keep") != 1 || strings.Count(got, "-0") != 9 {
		t.Errorf("told %q, want one decision on nine", got)
	}
	d.sees("9 fruits kept", "9/9")
	if d.at() != "cherry-0021" {
		t.Errorf("the cursor is on %q, want the first of the next group", d.at())
	}
	d.press("u")
	d.sees("undone: 9 fruits")
}

func TestBulkOnMarkedRows(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press(" ", " ", "G", " ")
	d.sees("3 marked")
	d.press("R")
	d.typed("too dear")
	d.press("enter", "tab", "enter")
	told(t, f, "drop apple-0031,apple-0044,lemon-0008 [crate a:b/c] 返金 with a name that is longer than any column (too dear)")
	d.misses("marked")
}

func TestBulkCautions(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("/")
	d.typed("colour:red")
	d.press("enter", "A")
	d.typed("cheap")
	d.press("enter")
	d.sees("keep 2 fruits", "2 of them are bruised.")
}

func TestAVerdictOnAHeaderIsOneOnTheGroup(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("g")
	d.sees("9 fruits, 0 decided, 8 never opened")
	d.press("a")
	d.sees("keep ─ 9 fruits")
	d.press("esc", "d")
	d.sees("put off takes one at a time")
	told(t, f, "")
}

func TestOnePartAlone(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("x")
	d.press("j", "x")
	d.sees("crates of apple-0031 alone")
	d.press("r")
	d.typed("too heavy")
	d.press("enter")
	told(t, f, "drop apple-0031#crates (too heavy)")
	d.sees("◐ apple-0031", "✗ crates", "0 decided")
	if d.at() != "apple-0031" {
		t.Errorf("the cursor left for %q", d.at())
	}
	d.press("u")
	d.sees("· apple-0031", "- crates")
}

func TestReadOnly(t *testing.T) {
	f := market()
	f.spec = func(s *Spec) { s.ReadOnly = "another review has the journal" }
	d := drive(t, f, 120, 36)
	for _, k := range []string{"a", "A", "x", "u", "ctrl+s"} {
		d.press(k)
		d.sees("another review has the journal")
	}
	told(t, f, "")
}

func TestKeysOfOneBurstNeverDecide(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	// One read of several letters: navigation is replayed, decisions are not.
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjd")})
	if d.at() != "gooseberry-0101" {
		t.Errorf("jj moved to %q", d.at())
	}
	told(t, f, "")
	d.sees("one burst decide nothing")
	// A key and Enter without time to see what the key did.
	d.press("d")
	told(t, f, "later gooseberry-0101")
	d.press("a")
	d.typed("x")
	d.send(keyOf("enter"))
	told(t, f, "later gooseberry-0101")
	d.press("enter")
	told(t, f, "later gooseberry-0101; keep grape-0007 (x)")
}

func TestPaste(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("d\nd\nA\ny"), Paste: true}
	d.send(paste)
	d.sees("a paste was ignored")
	told(t, f, "")
	d.press("a")
	d.send(paste)
	d.sees("d d A y")
	d.press("enter")
	told(t, f, "keep apple-0031 (d d A y)")
}

func TestOtherKeyboardLayouts(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("о", "в") // j and d on a Russian keyboard
	told(t, f, "later apple-0044")
	d.press("ф") // a
	d.typed("спелый")
	d.press("enter")
	told(t, f, "later apple-0044; keep gooseberry-0101 (спелый)")
}

func TestTooSmallTakesNoDecision(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.send(tea.WindowSizeMsg{Width: 59, Height: 30})
	d.sees("59x30 is too small")
	d.press("d", "a", "A", "enter", "y", "ctrl+s")
	told(t, f, "")
	d.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	d.sees("▸ · apple-0031")
	d.misses("reason")
}

func TestEscNeverDecidesAndNeverLeaves(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("/")
	d.typed("pear")
	d.press("enter", "tab", "esc", "esc", "esc", "esc")
	if d.quit || f.session.told() != "" || d.m.list.Matches() != 12 {
		t.Errorf("esc quit (%v), decided (%s) or left the filter on", d.quit, f.session.told())
	}
}

func TestClosingStep(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("ctrl+s")
	d.sees("nothing is decided yet")
	d.press("y", "d", "ctrl+s")
	d.sees("1 decisions go into the list", "[ n  keep deciding ]")
	d.press("enter")
	if f.session.wrote != 0 {
		t.Fatal("Enter wrote, although the harmless choice has the focus")
	}
	d.press("ctrl+s", "ctrl+s", "y")
	if f.session.wrote != 1 || !d.quit || d.m.closing == nil {
		t.Errorf("wrote %d times, quit %v", f.session.wrote, d.quit)
	}
}

func TestAFailedWriteStays(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("d")
	f.session.fail = errors.New("the baseline changed on disk meanwhile")
	d.press("ctrl+s", "y")
	d.sees("nothing was written: the baseline changed on disk meanwhile")
	if d.quit {
		t.Error("the screen was left")
	}
}

func TestLeavingWaitsForWhatIsBeingSaved(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.hold = true
	d.press("d", "d", "q")
	d.sees("finishing what is being saved")
	d.release()
	if !d.quit {
		t.Error("the screen was not left")
	}
	told(t, f, "later apple-0031; later apple-0044")
}

func TestAPanicIsKeptForTheEnd(t *testing.T) {
	for _, k := range []string{"b", "i"} {
		d := drive(t, market(), 120, 36)
		d.press(k)
		if !d.quit || d.m.crash == nil {
			t.Fatalf("a panic after %q did not end the program in order", k)
		}
		err := d.m.crash.report("market review")
		if err == nil || !strings.Contains(err.Error(), "`market review` goes on") || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("reported as %v", err)
		}
	}
}

func TestRegroupKeepsRowAndMarks(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.press("d", "n", "n")
	at := d.at()
	d.press("v")
	d.sees("grouped by nothing", "» apple-0031")
	if d.at() != at {
		t.Errorf("the cursor moved from %q to %q", at, d.at())
	}
	if d.m.stateOf("apple-0031") != list.Decided {
		t.Error("the decision was lost")
	}
}
