package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/output"
	"docket/engine/phrase"
	"docket/engine/projection"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/stats"
)

// An Agreement says on what the stability of one projection of one case rests:
// in how many of the samples that were ever taken of this configuration it had
// the baseline's value.
type Agreement struct {
	Agree, Of int
	Runs      int  // runs in the results store that the samples come from
	Elsewhere bool // the baseline's own samples are counted, and are not in the store
}

// String is the sentence that stands wherever a value is called stable, with
// its source: "12/12 agree, flips up to 22% possible, over 3 runs".
func (a Agreement) String() string {
	said := stats.Evidence(a.Agree, a.Of)
	var from []string
	if a.Elsewhere {
		from = append(from, "the baseline")
	}
	if a.Runs > 0 {
		from = append(from, phrase.Count(a.Runs, "run", "runs"))
	}
	if len(from) == 0 {
		return said
	}
	return said + ", over " + strings.Join(from, " and ")
}

// Standing says how far the value can be trusted.
func (a Agreement) Standing() stats.Standing { return stats.StandingOf(a.Agree, a.Of) }

// Evidence pools, for each projection that the baseline's line of a case calls
// stable, the samples of all stored runs of the configuration that the line was
// measured under, with the same input and expectation. Each sample is measured
// anew with today's projections. It is for people: only calibrate and decisions
// write to a baseline.
//
// Answers that stand in a file are counted once, however often they were read.
// Where this machine has not got the baseline's own samples, the line's word
// for them is taken. A case without a line has no evidence.
func (s *Suite) Evidence(ctx context.Context, id string) (map[string]Agreement, error) {
	base, err := s.Baseline()
	if err != nil {
		return nil, err
	}
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return s.pooled(ctx, store, base, id)
}

func (s *Suite) pooled(ctx context.Context, store *results.Store, base *baseline.File, id string) (map[string]Agreement, error) {
	at, ok := base.Find(id)
	if !ok {
		return nil, nil
	}
	line, err := base.Line(at)
	if err != nil {
		return nil, err
	}
	found := map[string]Agreement{}
	for name := range line.Projections {
		found[name] = Agreement{}
	}
	history, err := store.History(ctx, s.Name, id)
	if err != nil {
		return nil, err
	}
	p := pool{suite: s, line: &line, config: base.Header, found: found, seen: map[string]bool{}}
	own := p.origin(history)
	if own == nil {
		p.elsewhere()
	} else {
		p.config = own.Config // an accepted line was measured under that of its run
	}
	for i := range history {
		if !p.same(&history[i]) {
			continue
		}
		samples, err := store.Samples(ctx, history[i].Run, id)
		if err != nil {
			return nil, err
		}
		p.add(samples, history[i].System)
	}
	return found, nil
}

// A pool gathers the agreement of one case.
type pool struct {
	suite  *Suite
	line   *baseline.Line
	config baseline.Header
	found  map[string]Agreement
	seen   map[string]bool // answers from files, which are counted once
}

// origin returns the result that the line was measured in: one of the baseline's
// own configuration, or else the first that gave the same answers. It is nil
// where the store has none.
func (p *pool) origin(history []results.Entry) (found *results.Entry) {
	for i := range history { // the newest first
		e := &history[i]
		line, err := baseline.ParseLine(e.Line)
		if err != nil || e.Mode != p.suite.Mode || line.Outputs == "" || line.Outputs != p.line.Outputs {
			continue
		}
		found = e
		if len(diff.Differences(p.config, e.Config)) == 0 {
			return found
		}
	}
	return found
}

// elsewhere counts the samples that the line stands on.
func (p *pool) elsewhere() {
	for name := range p.found {
		p.found[name] = Agreement{Agree: p.line.Samples, Of: p.line.Samples, Elsewhere: true}
	}
}

// same reports whether a result is of the line's configuration and case.
func (p *pool) same(e *results.Entry) bool {
	if e.Outcome != run.Measured || e.Mode != p.suite.Mode {
		return false
	}
	for _, g := range diff.Differences(p.config, e.Config) {
		if g.Field != "ruler" { // every sample is measured with the ruler of today
			return false
		}
	}
	line, err := baseline.ParseLine(e.Line)
	return err == nil && line.Input == p.line.Input && line.Expect == p.line.Expect
}

// add counts the samples of one run.
func (p *pool) add(samples []run.Sample, system string) {
	c, ok := p.suite.Case(p.line.ID)
	if !ok || c.InputHash != p.line.Input {
		return
	}
	stands := p.suite.stands(system)
	set := p.suite.instrument.Projections
	prepared := set.Prepare(c.Input)
	counted := false
	for _, sample := range succeeded(samples) {
		if key := run.OutputsHash([]run.Sample{sample}); stands {
			if p.seen[key] {
				continue
			}
			p.seen[key] = true
		}
		counted = true
		document, has := output.Document(sample.Output.Text)
		values := set.Project(&projection.Subject{Input: c.Input, Output: &sample.Output, Document: document, HasDocument: has, Prepared: prepared})
		for name, a := range p.found {
			a.Of++
			if value, applies := values[name]; applies && p.agrees(name, value) {
				a.Agree++
			}
			p.found[name] = a
		}
	}
	if !counted {
		return
	}
	for name, a := range p.found {
		a.Runs++
		p.found[name] = a
	}
}

// agrees reports whether one sample has what the line holds of a projection.
func (p *pool) agrees(name string, value any) bool {
	one := projection.Measured{Stable: value, HasStable: true, Samples: 1}
	for _, d := range p.suite.instrument.Projections.Compare(name, diff.Measured(p.line, name), one) {
		if d.Kind != projection.Noise {
			return false
		}
	}
	return true
}

// stands reports whether the answers of a system stand somewhere, so that
// reading them again is no further sample. A system that is no longer
// configured is taken for one of that kind.
func (s *Suite) stands(name string) bool {
	declared, problems, err := s.Project.system(s.Config, name)
	return err != nil || len(problems) > 0 || declared.Kind == "outputs" || declared.Kind == "canned"
}

// mostPooled is how many cases of a report have their evidence pooled. Each
// takes a question or more to the results store.
const mostPooled = 200

// Grounded returns what says, of a case of a diff, on what its old side rests:
// one sentence for the changed projections that share it. In a long diff the
// baseline's own samples are counted alone.
func (s *Suite) Grounded(ctx context.Context, d *diff.Diff, base *baseline.File) (say func(c *diff.Case) []string, closing func() error, err error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, nil, err
	}
	return func(c *diff.Case) []string {
		var found map[string]Agreement
		if len(d.Cases) <= mostPooled {
			found, _ = s.pooled(ctx, store, base, c.ID) // a damaged store is told by what follows it
		}
		return grounded(c, found)
	}, store.Close, nil
}

func grounded(c *diff.Case, found map[string]Agreement) []string {
	bySentence := map[string][]string{}
	for _, change := range c.Changes {
		if change.Kind != diff.OfProjection {
			continue
		}
		a, ok := found[change.Of]
		if found == nil {
			a, ok = Agreement{Agree: c.OldSamples, Of: c.OldSamples, Elsewhere: true}, true
		}
		if said := a.String(); ok && !slices.Contains(bySentence[said], change.Of) {
			bySentence[said] = append(bySentence[said], change.Of)
		}
	}
	var lines []string
	for _, said := range slices.Sorted(maps.Keys(bySentence)) {
		lines = append(lines, fmt.Sprintf("old %s: %s", strings.Join(bySentence[said], ", "), said))
	}
	return lines
}
