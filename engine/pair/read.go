package pair

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/interchange"
	"docket/engine/run"
)

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
		out.side.samples[row.ID] = append(out.side.samples[row.ID], run.Sample{Number: row.Sample, Output: row.Output, Error: row.Error, Given: run.GivenBy(row.Checks)})
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
