package diff

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/run"
	"docket/engine/stats"
)

// Options are the terms of a comparison.
type Options struct {
	Comparer  Comparer
	Tolerance float64            // how far a score may move and be the same
	Weights   map[string]float64 // by case id; a case that is not there weighs 1
	Families  map[string]string  // by case id, of cases that share a source
	Today     time.Time          // the day that decides whether the baseline expired
	// Gate reports whether a check of that name is one whose single failure
	// counts: personal data, a forbidden string, a schema. nil: none is.
	Gate func(check string) bool
	// Blind reports whether a check of a case does not compare since another judge
	// made it on the other side; nil: none is.
	Blind func(id, check string) bool
	// Rescored says that both sides judged the same answers, so that what is asked
	// otherwise is compared, too: that is what the comparison is after.
	Rescored bool
	// Measured returns the old line of a case as today's ruler measures it, from
	// outputs that are still there, and nil where they are not. It is asked for
	// cases that differ, from several goroutines; nil asks nobody. What is shown
	// is compared with its line; decisions are bound to the line that is written
	// in the baseline.
	Measured func(id string, line []byte) []byte
}

// blind reports whether a check of a case does not compare: another judge made
// it, or on one side none gave a verdict. Of the same answers judged again a
// verdict that is lost is a change.
func (o *Options) blind(name string, old, new *baseline.Line) bool {
	if o.Rescored {
		return false
	}
	_, before := old.Checks[name]
	_, after := new.Checks[name]
	if !before && old.Unscored[name] > 0 || !after && new.Unscored[name] > 0 {
		return true
	}
	return o.Blind != nil && o.Blind(new.ID, name)
}

// strict reports whether one failure of the check counts.
func (o *Options) strict(check string) bool { return o.Gate != nil && o.Gate(check) }

// Compare compares a baseline with a run. Cases pair by id alone. Lines that
// are the same bytes up to their measure are the same; only what differs is
// parsed. The error names the line that does not parse.
func Compare(old *baseline.File, r *run.Run, o Options) (*Diff, error) {
	d := &Diff{Suite: r.Config.Suite, Mode: r.Config.Mode, Run: r.ID, Old: old.Header, New: r.Config}
	oldest, expires, past := Expired(old, o.Today)
	d.Oldest = oldest
	var age *Ground
	if past {
		age = &Ground{"age", "captured " + told(oldest) + ", expired " + expires, o.Today.Format(time.DateOnly)}
	}
	config := r.Config
	if !r.Whole {
		// The hash covers the recordings that a run used; one that left out
		// cases used others, and says nothing of what became of them.
		config.Recordings = old.Header.Recordings
	}
	if !slices.ContainsFunc(r.Results, func(r run.Result) bool { return r.Outcome == run.Measured }) {
		// Nothing answered, so nobody knows who would have.
		config.Answered, config.Recordings = old.Header.Answered, old.Header.Recordings
	}
	d.Grounds, d.Named, d.Unknown = grounds(old.Header, config, age)
	d.outcomes = make([]stats.Outcome, 0, min(len(old.Lines), len(r.Results)))

	c := &comparison{options: o, diff: d, tally: newTally(), projections: newCounter(), checks: newCounter()}
	lines, results := old.Lines, r.Results
	for len(lines) > 0 || len(results) > 0 {
		order := -1
		switch {
		case len(lines) == 0:
			order = 1
		case len(results) > 0:
			order = strings.Compare(lines[0].ID, results[0].ID)
		}
		switch {
		case order < 0:
			c.gone(lines[0], r.Whole)
			lines = lines[1:]
		case order > 0:
			if err := c.unpaired(&results[0]); err != nil {
				return nil, err
			}
			results = results[1:]
		default:
			c.pair(lines[0], &results[0])
			lines, results = lines[1:], results[1:]
		}
	}
	if err := c.settle(); err != nil {
		return nil, err
	}
	if knowledgeAlone(old.Header, config) {
		d.tag(Knowledge)
	}
	if d.Rescored = r.Purpose == run.Rescore; d.Rescored {
		d.tag(Ruler)
	}
	c.projections.into(c.tally.projectionOf)
	c.checks.into(c.tally.checkOf)
	d.Summary = c.tally.close()
	d.Summary.Unscored = unscored(r)
	return d, nil
}

