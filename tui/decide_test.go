package tui_test

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"docket/tui"
	"docket/tui/tuitest"
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
	if at(d) != "apple-0031" {
		t.Fatalf("the cursor starts on %q, want the first undecided row", at(d))
	}
	d.Press("a")
	d.Sees("keep ─ apple-0031", "reason")
	d.Type("in season")
	d.Press("enter")
	told(t, f, "keep apple-0031 (in season)")
	d.Sees("✓ apple-0031", "1 decided", "1/9")
	if at(d) != "apple-0044" {
		t.Errorf("after a decision the cursor is on %q, want the next undecided row", at(d))
	}
	// The run of like decisions: a key and Enter each.
	d.Press("a")
	d.Sees("enter: as before")
	d.Press("enter", "a", "enter")
	told(t, f, "keep apple-0031 (in season); keep apple-0044 (in season); keep gooseberry-0101 (in season)")
}

func TestAReasonIsNotOfferedForAnotherVerdict(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("a")
	d.Type("in season")
	d.Press("enter", "r")
	d.Misses("as before")
	d.Press("enter")
	d.Sees("a reason is needed")
	d.Type("because")
	d.Press("enter")
	d.Sees("because is no reason")
	d.Press("esc")
	told(t, f, "keep apple-0031 (in season)")
}

func TestEarlierReasonsComeBack(t *testing.T) {
	f := market()
	f.session.before = []tui.Mark{{Row: "plum-0003", Verdict: "keep", Text: "said last week"}}
	d := drive(t, f, 120, 36)
	d.Sees("✓ plum-0003", "1 decided")
	d.Press("a", "x", "up")
	d.Sees("said last week")
	d.Press("down")
	d.Sees("reason  x")
	d.Press("up", "enter")
	told(t, f, "keep apple-0031 (said last week)")
}

func TestAVerdictMayAskForNothing(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("d")
	told(t, f, "later apple-0031")
}

// The mark of a decision is drawn only once the session has it on disk.
func TestTheMarkIsDrawnWhenTheDecisionIsKept(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Hold = true
	d.Press("d", "d")
	d.Sees("… apple-0031", "… apple-0044", "0 decided")
	d.Misses("» apple-0031")
	told(t, f, "")
	d.Release()
	d.Sees("» apple-0031", "» apple-0044", "2 decided")
	told(t, f, "later apple-0031; later apple-0044")
}

func TestAFailedDecisionLeavesNoMark(t *testing.T) {
	f := market()
	f.session.fail = errors.New("no space left on the device")
	d := drive(t, f, 120, 36)
	d.Press("d")
	d.Sees("not put off: no space left on the device", "· apple-0031", "0 decided")
}

func TestUndoAndRedo(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("u")
	d.Sees("nothing is left to undo")
	d.Press("d", "d", "u")
	d.Sees("undone: apple-0044", "1 decided")
	if at(d) != "apple-0044" {
		t.Errorf("the cursor is on %q, want what was undone", at(d))
	}
	d.Press("U")
	told(t, f, "later apple-0031; later apple-0044")
	d.Press("u", "u")
	told(t, f, "")
	d.Sees("0 decided", "· apple-0031")
}

func TestBulkNamesWhatItFallsOn(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("A")
	d.Type("in season")
	d.Press("enter")
	d.Sees("keep 9 fruits", "8 of them were never opened", "reason: in season")
	// Neither the key that opened it nor Enter confirms.
	d.Press("A", "A")
	told(t, f, "")
	d.Press("enter")
	told(t, f, "")
	d.Press("A", "enter", "y")
	if got := f.session.told(); strings.Count(got, "keep") != 1 || strings.Count(got, "-0") != 9 {
		t.Errorf("told %q, want one decision on nine", got)
	}
	d.Sees("9 fruits kept", "9/9")
	if at(d) != "cherry-0021" {
		t.Errorf("the cursor is on %q, want the first of the next group", at(d))
	}
	d.Press("u")
	d.Sees("undone: 9 fruits")
}

func TestBulkOnMarkedRows(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press(" ", " ", "G", " ")
	d.Sees("3 marked")
	d.Press("R")
	d.Type("too dear")
	d.Press("enter", "tab", "enter")
	told(t, f, "drop apple-0031,apple-0044,lemon-0008 [crate a:b/c] 返金 with a name that is longer than any column (too dear)")
	d.Misses("marked")
}

func TestBulkCautions(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("/")
	d.Type("colour:red")
	d.Press("enter", "A")
	d.Type("cheap")
	d.Press("enter")
	d.Sees("keep 2 fruits", "1 of them was never opened.", "2 of them are bruised.")
}

func TestAVerdictOnAHeaderIsOneOnTheGroup(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("g")
	d.Sees("9 fruits, 0 decided, 8 never opened")
	d.Press("a")
	d.Sees("keep ─ 9 fruits")
	d.Press("esc", "d")
	d.Sees("put off takes one at a time")
	told(t, f, "")
}

