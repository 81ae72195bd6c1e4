package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/diff"
	"docket/engine/interchange"
	"docket/engine/measure"
	"docket/engine/phrase"
	"docket/engine/projection"
	"docket/engine/run"
)

// maxFile bounds, in bytes, a file given on the command line that is held
// whole.
const maxFile = 4 << 30

// A Pair is two files that were read and compared, with no suite around them.
type Pair struct {
	Diff     *diff.Diff
	Old, New Side

	run      *run.Run
	comparer *projection.Set
	guess    projection.Guess
	inputs   map[string]map[string]any // by case, as far as the files say
	options  interchange.Options
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

// Files reads and compares two files: of outputs, of another tool's results,
// or two baselines; or a baseline that was made of outputs and the outputs of
// today. Cases pair by id alone.
func Files(ctx context.Context, oldPath, newPath string) (*Pair, error) {
	return FilesWith(ctx, oldPath, newPath, interchange.Options{})
}

// FilesWith is Files with a choice of the field that identifies cases and of
// the variant, for both files.
func FilesWith(ctx context.Context, oldPath, newPath string, o interchange.Options) (*Pair, error) {
	before, err := readSide(ctx, oldPath, o)
	if err != nil {
		return nil, err
	}
	after, err := readSide(ctx, newPath, o)
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
		Old: before.side, New: after.side, comparer: set, guess: guess, inputs: after.inputs, options: o,
		run: &run.Run{Config: after.side.header, Whole: true, Results: after.side.results},
	}
	p.Diff, err = p.compare(&baseline.File{Header: before.side.header, Lines: before.side.lines})
	return p, err
}

// compare lays the new file beside a baseline made of the old one.
func (p *Pair) compare(base *baseline.File) (*diff.Diff, error) {
	d, err := diff.Compare(base, p.run, diff.Options{Comparer: p.comparer, Tolerance: 1e-6, Today: time.Now()})
	if err != nil {
		return nil, err
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

// A file is one side while it is read.
type file struct {
	side   Side
	ids    []string // sorted
	inputs map[string]map[string]any
	hashes map[string]string // of inputs, that the other side knows by their hash alone
}

func readSide(ctx context.Context, path string, o interchange.Options) (*file, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", path, withoutPath(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s has %d MB; files of up to %d MB are read", path, info.Size()>>20, maxFile>>20)
	}
	if isBaseline(path) {
		f, err := readBaseline(path)
		if err == nil {
			f.side.changed = info.ModTime()
		}
		return f, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, withoutPath(err))
	}
	defer f.Close()
	read, err := interchange.ReadWith(ctx, path, f, o)
	if err != nil {
		return nil, err
	}
	out := &file{
		side:   Side{Path: path, Hash: optionsHash(read.Hash, o), Rows: len(read.Rows), Format: read.Format, Report: read.Report, changed: info.ModTime(), samples: map[string][]run.Sample{}},
		inputs: map[string]map[string]any{},
	}
	answered := map[string]bool{}
	for _, row := range read.Rows {
		out.side.samples[row.ID] = append(out.side.samples[row.ID], run.Sample{Number: row.Sample, Output: row.Output, Error: row.Error, Given: given(row.Checks)})
		if row.Input != nil {
			out.inputs[row.ID] = row.Input
		}
		if row.Output.Model != "" {
			answered[row.Output.Model] = true
		}
	}
	for id, samples := range out.side.samples {
		out.ids = append(out.ids, id)
		slices.SortFunc(samples, func(a, b run.Sample) int { return a.Number - b.Number })
	}
	slices.Sort(out.ids)
	for model := range answered {
		out.side.header.Answered = append(out.side.header.Answered, model)
	}
	slices.Sort(out.side.header.Answered)
	out.side.Cases = len(out.ids)
	return out, nil
}

// given are the checks of another tool as samples hold them.
func given(checks []interchange.Check) []run.Given {
	if len(checks) == 0 {
		return nil
	}
	all := make([]run.Given, len(checks))
	for i, c := range checks {
		all[i] = run.Given{Check: c.Name, Pass: c.Pass, Score: c.Score, Message: c.Message}
	}
	return all
}

func isBaseline(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := f.Read(head)
	head = bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.ReplaceAll(head, []byte(" "), nil), []byte(`{"_config"`))
}

func readBaseline(path string) (*file, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, withoutPath(err))
	}
	parsed, err := baseline.Parse(path, data)
	if err != nil {
		return nil, err
	}
	f := &file{side: Side{
		Path: path, Hash: canonical.HashBytes(data), Rows: len(parsed.Lines), Cases: len(parsed.Lines),
		Format: "baseline", lines: parsed.Lines, header: parsed.Header,
	}}
	for _, line := range parsed.Lines {
		f.side.results = append(f.side.results, run.Result{ID: line.ID, Outcome: run.Measured, Line: line.Bytes})
	}
	return f, nil
}

// shareInputs gives a case whose input only one file tells that input on both
// sides: what a file does not say is not an edit.
func shareInputs(a, b *file) {
	if a.inputs == nil || b.inputs == nil {
		return
	}
	for id, input := range a.inputs {
		if _, both := b.inputs[id]; !both {
			b.inputs[id] = input
		}
	}
	for id, input := range b.inputs {
		if _, both := a.inputs[id]; !both {
			a.inputs[id] = input
		}
	}
}

// withoutPath drops the path that the error of a file operation repeats.
func withoutPath(err error) error {
	if _, cause, found := strings.Cut(err.Error(), ": "); found {
		return fmt.Errorf("%s", cause)
	}
	return err
}

// Notes say what was read, for the lines above a report.
func (p *Pair) Notes() []string {
	notes := []string{
		fmt.Sprintf("old: %s, %s, %s", p.Old.Path, rows(&p.Old), p.Old.Format),
		fmt.Sprintf("new: %s, %s, %s", p.New.Path, rows(&p.New), p.New.Format),
	}
	notes = append(notes, readNotes("old", &p.Old)...)
	notes = append(notes, readNotes("new", &p.New)...)
	notes = append(notes, p.rules()...)
	if p.Old.Failed > 0 {
		notes = append(notes, phrase.Count(p.Old.Failed, "case", "cases")+" failed on the old side and "+phrase.Form(p.Old.Failed, "counts", "count")+" as new where the new side has an output")
	}
	if said := p.guess.String(); said != "" {
		notes = append(notes, "guessed from the outputs, since no suite says it: "+said)
	} else if p.Old.Format != "baseline" {
		notes = append(notes, "labels and numbers are compared where a suite says which they are, or where outputs in JSON show it; these do not")
	}
	return notes
}

func rows(s *Side) string {
	if s.Rows == s.Cases {
		return phrase.Count(s.Cases, "case", "cases")
	}
	return phrase.Count(s.Rows, "output", "outputs") + " of " + phrase.Count(s.Cases, "case", "cases")
}
