package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/disk"
	"docket/engine/interchange"
	"docket/engine/measure"
	"docket/engine/newcase"
	"docket/engine/phrase"
	"docket/engine/projection"
	"docket/engine/provenance"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/source"
	"docket/engine/suite"
)

// AddOptions say what a new case is made of. One of Run, Outputs and Input must
// be given; Input goes before what the others say was asked.
type AddOptions struct {
	ID, Provenance string
	Run            string // a stored run, "last" for the last one that has a result of Case
	Outputs        string // a file of outputs, in any format that is read
	Case           string // the case of the run, or the id in the file; "" for ID
	Input          string // a file that holds the input
	Tags           []string
	Expect         bool // what was answered becomes the expectation
	DryRun         bool // nothing is written
	Now            time.Time
}

// A NewCase is the file of a case that was added.
type NewCase struct {
	Path      string // relative to the configuration
	Text      []byte
	Suggested map[string]any // the expectation that what was answered would meet
}

// CheckNewID refuses an id that is taken or cannot be one.
func (s *Suite) CheckNewID(id string) error {
	if err := suite.CheckID(id); err != nil {
		return err
	}
	if c, ok := s.Case(id); ok {
		return fmt.Errorf("the id %q is taken by %s", id, c.Path)
	}
	return nil
}

// CheckProvenance refuses a provenance that says nothing of the case of that
// id.
func (s *Suite) CheckProvenance(id, said string) error {
	if why := provenance.Boilerplate(&suite.Case{ID: id, Provenance: said}, s.Project.Config.Links); why != "" {
		return fmt.Errorf("the provenance %s: say why the case exists, such as an incident, a ticket or a commit", why)
	}
	return nil
}

// Add writes a new case. It overwrites nothing, and where the suite would not
// load with the new case, it writes nothing.
func (s *Suite) Add(ctx context.Context, o AddOptions) (*NewCase, error) {
	if err := errors.Join(s.CheckNewID(o.ID), s.CheckProvenance(o.ID, o.Provenance)); err != nil {
		return nil, err
	}
	d := &newcase.Draft{ID: o.ID, Added: o.Now.Format(time.DateOnly), Provenance: strings.TrimSpace(o.Provenance), Tags: o.Tags, Expect: o.Expect}
	var samples []run.Sample
	var err error
	switch {
	case o.Run != "" && o.Outputs != "":
		return nil, errors.New("a case comes from a run or from a file of outputs: name one of them")
	case o.Run != "":
		samples, err = s.fromRun(ctx, d, o)
	case o.Outputs != "":
		samples, err = s.fromFile(ctx, d, o)
	case o.Input == "":
		err = errors.New("nothing says what the case asks: name a file with --input or --output, or a stored run with --from-run")
	}
	if err != nil {
		return nil, err
	}
	if o.Input != "" {
		data, err := disk.ReadNamed(o.Input, suite.MaxInputBytes)
		if err != nil {
			return nil, err
		}
		if d.Input, err = newcase.Input(o.Input, data); err != nil {
			return nil, err
		}
	}
	if d.Input == nil {
		return nil, fmt.Errorf("%s does not say what was asked: name a file that does with --input", o.Outputs)
	}
	if d.Suggested, err = s.suggest(ctx, d, samples); err != nil {
		return nil, err
	}
	name, text, err := d.File()
	if err != nil {
		return nil, err
	}
	added := &NewCase{Path: path.Join(s.data.Dir, name), Text: text, Suggested: d.Suggested}
	if err := s.loads(added); err != nil || o.DryRun {
		return added, err
	}
	return added, s.create(added)
}

