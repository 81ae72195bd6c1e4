package review_test

import (
	"testing"

	"docket/tui/tuitest"
)

func TestEditorsThatEndBadly(t *testing.T) {
	dir := project(t)
	tuitest.BadEditors(t, func(env ...string) *tuitest.Terminal {
		return tuitest.Start(t, tuitest.Program{Dir: dir, Env: append(env, reviewProgram+"="+dir)})
	}, "5 of 6 changed")
}
