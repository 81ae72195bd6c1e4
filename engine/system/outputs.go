package system

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"docket/engine/interchange"
	"docket/engine/output"
	"docket/engine/source"
)

// Outputs is a system that has already answered: its answers stand in a file.
type Outputs struct {
	file *interchange.File
	rows map[string][]*interchange.Row // by case, sorted by sample
}

type outputsFile struct {
	path string
	read interchange.Options
}

func compileOutputs(d *Declared, v source.Value, _ Env) (opener, source.Problems) {
	var problems source.Problems
	d.Mode = "live"
	if mode := v.Get("mode"); !mode.IsZero() {
		switch text, _ := mode.Text(); text {
		case "mock", "live":
			d.Mode = text
		default:
			problems = append(problems, mode.Problemf("mode says who answered in this file, mock or live, got %s", mode.Describe()))
		}
	}
	file := v.Get("file")
	path, ok := file.Text()
	switch {
	case file.IsZero():
		problems = append(problems, v.Problemf("a system of kind outputs needs a file, such as file: runs/candidate.jsonl"))
	case !ok || path == "":
		problems = append(problems, file.Problemf("file must name a file of outputs, got %s", file.Describe()))
	case !filepath.IsLocal(filepath.FromSlash(path)):
		problems = append(problems, file.Problemf("the file %q lies outside the folder of .docket.yaml; files named there stay inside it", path))
	}
	read := interchange.Options{}
	for _, choice := range []struct {
		key  string
		into *string
	}{{"id", &read.ID}, {"variant", &read.Variant}} {
		named := v.Get(choice.key)
		if named.IsZero() {
			continue
		}
		if *choice.into, ok = named.Text(); !ok || *choice.into == "" {
			problems = append(problems, named.Problemf("%s must be a name, got %s", choice.key, named.Describe()))
		}
	}
	return outputsFile{path, read}, problems
}

func (o outputsFile) open(ctx context.Context, name string, s Surroundings) (System, error) {
	file, err := openInside(s.Root, o.path)
	if err != nil {
		return nil, fmt.Errorf("system %q: %w", name, err)
	}
	defer file.Close()
	read, err := interchange.ReadWith(ctx, o.path, file, o.read)
	if err != nil {
		return nil, err
	}
	return NewOutputs(read), nil
}

// answered opens a file that was read already.
type answered struct{ outputs *Outputs }

func (a answered) open(context.Context, string, Surroundings) (System, error) {
	return a.outputs, nil
}

// Answered returns the declaration of the system that d declares, as far as it
// says who answers, with the answers that a file holds in the place of whoever
// gave them: nothing is asked, and nothing is reached.
func (d *Declared) Answered(file *interchange.File) *Declared {
	as := *d
	as.Kind, as.Needs, as.opener = "outputs", Needs{}, answered{NewOutputs(file)}
	if as.Mode == "" {
		as.Mode = "live"
	}
	return &as
}

// NewOutputs returns the system that answers from a file that was read.
func NewOutputs(file *interchange.File) *Outputs {
	o := &Outputs{file: file, rows: make(map[string][]*interchange.Row, file.Report.Cases)}
	for i := range file.Rows {
		row := &file.Rows[i]
		o.rows[row.ID] = append(o.rows[row.ID], row)
	}
	for _, rows := range o.rows {
		slices.SortFunc(rows, func(a, b *interchange.Row) int { return a.Sample - b.Sample })
	}
	return o
}

// File returns the file that the answers come from, with its report.
func (o *Outputs) File() *interchange.File { return o.file }

// Answer implements System. A case or a sample that the file lacks is an
// error, and so is a line that says that the system failed.
func (o *Outputs) Answer(_ context.Context, r Request) (output.Output, error) {
	rows := o.rows[r.ID]
	if len(rows) == 0 {
		return output.Output{}, fmt.Errorf("%s has no line for this case", o.file.Name)
	}
	i, ok := slices.BinarySearchFunc(rows, r.Sample, func(row *interchange.Row, n int) int { return row.Sample - n })
	if !ok {
		return output.Output{}, fmt.Errorf("%s has no sample %d of this case", o.file.Name, r.Sample)
	}
	if rows[i].Error != "" {
		return output.Output{}, fmt.Errorf("%s", rows[i].Error)
	}
	return rows[i].Output, nil
}

// Checks returns what the tool that made the file judged of an output; nil for
// nothing.
func (o *Outputs) Checks(id string, sample int) []interchange.Check {
	for _, row := range o.rows[id] {
		if row.Sample == sample {
			return row.Checks
		}
	}
	return nil
}

// Samples returns the numbers of the samples that the file has of a case, in
// their order.
func (o *Outputs) Samples(id string) []int {
	rows := o.rows[id]
	numbers := make([]int, len(rows))
	for i, row := range rows {
		numbers[i] = row.Sample
	}
	return numbers
}

// Unknown returns the ids that the file has and that are not among those
// given, sorted.
func (o *Outputs) Unknown(ids []string) []string {
	known := make(map[string]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	var unknown []string
	for _, id := range slices.Sorted(maps.Keys(o.rows)) {
		if !known[id] {
			unknown = append(unknown, id)
		}
	}
	return unknown
}