// fromRun takes the input of the case and its samples in a stored run.
func (s *Suite) fromRun(ctx context.Context, d *newcase.Draft, o AddOptions) ([]run.Sample, error) {
	if o.Case == "" {
		return nil, errors.New("--from-run needs the case whose output is meant: add --case ID")
	}
	c, ok := s.Case(o.Case)
	if !ok {
		return nil, fmt.Errorf("suite %s has no case %q%s", s.Name, o.Case, nearest(o.Case, s.ids()))
	}
	data, err := s.Project.Config.ReadFile(c.Path)
	if err != nil {
		return nil, err
	}
	if d.Input, err = newcase.Input(c.Path, data); err != nil {
		return nil, err
	}
	d.Family = c.Family
	entries, err := s.Project.resultsOf(ctx, s.Name, o.Case)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(entries, func(e results.Entry) bool {
		return e.Outcome == run.Measured && (e.Run == o.Run || o.Run == "last")
	})
	if at < 0 {
		return nil, fmt.Errorf("no stored output of case %q in run %q: `docket why %s` names the runs that have one", o.Case, o.Run, o.Case)
	}
	d.Origin = fmt.Sprintf("Asked as in case %s, answered by %s in run %s.", o.Case, entries[at].System, entries[at].Run)
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	samples, err := store.Samples(ctx, entries[at].Run, o.Case)
	return samples, errors.Join(err, store.Close())
}

func (s *Suite) ids() []string {
	ids := make([]string, len(s.data.Cases))
	for i, c := range s.data.Cases {
		ids[i] = c.ID
	}
	return ids
}

// fromFile takes the input and the samples of an id in a file of outputs.
func (s *Suite) fromFile(ctx context.Context, d *newcase.Draft, o AddOptions) ([]run.Sample, error) {
	f, err := disk.OpenNamed(o.Outputs, interchange.MaxFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := interchange.Read(ctx, o.Outputs, f)
	if err != nil {
		return nil, err
	}
	id := o.Case
	if id == "" {
		id = o.ID
	}
	var samples []run.Sample
	var ids []string
	found := false
	for _, row := range file.Rows {
		if !slices.Contains(ids, row.ID) {
			ids = append(ids, row.ID)
		}
		if row.ID != id {
			continue
		}
		found = true
		if d.Input == nil {
			d.Input = row.Input
		}
		samples = append(samples, run.Sample{Number: row.Sample, Error: row.Error, Output: row.Output})
	}
	if !found {
		return nil, fmt.Errorf("%s has no output of %q (it has %s): say which with --case", o.Outputs, id, phrase.Few(phrase.Quoted(ids), 5))
	}
	d.Origin = fmt.Sprintf("Answered in %s as %s.", filepath.Base(o.Outputs), id)
	return samples, nil
}

// suggest measures the samples and returns what they all agree on, as far as an
// expectation can say it.
func (s *Suite) suggest(ctx context.Context, d *newcase.Draft, samples []run.Sample) (map[string]any, error) {
	samples = slices.DeleteFunc(samples, func(sample run.Sample) bool { return sample.Error != "" })
	if len(samples) == 0 {
		return nil, nil
	}
	line, err := s.instrument.Case(ctx, &measure.Subject{ID: d.ID, Version: 1, Input: d.Input}, samples)
	if err != nil {
		return nil, err
	}
	return newcase.Suggest(line.Projections, s.Config.Labels), nil
}

// loads fails where the suite would have problems with a case that is to be
// written.
func (s *Suite) loads(c *NewCase) error {
	labels, _ := projection.Labels(s.Config.Labels, s.Config.Projections, s.Config.At) // their problems were those of Open
	compile := s.caseCompiler(labels)
	problems, err := s.data.Draft(path.Base(c.Path), c.Text, func(data *suite.Suite, c *suite.Case) source.Problems {
		_, problems := compile(data, c)
		return problems
	})
	if err == nil {
		err = problems.Err()
	}
	if err != nil {
		return fmt.Errorf("the case would not load, and was not added: %w", err)
	}
	return nil
}

// create writes the file of a case.
func (s *Suite) create(c *NewCase) error {
	full := filepath.Join(s.Project.Dir, filepath.FromSlash(c.Path))
	err := disk.CreateClean(s.Project.fsys, full, c.Text, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and nothing is overwritten: choose another id", c.Path)
	}
	return err
}
