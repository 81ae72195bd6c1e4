package main

import (
	"context"
	"errors"
	"strings"
)

// The exit codes, in the order in which the first that holds is taken.
const (
	codeOK          = 0
	codeWrong       = 2   // the command, a file or the configuration is wrong, or the evidence is empty
	codeInterrupted = 130 // stopped by Ctrl-C or a signal
	codeGrounds     = 3   // the two sides are not comparable
	codeUnmeasured  = 4   // nothing was measured, or some case failed or missed a recording
	codeChange      = 1   // a change is not in the written baseline, or lint found something
)

// An exit ends a command with a code and says nothing more than what was
// printed already.
type exit struct{ code int }

func (e exit) Error() string { return "" }

// exitOf returns the exit code of a command's error, and what to print.
func exitOf(err error) (code int, message string) {
	var e exit
	if errors.As(err, &e) {
		return e.code, ""
	}
	if errors.Is(err, context.Canceled) {
		if said, ok := strings.CutSuffix(err.Error(), ": "+context.Canceled.Error()); ok && strings.HasPrefix(said, "interrupted") {
			return codeInterrupted, said
		}
		return codeInterrupted, "interrupted"
	}
	return codeWrong, err.Error()
}
