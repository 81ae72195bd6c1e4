package review_test

import (
	"strings"
	"testing"

	"docket/tui"
	"docket/tui/tuitest"
)

// TestAMissIsToldWhole shows a case of which a recording was missing with the
// nearest recording and every field that differs, on a small terminal too.
func TestAMissIsToldWhole(t *testing.T) {
	const why = `no recording of POST /v1/chat/completions to openai in sample 1 of case "rooms-0021"; the nearest is cases/library/recordings/openai/rooms-0021-38fe6d60b7233b1f/1.jsonl:1, ` +
		`which differs in /body/max_tokens (24 → 10), /body/messages/0/content ("When does Ely open?" → "When does the branch in Ely open?"); docket run --mode record records it`
	for _, size := range []tui.Options{{Width: 80, Height: 24}, {Width: 160, Height: 50}} {
		l := newLibrary()
		l.missed["rooms-0021"] = why
		delete(l.failed, "rooms-0021")
		d := tuitest.Drive(t, l.screen(t), size)
		filter(d, "status:missed")
		d.Press("enter", "tab")
		seen := d.View()
		for range 6 {
			d.Press("J")
			seen += d.View()
		}
		unwrapped := strings.NewReplacer("│", "", "↳", "", " ", "", "\n", "")
		for _, want := range []string{"rooms-0021-38fe6d60b7233b1f/1.jsonl:1", "/body/max_tokens (24 → 10)", "/body/messages/0/content", "--mode record records it", "the case keeps its line"} {
			if !strings.Contains(unwrapped.Replace(seen), unwrapped.Replace(want)) {
				t.Errorf("at %d columns %q is not in what is seen:\n%s", size.Width, want, d.View())
			}
		}
	}
}
