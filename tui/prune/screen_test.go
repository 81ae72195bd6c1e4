package prune_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/decision"
	"docket/engine/disk"
	"docket/tui"
	"docket/tui/tuitest"
)

func open(t *testing.T, dir string, names ...string) *desk {
	t.Helper()
	d, err := openDesk(dir, names...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

func TestNothingIsDecidedBeforeItWasLookedAt(t *testing.T) {
	dir := desks(t)
	desk := open(t, dir, "letters-0219", "letters-0400")
	d := tuitest.Drive(t, tuitest.Ready(desk.screen()), tui.Options{Width: 120, Height: 36})
	for _, key := range []string{"a", "d", "m", "p"} {
		d.Press(key)
		d.Sees("first look at: caught, lost")
	}
	d.Press("]", "a")
	d.Sees("first look at: lost")
	d.Press("]", "d")
	d.Sees("reason, with INC-219")
	d.Type("nobody asks any more")
	d.Press("enter")
	d.Sees("type its name in the reason")
	d.Type(", INC-219 is closed")
	d.Press("enter")
	d.Sees("1 decided", "1 to retire")
	d.Press("u")
	d.Sees("0 decided")
	if got := desk.Decided(); len(got) != 0 {
		t.Errorf("%q are decided", got)
	}
	if !exists(dir, "cases/desk/fixtures/letter.txt") {
		t.Error("something was removed before the step was closed")
	}
}

// TestWhatRipplesIsLookedAtAgain retires a case that shares a check with
// another, whose tab was read before.
func TestWhatRipplesIsLookedAtAgain(t *testing.T) {
	desk := open(t, desks(t), "letters-0400", "schools-0007")
	d := tuitest.Drive(t, tuitest.Ready(desk.screen()), tui.Options{Width: 120, Height: 36})
	d.Press("/", "s", "c", "h", "o", "o", "l", "s", "enter", "]", "]")
	d.Misses("the only case that checks max_words")
	d.Press("1", "esc", "/", "0", "4", "0", "0", "enter", "]", "]", "d")
	d.Type("deposits are no more")
	d.Press("enter", "esc")
	d.Sees("schools-0007       ! caught +2") // in the list, before anybody goes there
	d.Press("/", "s", "c", "h", "o", "o", "l", "s", "enter", "1", "d")
	d.Type("classes do not come")
	d.Press("enter")
	d.Sees("look at the tab lost again")
	d.Press("3")
	d.Sees("the only case that checks max_words, once letters-0400 goes")
	d.Press("d")
	d.Type("classes do not come")
	d.Press("enter")
	if got := desk.Decided(); len(got) != 2 {
		t.Errorf("%q are decided", got)
	}
}

func TestPlainTranscript(t *testing.T) {
	desk := open(t, desks(t), "letters-0219", "hours-0101")
	var out bytes.Buffer
	_, err := tui.Run(t.Context(), tuitest.Ready(desk.screen()), tui.Options{
		In: strings.NewReader(strings.Join([]string{
			"d INC-219 is closed", "caught", "lost", "d it is closed", "d INC-219 is closed",
			"caught", "lost", "beside hours-0001", "merge into hours-0001 it is the same", "w", "y",
		}, "\n") + "\n"), Out: &out, Plain: true, Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	tuitest.Golden(t, "plain.golden", out.String())
	if exists(desk.dir, "cases/desk/fixtures/letter.txt") {
		t.Error("the letter of the retired case is there still")
	}
	h, err := decision.Read(disk.OS{}, desk.dir, "desk")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"letters-0219", "hours-0101"} {
		if past, ok := h.Retired(id); !ok || past.CaseFile == nil || past.Lines["live"] == nil {
			t.Errorf("%s is not on record: %+v", id, past)
		}
	}
}