func TestOnePartAlone(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("x")
	d.Press("j", "x")
	d.Sees("crates of apple-0031 alone")
	d.Press("r")
	d.Type("too heavy")
	d.Press("enter")
	told(t, f, "drop apple-0031#crates (too heavy)")
	d.Sees("◐ apple-0031", "✗ crates", "0 decided")
	if at(d) != "apple-0031" {
		t.Errorf("the cursor left for %q", at(d))
	}
	d.Press("u")
	d.Sees("· apple-0031", "- crates")
	d.Press("2", "x")
	d.Sees("this one cannot be decided alone")
}

func TestReadOnly(t *testing.T) {
	f := market()
	f.spec = func(s *tui.Spec) { s.ReadOnly = "another review has the journal" }
	d := drive(t, f, 120, 36)
	for _, k := range []string{"a", "A", "x", "u", "ctrl+s"} {
		d.Press(k)
		d.Sees("another review has the journal")
	}
	told(t, f, "")
}

func TestKeysOfOneBurstNeverDecide(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	// One read of several letters: navigation is replayed, decisions are not.
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjd")})
	if at(d) != "gooseberry-0101" {
		t.Errorf("jj moved to %q", at(d))
	}
	told(t, f, "")
	d.Sees("one burst decide nothing")
	// A key and Enter without time to see what the key did.
	d.Press("d")
	told(t, f, "later gooseberry-0101")
	d.Press("a")
	d.Type("x")
	d.Send(tuitest.Key("enter"))
	told(t, f, "later gooseberry-0101")
	d.Press("enter")
	told(t, f, "later gooseberry-0101; keep grape-0007 (x)")
}

func TestPaste(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("d\nd\nA\ny"), Paste: true}
	d.Send(paste)
	d.Sees("a paste was ignored")
	told(t, f, "")
	d.Press("a")
	d.Send(paste)
	d.Sees("d d A y")
	d.Press("enter")
	told(t, f, "keep apple-0031 (d d A y)")
}

func TestOtherKeyboardLayouts(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("о", "в") // j and d on a Russian keyboard
	told(t, f, "later apple-0044")
	d.Press("ф") // a
	d.Type("спелый")
	d.Press("enter")
	told(t, f, "later apple-0044; keep gooseberry-0101 (спелый)")
}

func TestTooSmallTakesNoDecision(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Send(tea.WindowSizeMsg{Width: 59, Height: 30})
	d.Sees("59x30 is too small")
	d.Press("d", "a", "A", "enter", "y", "ctrl+s")
	told(t, f, "")
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 36})
	d.Sees("▸ · apple-0031")
	d.Misses("reason")
}

func TestEscNeverDecidesAndNeverLeaves(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("/")
	d.Type("pear")
	d.Press("enter", "tab", "esc", "esc", "esc", "esc")
	if d.Quit || f.session.told() != "" || tui.Filtered(d.Model()) != "" {
		t.Errorf("esc quit (%v), decided (%s) or left the filter on", d.Quit, f.session.told())
	}
}

func TestClosingStep(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("ctrl+s")
	d.Sees("nothing is decided yet")
	d.Press("y", "d", "ctrl+s")
	d.Sees("1 decisions go into the list", "[ n  keep deciding ]")
	d.Press("enter")
	if f.session.wrote != 0 {
		t.Fatal("Enter wrote, although the harmless choice has the focus")
	}
	d.Press("ctrl+s", "ctrl+s", "y")
	if f.session.wrote != 1 || !d.Quit {
		t.Errorf("wrote %d times, quit %v", f.session.wrote, d.Quit)
	}
}

func TestAFailedWriteStays(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("d")
	f.session.fail = errors.New("the baseline changed on disk meanwhile")
	d.Press("ctrl+s", "y")
	d.Sees("nothing was written: the baseline changed on disk meanwhile")
	if d.Quit {
		t.Error("the screen was left")
	}
}

func TestLeavingWaitsForWhatIsBeingSaved(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Hold = true
	d.Press("d", "d", "q")
	d.Sees("finishing what is being saved")
	d.Release()
	if !d.Quit {
		t.Error("the screen was not left")
	}
	told(t, f, "later apple-0031; later apple-0044")
}

func TestAPanicIsKeptForTheEnd(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // the trace goes there
	for _, k := range []string{"b", "i"} {
		d := drive(t, market(), 120, 36)
		d.Crashes = true
		d.Press(k)
		if !d.Quit || tui.Crashed(d.Model()) == "" {
			t.Fatalf("a panic after %q did not end the program in order", k)
		}
		err := tui.Report(d.Model())
		if err == nil || !strings.Contains(err.Error(), "`market review` goes on") || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("reported as %v", err)
		}
	}
}

func TestRegroupKeepsRowAndMarks(t *testing.T) {
	f := market()
	d := drive(t, f, 120, 36)
	d.Press("d", "n", "n")
	before := at(d)
	d.Press("v")
	d.Sees("grouped by nothing", "» apple-0031")
	if at(d) != before {
		t.Errorf("the cursor moved from %q to %q", before, at(d))
	}
	d.Sees("1 decided")
}
