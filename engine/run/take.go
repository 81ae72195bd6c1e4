package run

import (
	"context"
	"time"

	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/system"
)

// grace is how long an interrupted run waits for a call that is under way. A
// system that heeds its context returns well within it.
const grace = time.Second

// take asks the system for one sample. It reports abandoned where the run was
// interrupted first.
func (e *execution) take(ctx context.Context, c call) (s Sample, missed, abandoned bool) {
	s = Sample{Number: c.number}
	request := system.Request{ID: c.of.planned.Case.ID, Sample: c.number, Input: c.of.planned.Case.Input}
	out, err := answer(ctx, e.plan.System, request)
	switch {
	case err == nil:
		s.Output = out
		if stored, ok := e.plan.System.(judged); ok {
			s.Given = GivenBy(stored.Checks(request.ID, request.Sample))
		}
	case ctx.Err() != nil:
		// The system failed, or was left behind, because it was told to stop.
		return s, false, true
	default:
		s.Error, missed = err.Error(), missedRecording(err)
		if s.Error == "" {
			s.Error = "the system failed and did not say why"
		}
	}
	if e.plan.Scrub != nil {
		e.plan.Scrub.Sample(&s)
	}
	return s, missed, false
}

// A judged system is one whose answers came with judgements, from the tool that
// made them.
type judged interface {
	Checks(id string, sample int) []interchange.Check
}

// answer calls the system and returns what it answered, or soon after ctx is
// done. The call has a goroutine of its own, since nothing can end one that
// does not return.
func answer(ctx context.Context, s system.System, request system.Request) (output.Output, error) {
	type reply struct {
		out output.Output
		err error
	}
	replies := make(chan reply, 1)
	go func() {
		var r reply
		defer func() {
			if p := recover(); p != nil {
				r = reply{err: &panicked{fault("system", p)}}
			}
			replies <- r
		}()
		r.out, r.err = s.Answer(ctx, request)
	}()
	select {
	case r := <-replies:
		return r.out, r.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case r := <-replies:
		return r.out, r.err
	case <-timer.C:
		return output.Output{}, ctx.Err()
	}
}

// panicked says that the system's own code broke down.
type panicked struct{ why string }

func (p *panicked) Error() string { return "the system broke down: " + p.why }
