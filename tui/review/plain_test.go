package review_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"docket/tui"
	"docket/tui/tuitest"
)

// plain answers a plain review line by line, and returns what it said.
func plain(t *testing.T, open tui.Opener, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	_, err := tui.Run(context.Background(), open, tui.Options{
		In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &out, Plain: true, Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPlainTranscript(t *testing.T) {
	tuitest.Golden(t, "plain.golden", plain(t, newLibrary().screen(t),
		"output", "history", "case", "reject see INC-304",
		"x entities", "a", "the number is in the heading",
		"/ of:label", "A closed it is", "yes",
		"n", "/", "w", "no", "q"))
}

func TestPlainWritesTheBaseline(t *testing.T) {
	dir := project(t)
	said := plain(t, ready(open(t, dir)), "r the hours must stay", "/ closed", "A so be it", "yes", "w", "yes")
	for _, want := range []string{
		"5 of 6 changed, 0 decided", "hours, lost", "why: incident INC-3", "wrote baselines/desk/live.jsonl", "next: git add",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if text := baselineOf(t, dir); !strings.Contains(lineOf(text, "q-1"), `"label":"closed"`) {
		t.Errorf("the baseline is\n%s", text)
	}
	if strings.ContainsAny(said, "\x1b│╭") {
		t.Errorf("it draws:\n%s", said)
	}
}
