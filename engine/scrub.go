package engine

import (
	"os"
	"slices"

	"docket/engine/recording"
	"docket/engine/run"
)

// scrub returns what takes the secrets of the environment out of a sample before
// it is judged, shown or stored: a vendor that repeats the key it refuses, and a
// program that prints its environment, must not put one into the results. It is
// nil where the environment has none.
func scrub() func(*run.Sample) {
	scrubber := recording.NewScrubber(recording.Secrets(os.Environ()))
	if scrubber == nil {
		return nil
	}
	return func(s *run.Sample) {
		s.Error = scrubber.Text(s.Error)
		o := &s.Output
		o.Text, o.ToolCallsError = scrubber.Text(o.Text), scrubber.Text(o.ToolCallsError)
		o.Model, o.StopReason = scrubber.Text(o.Model), scrubber.Text(o.StopReason)
		o.Raw = scrubbedJSON(scrubber, o.Raw)
		o.ToolCalls = slices.Clone(o.ToolCalls) // a canned one is everybody's
		for i := range o.ToolCalls {
			call := &o.ToolCalls[i]
			call.Name, call.Arguments = scrubber.Text(call.Name), scrubbedJSON(scrubber, call.Arguments)
		}
	}
}

// scrubbedJSON is JSON without secrets, and the same bytes where there were none.
func scrubbedJSON(scrubber *recording.Scrubber, raw []byte) []byte {
	if clean := scrubber.Text(string(raw)); clean != string(raw) {
		return []byte(clean)
	}
	return raw
}
