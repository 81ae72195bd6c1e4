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
	codeUnmeasured  = 4   // nothing was measured; where some case failed, see errSomeFailed
	codeChange      = 1   // a change is not in the written baseline, or lint found something
)

// An exit ends a command with a code and says nothing more than what was
// printed already.
type exit struct{ code int }

func (e exit) Error() string { return "" }

// errSomeFailed ends a command of which some case failed or missed a recording
// while others were measured. The code is that of codeUnmeasured, but a change
// counts more.
var errSomeFailed error = someFailed{}

type someFailed struct{}

func (someFailed) Error() string { return "" }

// Unwrap returns the exit.
func (someFailed) Unwrap() error { return exit{codeUnmeasured} }

// worse returns the one of two ends of a command that counts more. Either may
// be nil.
func worse(a, b error) error {
	if rank(a) <= rank(b) {
		return a
	}
	return b
}

// rank is the place of an end among those that can hold, the first the one that
// counts most.
func rank(err error) int {
	if err == nil {
		return 6
	}
	switch code, _ := exitOf(err); {
	case code == codeWrong:
		return 0
	case code == codeInterrupted:
		return 1
	case code == codeGrounds:
		return 2
	case errors.Is(err, errSomeFailed):
		return 5
	case code == codeUnmeasured:
		return 3
	default:
		return 4
	}
}

// exitOf returns the exit code of a command's error, and what to print.
func exitOf(err error) (code int, message string) {
	if err == nil {
		return codeOK, ""
	}
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
