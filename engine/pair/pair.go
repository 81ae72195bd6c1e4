// Package pair reads and compares two files with no suite around them: of
// outputs, of another tool's results, or baselines. Which field is the label and
// which are numbers it guesses from the outputs of both, and says so.
//
// It touches neither file, keeps no decisions and asks nobody. What is decided
// on two files is written to a baseline that Begin makes of the old one.
package pair

import (
	"context"
	"fmt"
	"time"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/interchange"
	"docket/engine/measure"
	"docket/engine/projection"
	"docket/engine/run"
)

// A Pair is two files that were read and compared, with no suite around them.
type Pair struct {
	Diff     *diff.Diff
	Old, New Side

	// Options are what both files were read with.
	Options interchange.Options
	// Comparer is what the projections of both sides are compared by.
	Comparer *projection.Set

	run    *run.Run
	guess  projection.Guess
	inputs map[string]map[string]any // by case, as far as the files say
}

// A Side is one of the two files.
type Side struct {
	Path   string
	Hash   string // of its bytes, and of the options that it was read with
	Rows   int
	Cases  int
	Failed int // cases of which every sample is an error
	Format string
	Report interchange.Report // what was read; zero for a baseline

	changed time.Time               // when the file was written last
	samples map[string][]run.Sample // by case; nil for a baseline
	lines   []baseline.Raw
	header  baseline.Header
	results []run.Result
}

// Samples returns the outputs of a case, where the file holds outputs.
func (s *Side) Samples(id string) []run.Sample { return s.samples[id] }

// HasOutputs reports whether the file holds outputs, and is no baseline.
func (s *Side) HasOutputs() bool { return s.samples != nil }

// Input returns what was asked in a case, where a file says it.
func (p *Pair) Input(id string) (map[string]any, bool) {
	input, ok := p.inputs[id]
	return input, ok
}

// Read reads and compares two files: of outputs, of another tool's results, or
// two baselines; or a baseline that was made of outputs and the outputs of
// today. Cases pair by id alone. The options choose the field that identifies
// cases and the variant, for both files; scrub takes secrets out of the samples of
// both before anything is made of them, nil for none.
func Read(ctx context.Context, oldPath, newPath string, o interchange.Options, scrub run.Scrubber) (*Pair, error) {
	before, err := readSide(ctx, oldPath, o, scrub)
	if err != nil {
		return nil, err
	}
	after, err := readSide(ctx, newPath, o, scrub)
	if err != nil {
		return nil, err
	}
	if err := comparable(&before.side, &after.side); err != nil {
		return nil, err
	}
	set, guess, err := guessed(before, after)
	if err != nil {
		return nil, err
	}
	instrument := &measure.Instrument{Projections: set}
	shareInputs(before, after)
	if err := after.takeHashes(before); err != nil {
		return nil, err
	}
	for _, f := range []*file{before, after} {
		if err := f.measure(ctx, instrument); err != nil {
			return nil, fmt.Errorf("%s: %w", f.side.Path, err)
		}
	}
	p := &Pair{
		Old: before.side, New: after.side, Comparer: set, guess: guess, inputs: after.inputs, Options: o,
		run: &run.Run{Config: after.side.header, Whole: true, Results: after.side.results},
	}
	p.Diff, err = p.Compare(&baseline.File{Header: before.side.header, Lines: before.side.lines})
	return p, err
}

// Compare lays the new file beside a baseline made of the old one.
func (p *Pair) Compare(base *baseline.File) (*diff.Diff, error) {
	d, err := diff.Compare(base, p.run, diff.Options{Comparer: p.Comparer, Tolerance: 1e-6, Today: time.Now()})
	if err != nil {
		return nil, fmt.Errorf("%s or %s: %w", p.Old.Path, p.New.Path, err)
	}
	d.Suite = pairName(p.Old.Path, p.New.Path)
	if p.New.samples != nil {
		// Two files of outputs say nothing of a configuration but the models
		// that answered, and those are no ground where a person chose the files.
		d.Mode = ""
		d.Named = append(d.Named, d.Grounds...)
		d.Grounds, d.Unknown = nil, nil
	}
	return d, nil
}

func pairName(oldPath, newPath string) string {
	return oldPath + " → " + newPath
}
