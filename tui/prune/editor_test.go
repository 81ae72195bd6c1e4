package prune_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/tui/tuitest"
)

// TestEditorThatBreaksTheCase: the case is shown as it now stands, no verdict
// falls by it, and the screen goes on.
func TestEditorThatBreaksTheCase(t *testing.T) {
	dir := desks(t)
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nprintf '{: [ no yaml' >\"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	term := tuitest.Start(t, tuitest.Program{Dir: dir, Env: []string{pruneProgram + "=" + dir, "EDITOR=" + editor}})
	term.Shows("of 11 cases proposed")
	term.Press("4", "e")
	term.Shows("{: [ no yaml")
	term.Until("\x13", "Nothing is decided yet")
	term.Until("\x1b", "q quit")
	term.Press("q")
	if out := term.Ends(); strings.Contains(out, "goroutine") {
		t.Error("it ended with a trace")
	}
	term.Restored()
}

func TestEditorsThatEndBadly(t *testing.T) {
	dir := desks(t)
	tuitest.BadEditors(t, func(env ...string) *tuitest.Terminal {
		return tuitest.Start(t, tuitest.Program{Dir: dir, Env: append(env, pruneProgram+"="+dir)})
	}, "of 11 cases proposed")
}
