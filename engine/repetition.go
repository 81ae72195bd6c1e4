package engine

import (
	"sync/atomic"

	"docket/engine/run"
)

// A repetition looks whether the samples of each case are the same to the byte.
type repetition struct{ several, varied atomic.Bool }

// look takes note of one case's samples. It is called from several goroutines.
func (r *repetition) look(_ run.Planned, samples []run.Sample) {
	for i := range samples[1:] {
		r.several.Store(true)
		if answer(samples[i+1]) != answer(samples[0]) {
			r.varied.Store(true)
			return
		}
	}
}

// all reports whether some case had several samples, and none of them differed
// within any case.
func (r *repetition) all() bool { return r.several.Load() && !r.varied.Load() }

// answer is the hash of what one sample answered, whichever it was.
func answer(s run.Sample) string {
	s.Number = 1
	return run.OutputsHash([]run.Sample{s})
}
