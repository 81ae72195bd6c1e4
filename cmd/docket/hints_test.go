//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docket/tui/tuitest"
)

// TestHintOfAFirstScreen expects the hint on the first screen that a user opens,
// until the first key, and on no later one.
func TestHintOfAFirstScreen(t *testing.T) {
	docket, err := exec.LookPath("docket") // the test binary, under its name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "test_answers.py"), "def test_one():\n    assert \"30 days\" in answer(\"When?\")\n\n\ndef test_two():\n    assert \"12 euros\" in answer(\"How much?\")\n")
	open := func(hints string) *tuitest.Terminal {
		term := tuitest.Start(t, tuitest.Program{
			Path: docket, Args: []string{"migrate", "test_answers.py"}, Dir: dir,
			Env: []string{"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "DOCKET_HINTS=" + hints},
		})
		term.Shows("test_one")
		term.Shows("q quit")
		return term
	}
	leave := func(term *tuitest.Terminal) {
		t.Helper()
		term.Press("q")
		term.Ends()
		term.Restored()
	}
	const hint = "new here? ? lists every key, q quits"
	off := open("off")
	if strings.Contains(off.Screen(), hint) {
		t.Errorf("it hints although that is off:\n%s", off.Screen())
	}
	leave(off)
	first := open("")
	first.Shows(hint)
	first.Press("j")
	first.Await("the end of the hint", func() bool { return !strings.Contains(first.Screen(), hint) })
	leave(first)
	second := open("")
	if strings.Contains(second.Screen(), hint) {
		t.Errorf("it hints again:\n%s", second.Screen())
	}
	leave(second)
}
