package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/engine/disk"
	"docket/engine/interchange"
	"docket/engine/run"
	"docket/engine/safetext"
	"docket/engine/system"
)

// ImportOptions say what a file of results is taken for.
type ImportOptions struct {
	Suite  string // "" for the first
	System string // whose results they are; "" for the suite's own
	Read   interchange.Options
}

// An Import is a file of results beside the suite that it is to be a run of.
type Import struct {
	File  *interchange.File
	Suite *Suite
	// Unmatched are the ids that the file has and the suite lacks, Missing the
	// cases of the suite that the file has nothing of; both sorted.
	Unmatched, Missing []string
}

// ReadResults reads a file of outputs, or of another tool's results, whole.
func ReadResults(ctx context.Context, file string, o interchange.Options) (*interchange.File, error) {
	f, err := disk.OpenNamed(file, interchange.MaxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return interchange.ReadWith(ctx, file, f, o)
}

// Import reads a file of another tool's results and lays it beside a suite.
// Nothing is stored before Store. It is an error where no case of the suite is
// in the file, and where the suite's checks would start a program or ask a
// judge: that takes a run.
func (p *Project) Import(ctx context.Context, file string, o ImportOptions) (*Import, error) {
	read, err := ReadResults(ctx, file, o.Read)
	if err != nil {
		return nil, err
	}
	s, err := p.openWith(o.Suite, o.System, "", func(d *system.Declared) *system.Declared { return d.Answered(read) })
	if err != nil {
		return nil, err
	}
	if s.commands || s.asksJudge() {
		return nil, fmt.Errorf("suite %s has checks that start a program or ask a judge, which an import does not: declare %s as a system of kind outputs, and `docket run %s --system` that one", s.Name, safetext.Line(file), safetext.Word(s.Name))
	}
	i := &Import{File: read, Suite: s}
	sys, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	i.Unmatched = s.unknownIn(sys)
	has := map[string]bool{}
	for r := range read.Rows {
		has[read.Rows[r].ID] = true
	}
	for _, id := range s.ids() {
		if !has[id] {
			i.Missing = append(i.Missing, id)
		}
	}
	slices.Sort(i.Missing)
	if len(i.Missing) == len(s.planned) {
		return i, errNoneMatches
	}
	return i, nil
}

var errNoneMatches = errors.New("no id in the file is that of a case: choose the field that tells cases apart with --id, or write cases with --cases DIR")

// Store judges what was read and keeps it as a run of the suite, which
// comparisons and reviews are about from then on.
func (i *Import) Store(ctx context.Context, progress func(done, total int)) (*run.Run, error) {
	report, err := i.Suite.Run(ctx, RunOptions{
		Progress: progress, purpose: run.Imported,
		remark: i.File.Format + ", " + i.File.Name + ", " + i.File.Hash,
	})
	if err != nil {
		return nil, err
	}
	return report.Run, nil
}
