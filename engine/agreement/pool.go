package agreement

import (
	"context"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/suite"
)

// A Pool counts the samples behind the values of a suite's baseline.
type Pool struct {
	Suite, Mode string
	Store       *results.Store
	Base        *baseline.File
	Projections *projection.Set // with which stored outputs are measured again
	Case        func(id string) (*suite.Case, bool)
	// Stands reports whether the answers of a system stand somewhere, in a file
	// or in the cases, so that reading them again is no further sample.
	Stands func(system string) bool

	alike map[string]bool // of pairs of configurations, whether their samples count together
}

// Of pools, for each projection that the baseline's line of a case calls
// stable, the samples of all stored runs of the configuration that the line was
// measured under, with the same input and expectation. Each sample is measured
// anew with today's projections.
//
// Answers that stand in a file are counted once, however often they were read.
// Where this machine has not got the baseline's own samples, the line's word
// for them is taken. A case without a line has no evidence: nil.
//
// It may not be called from two goroutines at once.
func (p *Pool) Of(ctx context.Context, id string) (map[string]Agreement, error) {
	at, ok := p.Base.Find(id)
	if !ok {
		return nil, nil
	}
	line, err := p.Base.Line(at)
	if err != nil {
		return nil, err
	}
	history, err := p.Store.History(ctx, p.Suite, id)
	if err != nil {
		return nil, err
	}
	t := tally{pool: p, line: &line, config: p.Base.Header, found: claimed(&line), seen: map[string]bool{}}
	if own := t.origin(history); own != nil {
		t.config = own.Config // an accepted line was measured under that of its run
		for name := range t.found {
			t.found[name] = Agreement{} // its samples are counted with the others
		}
	}
	for i := range history {
		if !t.same(&history[i]) {
			continue
		}
		samples, err := p.Store.Samples(ctx, history[i].Run, id)
		if err != nil {
			return nil, err
		}
		t.add(samples, history[i].System)
	}
	return t.found, nil
}

// together reports whether samples of two configurations are samples of one
// thing. A ruler does not matter: every sample is measured with that of today.
func (p *Pool) together(a, b *baseline.Header) bool {
	key := string(baseline.AppendHeader(nil, a)) + string(baseline.AppendHeader(nil, b))
	alike, known := p.alike[key]
	if known {
		return alike
	}
	alike = true
	for _, g := range diff.Differences(*a, *b) {
		alike = alike && g.Field == "ruler"
	}
	if p.alike == nil {
		p.alike = map[string]bool{}
	}
	p.alike[key] = alike
	return alike
}

// A tally gathers the agreement of one case.
type tally struct {
	pool   *Pool
	line   *baseline.Line
	config baseline.Header
	found  map[string]Agreement
	seen   map[string]bool // answers that stand somewhere, which are counted once
}

// origin returns the result that the line was measured in: one of the baseline's
// own configuration, or else the first that gave the same answers. It is nil
// where the store has none.
func (t *tally) origin(history []results.Entry) (found *results.Entry) {
	for i := range history { // the newest first
		e := &history[i]
		line, err := baseline.ParseLine(e.Line)
		if err != nil || e.Mode != t.pool.Mode || line.Outputs == "" || line.Outputs != t.line.Outputs {
			continue
		}
		found = e
		if len(diff.Differences(t.config, e.Config)) == 0 {
			return found
		}
	}
	return found
}

// same reports whether a result is of the line's configuration and case.
func (t *tally) same(e *results.Entry) bool {
	if e.Outcome != run.Measured || e.Mode != t.pool.Mode || !t.pool.together(&t.config, &e.Config) {
		return false
	}
	line, err := baseline.ParseLine(e.Line)
	return err == nil && line.Input == t.line.Input && line.Expect == t.line.Expect
}

// add counts the samples of one run.
func (t *tally) add(samples []run.Sample, system string) {
	c, ok := t.pool.Case(t.line.ID)
	if !ok || c.InputHash != t.line.Input {
		return
	}
	stands := t.pool.Stands(system)
	set := t.pool.Projections
	prepared := set.Prepare(c.Input)
	counted := false
	for i := range samples {
		sample := &samples[i]
		if sample.Error != "" {
			continue
		}
		if stands {
			key := run.OutputsHash(samples[i : i+1])
			if t.seen[key] {
				continue
			}
			t.seen[key] = true
		}
		counted = true
		document, has := output.Document(sample.Output.Text)
		t.count(set.Project(&projection.Subject{Input: c.Input, Output: &sample.Output, Document: document, HasDocument: has, Prepared: prepared}))
	}
	if !counted {
		return
	}
	for name, a := range t.found {
		a.Runs++
		t.found[name] = a
	}
}

// count adds what one sample measured.
func (t *tally) count(values map[string]any) {
	for name, a := range t.found {
		a.Of++
		if value, applies := values[name]; applies && t.agrees(name, value) {
			a.Agree++
		}
		t.found[name] = a
	}
}

// agrees reports whether one sample has what the line holds of a projection.
func (t *tally) agrees(name string, value any) bool {
	one := projection.Measured{Stable: value, HasStable: true, Samples: 1}
	for _, d := range t.pool.Projections.Compare(name, diff.Measured(t.line, name), one) {
		if d.Kind != projection.Noise {
			return false
		}
	}
	return true
}