// unscored counts the cases of a run in which a judge gave no verdict on some
// sample. It looks for the key alone: in a string its quotes would be escaped.
func unscored(r *run.Run) int {
	key, n := []byte(`,"unscored":{`), 0
	for i := range r.Results {
		if r.Results[i].Outcome == run.Measured && bytes.Contains(r.Results[i].Line, key) {
			n++
		}
	}
	return n
}

type comparison struct {
	options             Options
	diff                *Diff
	tally               *tally
	projections, checks *counter
	glance              glance
	pending             []pending
}

func (c *comparison) weight(id string) float64 {
	if w, ok := c.options.Weights[id]; ok {
		return w
	}
	return 1
}

func (c *comparison) list(entry Case) {
	entry.Weight = c.weight(entry.ID)
	c.tally.status(entry.Status)
	if entry.Status.Listed() {
		c.diff.Cases = append(c.diff.Cases, entry)
	}
}

// gone books a line of the baseline that has no case any more. A run that was
// filtered or interrupted proposes no disappearance.
func (c *comparison) gone(line baseline.Raw, whole bool) {
	if !whole {
		c.tally.status(NotRun)
		return
	}
	entry := Case{ID: line.ID, Status: Gone, OldLine: line.Bytes}
	if parsed, err := baseline.ParseLine(line.Bytes); err == nil {
		entry.Version, entry.OldSamples = parsed.Version, parsed.Samples
	}
	c.list(entry)
}

// unpaired books a case of the run that has no line in the baseline.
func (c *comparison) unpaired(result *run.Result) error {
	if status, out := notMeasured(result.Outcome); out {
		c.list(Case{ID: result.ID, Status: status, Error: result.Error, Version: result.Version})
		return nil
	}
	parsed, err := baseline.ParseLine(result.Line)
	if err != nil {
		return fmt.Errorf("the run's line of case %q: %w", result.ID, err)
	}
	c.list(Case{
		ID: result.ID, Status: New, Version: parsed.Version,
		NewSamples: parsed.Samples, NewLine: result.Line,
	})
	return nil
}

func notMeasured(o run.Outcome) (Status, bool) {
	switch o {
	case run.Failed:
		return Error, true
	case run.Missed:
		return Missed, true
	case run.NotRun:
		return NotRun, true
	default:
		return "", false
	}
}

// pair books a case that both sides know. Lines that differ are put aside, to
// be judged together.
func (c *comparison) pair(line baseline.Raw, result *run.Result) {
	if status, out := notMeasured(result.Outcome); out {
		c.list(Case{ID: result.ID, Status: status, Error: result.Error, Version: result.Version, OldLine: line.Bytes})
		return
	}
	same := bytes.Equal(line.Bytes, result.Line) || bytes.Equal(baseline.Key(line.Bytes), baseline.Key(result.Line))
	if same && c.glance.look(line.Bytes) {
		c.same(line.ID)
		return
	}
	c.pending = append(c.pending, pending{line: line, result: result, at: len(c.diff.Cases)})
}

// same books a case whose two lines are the same bytes.
func (c *comparison) same(id string) {
	g := &c.glance
	if len(g.checks) == 0 && len(g.projections) == 0 {
		c.tally.status(Unmeasured)
		return
	}
	c.tally.status(Same)
	if g.hasPass {
		score := math.NaN()
		if g.hasScore {
			score = g.score
		}
		c.judged(id, g.pass, g.pass, score, score)
	}
	c.projections.add(g.projections)
	c.checks.add(g.checks)
}

// judged books a case that both sides judged.
func (c *comparison) judged(id string, oldPass, newPass bool, old, new float64) {
	o := stats.Outcome{OldPass: oldPass, NewPass: newPass, Old: old, New: new, Weight: c.weight(id), Family: c.options.Families[id]}
	c.diff.outcomes = append(c.diff.outcomes, o)
	c.tally.judged(o)
}
