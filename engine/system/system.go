// Package system reaches the system under test: prompt, model and code behind
// one method. A table of adapters says which kinds there are; an entry of
// `systems:` in .docket.yaml becomes a Declared, and a Declared opens as a
// System.
//
// A system never learns that it is being evaluated: a Request holds what
// production would send. The package judges nothing, and it starts no program
// but those that the configuration names.
package system

import (
	"context"

	"docket/engine/output"
	"docket/engine/provider"
)

// ErrMissed is wrapped by the error of a system that answers from recordings
// and has none for a request: neither a pass nor a failure of the case.
var ErrMissed = provider.ErrMissed

// A System is the system under test: prompt, model and code behind one method.
//
// Answer is called from several goroutines. It returns an error where the
// system failed; the error costs that one case. It must return soon after ctx
// is done.
type System interface {
	Answer(ctx context.Context, request Request) (output.Output, error)
}

// A Request asks a system for one sample of one case. It holds nothing that
// tells an evaluation from production.
type Request struct {
	ID     string
	Sample int            // 1..k
	Input  map[string]any // JSON model of package canonical
}
