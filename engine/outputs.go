package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/pair"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/safetext"
	"docket/engine/source"
	"docket/engine/system"
)

// Outputs are the answers behind the two lines of a case, to be read by a
// person; nothing is compared by them. NoOld and NoNew say why a side has none
// and, where a command gets it, which one.
type Outputs struct {
	Old, New     []run.Sample
	NoOld, NoNew string
}

// oldProse keeps the systems whose files may hold the baseline's answers.
type oldProse struct {
	once  sync.Once
	files []*system.Outputs
}

// Outputs finds the answers of a case that the diff lists: those of the run in
// the results store, those of the baseline by the hash that its line names, in
// the store or in the file of outputs that it was captured from. It reads
// files and may take a while.
func (v *Review) Outputs(ctx context.Context, id string) (Outputs, error) {
	c, ok := v.cases[id]
	if !ok {
		return Outputs{}, v.unknown(id)
	}
	if v.Pair != nil {
		return v.Pair.outputs(id), nil
	}
	store, err := v.Suite.Project.Store(ctx)
	if err != nil {
		return Outputs{}, err
	}
	defer store.Close()
	return v.outputs(ctx, store, c)
}

// outputs is Outputs with a store that is open, where a suite is reviewed.
func (v *Review) outputs(ctx context.Context, store *results.Store, c *diff.Case) (o Outputs, err error) {
	if o.New, err = store.Samples(ctx, v.Run.ID, c.ID); err != nil {
		return o, err
	}
	switch {
	case len(o.New) > 0:
	case c.Status == diff.Gone:
		o.NoNew = "the case has no file any more, so nothing was asked"
	default:
		o.NoNew = fmt.Sprintf("the answers of run %s are not on this machine any more; `%s` asks again", v.Run.ID, v.Suite.Command("run"))
	}
	if c.OldLine == nil {
		o.NoOld = "the case is not in the baseline yet"
		return o, nil
	}
	o.Old, o.NoOld, err = v.old(ctx, store, c)
	return o, err
}

func (v *Review) old(ctx context.Context, store *results.Store, c *diff.Case) (samples []run.Sample, none string, err error) {
	line, err := baseline.ParseLine(c.OldLine)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("the baseline's line of case %q: %w", c.ID, err)
	case line.Outputs == "":
		return nil, "the baseline does not say which answers its line was measured on", nil
	}
	found, err := store.Outputs(ctx, line.Outputs)
	if err == nil && len(found.Samples) > 0 {
		return found.Samples, "", nil
	}
	if err != nil && !errors.Is(err, results.ErrNone) {
		return nil, "", err
	}
	v.prose.once.Do(func() { v.prose.files = v.Suite.answered(ctx, v.Base.Header.System) })
	for _, file := range v.prose.files {
		if samples := samplesIn(ctx, file, c.ID); run.OutputsHash(samples) == line.Outputs {
			return samples, "", nil
		}
	}
	get := fmt.Sprintf("`docket run %s%s` asks that system again", safetext.Word(v.Suite.Name), v.Suite.flags(v.Base.Header.System, v.Suite.Mode))
	if v.Base.Header.System == "" {
		get = "the results store of whoever captured the baseline has them"
	}
	return nil, "the old answers are not on this machine; " + get, nil
}

// answered opens the files of outputs that a line of the baseline may have been
// measured on: that of the system that the baseline names, and that of the
// suite's own system, whose lines were accepted since. What cannot be opened is
// left out.
func (s *Suite) answered(ctx context.Context, name string) []*system.Outputs {
	var files []*system.Outputs
	names := []string{name}
	if s.Config.System != name {
		names = append(names, s.Config.System)
	}
	for _, name := range names {
		declared, problems, err := s.Project.system(s.Config, name)
		if err != nil || len(problems) > 0 || declared.Kind != "outputs" {
			continue
		}
		opened, err := declared.Open(ctx, system.Surroundings{Dir: s.Project.Dir, Root: s.Project.root, Mock: func(string) source.Value { return source.Value{} }})
		if err != nil {
			continue
		}
		if file, ok := opened.(*system.Outputs); ok {
			files = append(files, file)
		}
	}
	return files
}

// samplesIn returns the samples that a file of outputs has of a case.
func samplesIn(ctx context.Context, file *system.Outputs, id string) []run.Sample {
	var samples []run.Sample
	for _, n := range file.Samples(id) {
		s := run.Sample{Number: n}
		o, err := file.Answer(ctx, system.Request{ID: id, Sample: n})
		if err != nil {
			s.Error = err.Error()
		} else {
			s.Output = o
		}
		samples = append(samples, s)
	}
	return samples
}

func (p *Pair) outputs(id string) Outputs {
	o := Outputs{Old: p.Old.Samples(id), New: p.New.Samples(id)}
	none := func(s *pair.Side) string {
		if !s.HasOutputs() {
			return "there are no answers in " + s.Path + ", which is a baseline"
		}
		return "there is no answer of this case in " + s.Path
	}
	if len(o.Old) == 0 {
		o.NoOld = none(&p.Old)
	}
	if len(o.New) == 0 {
		o.NoNew = none(&p.New)
	}
	return o
}

// Results returns every result of a case in the results store, the newest
// first; none where two files are reviewed.
func (v *Review) Results(ctx context.Context, id string) ([]results.Entry, error) {
	if v.Suite == nil {
		return nil, nil
	}
	store, err := v.Suite.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return store.History(ctx, v.Suite.Name, id)
}
