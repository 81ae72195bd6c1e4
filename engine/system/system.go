package system

import (
	"context"

	"docket/engine/output"
)

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
