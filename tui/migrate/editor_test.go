package migrate_test

import (
	"os"
	"path/filepath"
	"testing"

	"docket/tui/tuitest"
)

// TestEditorThatBreaksTheDraft: a draft that does not load is refused with its
// place, and opened again as it was left; one that loads is taken.
func TestEditorThatBreaksTheDraft(t *testing.T) {
	dir := desk(t)
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nif grep -q '^expects:' \"$1\"; then sed 's/^expects:/expect:/; s/^id: /id: mended-/' \"$1\" >\"$1.2\"; else sed 's/^expect:/expects:/' \"$1\" >\"$1.2\"; fi\nmv \"$1.2\" \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	term := tuitest.Start(t, tuitest.Program{Dir: dir, Env: []string{migrateIn + "=" + dir, "EDITOR=" + editor}, Width: 80, Height: 24})
	term.Shows("test_deposit_is_named")
	term.Press("e")
	term.Shows(`unknown key`)
	term.Shows("edit it again to go on from what you wrote")
	term.Press("e") // finds what was left, and mends that
	term.Shows("the draft is kept as you wrote it")
	term.Press("]")
	term.Shows("id: mended-deposit-is-named")
	term.Press("q")
	term.Ends()
	term.Restored()
}

func TestEditorsThatEndBadly(t *testing.T) {
	dir := desk(t)
	tuitest.BadEditors(t, func(env ...string) *tuitest.Terminal {
		return tuitest.Start(t, tuitest.Program{Dir: dir, Env: append(env, migrateIn+"="+dir)})
	}, "test_deposit_is_named")
}
