package tuitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BadEditors opens the row under the cursor (e) in editors that are missing, that
// fail, and that are killed. Each time the screen says so and goes on, the mouse
// is back, and nothing is decided. Start opens the screen with more in its
// environment; ready is a text of the first frame.
func BadEditors(t *testing.T, start func(env ...string) *Terminal, ready string) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range map[string]string{"missing": "", "failing": "exit 3\n", "killed": "kill -9 $$\n"} {
		editor := filepath.Join(dir, name)
		if script != "" {
			if err := os.WriteFile(editor, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		term := start("EDITOR="+editor, "VISUAL=")
		term.Shows(ready)
		term.Press("e")
		term.Shows("the editor did not end well (set EDITOR to choose another)")
		term.Await("the mouse", func() bool {
			out := term.Output()
			return strings.LastIndex(out, "\x1b[?1002h") > strings.LastIndex(out, "\x1b[?1002l")
		})
		term.Until("?", "esc closes")
		term.Until("\x1b", "quit")
		term.Press("q")
		out := term.Ends()
		term.Restored()
		if after := out[max(strings.LastIndex(out, "\x1b[?1049l"), 0):]; !strings.Contains(after, "Nothing is decided yet") || strings.Contains(out, "goroutine") {
			t.Errorf("%s: behind the screen it says %q", name, after)
		}
	}
}
