package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDraftTooLong: a text that is too long is not taken, not read whole, and
// stays where its author finds it; one that is taken leaves no file.
func TestDraftTooLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docket-reason-1.txt")
	for _, c := range []struct {
		text string
		kept bool
		want string
	}{
		{"picked on Monday\r\n", false, ""},
		{strings.Repeat("x", maxLong), false, ""},
		{strings.Repeat("x", maxLong+1), true, path + " has 17 KB; files of up to 16 KB are read here"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		msg := readDraft(path, nil).(composedMsg)
		said := ""
		if msg.unread != nil {
			said = msg.unread.Error()
		}
		if !strings.HasPrefix(said, c.want) || (said == "") != (c.want == "") {
			t.Errorf("of %d bytes it says %q, want %q", len(c.text), said, c.want)
		}
		if _, err := os.Stat(path); (err == nil) != c.kept {
			t.Errorf("of %d bytes the file is kept: %v", len(c.text), err == nil)
		}
	}
}
