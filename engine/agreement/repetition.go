package agreement

import (
	"sync/atomic"

	"docket/engine/run"
)

// A Repetition looks whether the samples of each case are the same to the byte:
// then a seed, a cache or a temperature of 0 may stand behind them, and that
// they agree says nothing. The zero value is ready.
type Repetition struct{ several, varied atomic.Bool }

// Look takes note of one case's samples. It may be called from several
// goroutines.
func (r *Repetition) Look(samples []run.Sample) {
	for i := range samples[min(1, len(samples)):] {
		r.several.Store(true)
		if answer(samples[i+1]) != answer(samples[0]) {
			r.varied.Store(true)
			return
		}
	}
}

// All reports whether some case had several samples, and none of them differed
// within any case.
func (r *Repetition) All() bool { return r.several.Load() && !r.varied.Load() }

// answer is the hash of what one sample answered, whichever it was.
func answer(s run.Sample) string {
	s.Number = 1
	return run.OutputsHash([]run.Sample{s})
}
