package diff

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
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
}

// strict reports whether one failure of the check counts.
func (o *Options) strict(check string) bool { return o.Gate != nil && o.Gate(check) }

// Compare compares a baseline with a run. Cases pair by id alone. Lines that
// are the same bytes up to their measure are the same; only what differs is
// parsed. The error names the line that does not parse.
func Compare(old *baseline.File, r *run.Run, o Options) (*Diff, error) {
	d := &Diff{Suite: r.Config.Suite, Mode: r.Config.Mode, Run: r.ID, Old: old.Header, New: r.Config}
	d.Grounds, d.Named, d.Unknown = grounds(old.Header, r.Config, o.Today)

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
	c.projections.into(func(name string, n int) {
		m := c.tally.summary.Projections[name]
		m.Of += n
		c.tally.summary.Projections[name] = m
	})
	c.checks.into(func(name string, n int) {
		f := c.tally.summary.Checks[name]
		f.Of += n
		c.tally.summary.Checks[name] = f
	})
	d.Summary = c.tally.close()
	return d, nil
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
	if bytes.Equal(baseline.Key(line.Bytes), baseline.Key(result.Line)) && c.glance.look(line.Bytes) {
		c.same(line.ID)
		return
	}
	c.pending = append(c.pending, pending{line: line, result: result, at: len(c.diff.Cases)})
}

// A pending is a pair of lines that differ, with the place of its case in the
// list.
type pending struct {
	line   baseline.Raw
	result *run.Result
	at     int

	judgement
	proposed []byte
	old, new baseline.Line
	err      error
}

// settle judges what was put aside, on all processors, and books it in the
// order of the cases.
func (c *comparison) settle() error {
	const chunk = 256
	var workers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for part := range slices.Chunk(c.pending, chunk) {
		free <- struct{}{}
		workers.Go(func() {
			for i := range part {
				part[i].judge(&c.options)
			}
			<-free
		})
	}
	workers.Wait()

	listed := c.diff.Cases
	c.diff.Cases = make([]Case, 0, len(listed)+len(c.pending))
	for i := range c.pending {
		p := &c.pending[i]
		if p.err != nil {
			return p.err
		}
		before := 0
		if i > 0 {
			before = c.pending[i-1].at
		}
		c.diff.Cases = append(c.diff.Cases, listed[before:p.at]...)
		c.book(&p.old, &p.new, p.judgement)
		c.list(Case{
			ID: p.line.ID, Status: p.status, Edited: p.edited, Version: p.new.Version,
			Changes: p.changes, Apart: p.apart,
			OldSamples: p.old.Samples, NewSamples: p.new.Samples,
			OldLine: p.line.Bytes, NewLine: p.proposed,
		})
		p.old, p.new = baseline.Line{}, baseline.Line{} // the parsed lines are not needed any more
	}
	rest := 0
	if n := len(c.pending); n > 0 {
		rest = c.pending[n-1].at
	}
	c.diff.Cases = append(c.diff.Cases, listed[rest:]...)
	return nil
}

// judge parses both lines and compares them.
func (p *pending) judge(o *Options) {
	var err error
	if p.old, err = baseline.ParseLine(p.line.Bytes); err != nil {
		p.err = fmt.Errorf("the baseline's line of case %q: %w", p.line.ID, err)
		return
	}
	if p.new, err = baseline.ParseLine(p.result.Line); err != nil {
		p.err = fmt.Errorf("the run's line of case %q: %w", p.line.ID, err)
		return
	}
	p.judgement = judge(&p.old, &p.new, o)
	p.proposed = p.result.Line
	if carry(&p.old, &p.new, o.Comparer) {
		p.proposed = baseline.AppendLine(nil, &p.new)
	}
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

// book counts what was compared in a case whose lines were parsed.
func (c *comparison) book(old, new *baseline.Line, j judgement) {
	if old.Pass != nil && new.Pass != nil && !j.edited { // an edited case passes another exam
		c.judged(old.ID, majority(*old.Pass), majority(*new.Pass), known(old.Score), known(new.Score))
	}
	c.find(new.Samples, j)
	if old.Input == new.Input {
		for name := range old.Projections {
			if _, stable := new.Projections[name]; stable || len(new.Unstable[name]) > 0 {
				c.projections.one(name)
			}
		}
	}
	for name := range old.Checks {
		if _, both := new.Checks[name]; both && (old.Expect == new.Expect || old.Params[name] == new.Params[name]) {
			c.checks.one(name)
		}
	}
	c.tally.changes(j.changes)
}

// judged books a case that both sides judged.
func (c *comparison) judged(id string, oldPass, newPass bool, old, new float64) {
	o := stats.Outcome{OldPass: oldPass, NewPass: newPass, Old: old, New: new, Weight: c.weight(id), Family: c.options.Families[id]}
	c.diff.outcomes = append(c.diff.outcomes, o)
	c.tally.judged(o)
}

// find books what a single case has shown, which no test over the suite
// outweighs.
func (c *comparison) find(samples int, j judgement) {
	gate, settled := false, false
	for _, change := range j.changes {
		failed := change.Kind == OfCheck && (change.Effect == Lost || change.Effect == Unclear)
		gate = gate || failed && c.options.strict(change.Of)
		settled = settled || change.Effect != Unclear
	}
	if gate {
		c.diff.found.FailedGates++
	}
	if settled && samples >= enough {
		c.diff.found.Confirmed++
	}
}

// majority says whether a case counts as passing: most of its samples pass.
func majority(t baseline.Tally) bool { return 2*t.Passed > t.Of }

func known(score *float64) float64 {
	if score == nil {
		return math.NaN()
	}
	return *score
}

// A counter counts names. Lines of one suite mostly hold the same names in the
// same order, so the name expected at a place is tried first.
type counter struct {
	index    map[string]int
	counts   []int
	names    []string
	expected []int // indices, by place
}

func newCounter() *counter { return &counter{index: map[string]int{}} }

func (c *counter) one(name string) {
	c.counts[c.at([]byte(name))]++
}

func (c *counter) add(names [][]byte) {
	for place, name := range names {
		if place < len(c.expected) && string(name) == c.names[c.expected[place]] {
			c.counts[c.expected[place]]++
			continue
		}
		i := c.at(name)
		c.counts[i]++
		if place < len(c.expected) {
			c.expected[place] = i
		} else {
			c.expected = append(c.expected, i)
		}
	}
}

func (c *counter) at(name []byte) int {
	if i, ok := c.index[string(name)]; ok {
		return i
	}
	i := len(c.names)
	c.index[string(name)] = i
	c.names = append(c.names, string(name))
	c.counts = append(c.counts, 0)
	return i
}

// into hands over each name with its count. Names with escapes come as their
// JSON spelling says.
func (c *counter) into(book func(name string, n int)) {
	for i, name := range c.names {
		if n := c.counts[i]; n > 0 {
			book(unescape(name), n)
		}
	}
}
