package run

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"docket/engine/baseline"
	"docket/engine/check"
	"docket/engine/suite"
	"docket/engine/system"
)

// Measure judges the samples of one case that succeeded, at least one, in the
// order of their numbers, and folds them into a baseline line. It returns the
// line, the samples with their verdicts, and an error where the judgement could
// not be made, which costs that case.
type Measure func(ctx context.Context, planned Planned, samples []Sample) (line []byte, judged []Sample, err error)

// A Plan is everything that a run needs.
type Plan struct {
	// ID and Started name the run. Where the ID is empty Execute makes both.
	ID      string
	Started time.Time

	// Cases are all cases of the suite, those that were filtered out included
	// (see Planned.Skip): what is not planned is not in the run. Execute sorts
	// them by id.
	Cases  []Planned
	System system.System
	// Samples is how many samples of each case are taken. 0 takes one, or, of
	// a system that already has its samples, all there are.
	Samples int
	// Jobs is how many samples are asked for at once; less than 2 asks for one
	// after another. It changes nothing but the time a run takes.
	Jobs int

	Config   baseline.Header // what Run.Config becomes, with Answered and Samples filled in
	Services string          // as in Run
	Recorded bool            // as in Run
	Evidence string          // as in Run
	Purpose  Purpose         // as in Run
	Remark   string          // as in Run

	Measure Measure // from several goroutines where Jobs says so

	// Confirm is asked, of each case that was measured, how many more samples of
	// it are to be taken in this run before the result counts; 0 leaves it as it
	// is, and nil all. It is asked once for a case, with the line that its samples
	// gave, and the further ones are added: their numbers go on, and all are
	// measured again together. A system that has its samples already gives at
	// most those that were not taken, and where it has none left Confirm is not
	// asked. It is called from several goroutines where Jobs says so.
	//
	// Where not one of the further samples succeeds the case is an error: what
	// was to be confirmed is neither confirmed nor refuted.
	Confirm func(planned Planned, line []byte) int

	// Scrub takes secrets out of what a system and its judges said, from several
	// goroutines where Jobs says so; nil for none.
	Scrub Scrubber

	// Admit is asked before a case is begun, from one goroutine, and may wait.
	// Once it says no neither that case nor a later one is begun; those under way
	// are finished, and the run is not whole, but not interrupted either. nil
	// admits all.
	Admit func(ctx context.Context, planned Planned) bool

	// Sink is given each result with its samples when its case is done; nil for
	// none. An error from it ends the run.
	Sink Sink
	// Progress is told how many cases are done, from one goroutine; nil for
	// none.
	Progress func(done, total int)
}

// A Scrubber takes secrets out before anybody else sees them.
type Scrubber interface {
	Sample(s *Sample)        // as a system gave it, not yet judged
	Judged(s *Sample)        // the verdicts on it
	Text(said string) string // why it could not be judged
}

// A Planned is a case together with what judges it.
type Planned struct {
	Case   *suite.Case
	Checks []check.Compiled
	Skip   bool // filtered out: its result says NotRun
	// Before are samples of the case that were taken earlier. Plan.Samples more
	// are then taken, numbered after them, and all are measured together.
	Before []Sample
}

// A Sink keeps results. Put is called from one goroutine, and not with a
// context that an interrupt has ended: what finished is kept.
type Sink interface {
	Put(ctx context.Context, r Result) error
}

// Run returns the run of the plan before it has begun: all that is known of it
// but results.
func (p Plan) Run() *Run {
	return &Run{ID: p.ID, Started: p.Started, Config: p.Config, Services: p.Services, Recorded: p.Recorded, Evidence: p.Evidence, Purpose: p.Purpose, Remark: p.Remark}
}

// NewID returns an id for a run that starts at the time given, such as
// 20260811T102203Z-7f3a: the time in UTC to the second, so that ids sort by
// time, and 4 random hex digits that keep two runs of one second apart.
func NewID(at time.Time) string {
	var tail [2]byte
	rand.Read(tail[:]) // never fails
	return at.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(tail[:])
}
