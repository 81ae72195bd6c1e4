// Package run takes a suite past a system: every case, one or more samples of
// it, in any number of jobs, and makes of each case a result that a baseline can
// be compared with.
//
// The package refuses to know who answers: mock, replay and live are words that
// it carries and never reads. It judges nothing either; what measures an output
// is handed to it, and so is where results are kept. No system can fail a run,
// it can only fail its case.
package run

import (
	"time"

	"docket/engine/baseline"
	"docket/engine/interchange"
	"docket/engine/output"
)

// An Outcome says whether a case was measured.
type Outcome string

// The outcomes of a case in a run.
const (
	Measured Outcome = "measured" // at least one sample succeeded
	Failed   Outcome = "error"    // the system, or the judgement, failed
	Missed   Outcome = "missed"   // a recording was missing
	NotRun   Outcome = "not_run"  // filtered out, or not reached
)

// A Run is one pass over a suite.
type Run struct {
	ID       string // 20260811T102203Z-7f3a
	Started  time.Time
	Finished time.Time
	// Config is the configuration of the run in the form of a baseline's
	// header: what was asked for, and in Answered what answered.
	Config   baseline.Header
	Services string // who answered for services: replay, live or record; "" where the system is given none
	Recorded bool   // a record run: never written to a baseline
	// Sources are the models and services that answered, canned answers apart;
	// none where that is not known.
	Sources []Source
	// Evidence is a hash of all that the results depend on, where that is known
	// beforehand: a file of outputs, say. A run with the same evidence would
	// give the same results. "" where only running tells.
	Evidence string
	// Purpose says what the run was made for, where that is more than to be
	// compared; Remark what belongs to it: for a Recapture the reason, for Again
	// what was found.
	Purpose Purpose
	Remark  string
	Whole   bool // every case of the suite was reached and none was filtered out
	// Interrupted says that some case was not reached, other than by a filter.
	Interrupted bool
	Results     []Result
}

// A Purpose is what a run was made for.
type Purpose string

// The purposes of a run.
const (
	Compared  Purpose = ""          // to be compared with the baseline, or to make lines of it
	Capture   Purpose = "capture"   // made lines of a first baseline, or of cases without one; proposes nothing
	Recapture Purpose = "recapture" // proposes to take the whole baseline's place
	Rescore   Purpose = "rescore"   // judged the baseline's own answers again; proposes to take its place
	Imported  Purpose = "imported"  // took in what another tool had run; Remark is its file
	Shown     Purpose = "shown"     // made to show outputs that exist, of a system that only the looking command named
	Again     Purpose = "again"     // repeats a configuration to count false alarms; proposes nothing
)

// A Result is what a run knows of one case.
type Result struct {
	ID      string
	Version int
	Outcome Outcome
	Error   string // why it is Failed or Missed; untrusted text
	// Line is the canonical baseline line that this case would get, without
	// its line end; nil unless Measured.
	Line    []byte
	Samples []Sample // dropped once they are in the store
}

// A Sample is one of the k outputs of a case in a run.
type Sample struct {
	Number int // 1..k
	Output output.Output
	Error  string // not "" where the system failed; Output is then empty
	Pass   *bool  // nil where the case has no check
	Score  *float64
	Checks []Verdict
	// Given are judgements that came with the output, from the tool that made
	// it. They are folded in with the checks.
	Given []Given
}

// A Given is the judgement of another tool.
type Given struct {
	Check   string   `json:"check"`            // its name, which begins with the tool's
	Pass    *bool    `json:"pass,omitzero"`    // nil where the tool gave no verdict
	Score   *float64 `json:"score,omitzero"`   // nil where it gave none
	Message string   `json:"message,omitzero"` // untrusted
}

// GivenBy returns what another tool judged of an output as a sample holds it;
// nil for nothing.
func GivenBy(checks []interchange.Check) []Given {
	if len(checks) == 0 {
		return nil
	}
	all := make([]Given, len(checks))
	for i, c := range checks {
		all[i] = Given{Check: c.Name, Pass: c.Pass, Score: c.Score, Message: c.Message}
	}
	return all
}

// A Verdict is one check's judgement of one sample.
type Verdict struct {
	Check   string  `json:"check"`
	Pass    bool    `json:"pass"`
	Score   float64 `json:"score"`
	Message string  `json:"message,omitzero"` // for people; compared by nothing
	// Unscored says why a judge gave no verdict; Pass and Score then say nothing.
	Unscored string `json:"unscored,omitzero"`
}
