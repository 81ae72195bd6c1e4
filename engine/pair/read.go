package pair

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/canonical"
	"docket/engine/disk"
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

func readSide(ctx context.Context, path string, o interchange.Options, scrub run.Scrubber) (*file, error) {
	f, err := disk.OpenNamed(path, interchange.MaxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, withoutPath(err))
	}
	if isBaseline(f) {
		f, err := readBaseline(path)
		if err == nil {
			f.side.changed = info.ModTime()
		}
		return f, err
	}
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
		sample := run.Sample{Number: row.Sample, Output: row.Output, Error: row.Error, Given: run.GivenBy(row.Checks)}
		if scrub != nil {
			scrub.Sample(&sample)
		}
		out.side.samples[row.ID] = append(out.side.samples[row.ID], sample)
		if row.Input != nil {
			out.inputs[row.ID] = row.Input
		}
		if sample.Output.Model != "" {
			answered[sample.Output.Model] = true
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

func isBaseline(f io.ReaderAt) bool {
	head := make([]byte, 64)
	n, _ := f.ReadAt(head, 0)
	head = bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.ReplaceAll(head, []byte(" "), nil), []byte(`{"_config"`))
}

func readBaseline(path string) (*file, error) {
	data, err := disk.ReadNamed(path, baseline.MaxSize)
	if err != nil {
		return nil, err
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
