package diff

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"docket/engine/baseline"
	"docket/engine/run"
)

// A pending is a pair of lines that differ, with the place of its case in the
// list. Of the parsed lines it keeps what is booked and no more: where every
// line changed, all of them are in memory at once.
type pending struct {
	line   baseline.Raw
	result *run.Result
	at     int

	judgement
	id                     string
	version                int
	oldSamples, newSamples int
	both                   bool // both sides were judged, under the same terms
	oldPass, newPass       bool
	oldScore, newScore     float64
	proposed               []byte
	anew                   bool // the old side was measured again
	err                    error
}

// compared counts, for a part of the pending cases, in how many each projection
// and each check was compared.
type compared struct{ projections, checks map[string]int }

// settle judges what was put aside, on all processors, and books it in the
// order of the cases.
func (c *comparison) settle() error {
	const chunk = 256
	var workers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	parts := make([]compared, (len(c.pending)+chunk-1)/chunk)
	number := 0
	for part := range slices.Chunk(c.pending, chunk) {
		counts := &parts[number]
		number++
		free <- struct{}{}
		workers.Go(func() {
			*counts = compared{map[string]int{}, map[string]int{}}
			for i := range part {
				part[i].judge(&c.options, counts)
			}
			<-free
		})
	}
	workers.Wait()
	for _, counts := range parts {
		for name, n := range counts.projections {
			c.tally.projectionOf(name, n)
		}
		for name, n := range counts.checks {
			c.tally.checkOf(name, n)
		}
	}

	listed := c.diff.Cases
	c.diff.Cases = make([]Case, 0, len(listed)+len(c.pending))
	from := 0
	for i := range c.pending {
		p := &c.pending[i]
		if p.err != nil {
			return p.err
		}
		c.diff.Cases = append(c.diff.Cases, listed[from:p.at]...)
		from = p.at
		if p.anew {
			c.diff.Remeasured++
		} else {
			c.diff.AsCaptured++
		}
		if p.both {
			c.judged(p.line.ID, p.oldPass, p.newPass, p.oldScore, p.newScore)
			if p.oldPass != p.newPass && !p.status.Listed() {
				c.tally.summary.Unlisted++
			}
		}
		c.find(p)
		c.tally.changes(p.changes)
		c.list(p.entry())
	}
	c.diff.Cases = append(c.diff.Cases, listed[from:]...)
	return nil
}

// entry is the case as a diff lists it.
func (p *pending) entry() Case {
	return Case{
		ID: p.id, Status: p.status, Edited: p.edited, Version: p.version,
		Changes: p.changes, Apart: p.apart,
		OldSamples: p.oldSamples, NewSamples: p.newSamples,
		OldLine: p.line.Bytes, NewLine: p.proposed,
	}
}

// judge parses both lines and compares them.
func (p *pending) judge(o *Options, counts *compared) {
	before := p.line.Bytes
	if o.Measured != nil {
		if line := o.Measured(p.line.ID, before); line != nil {
			before, p.anew = line, true
		}
	}
	old, err := baseline.ParseLine(before)
	if err != nil {
		p.err = fmt.Errorf("the baseline's line of case %q: %w", p.line.ID, err)
		return
	}
	new, err := baseline.ParseLine(p.result.Line)
	if err != nil {
		p.err = fmt.Errorf("the run's line of case %q: %w", p.line.ID, err)
		return
	}
	p.judgement = judge(&old, &new, o)
	p.id, p.version, p.oldSamples, p.newSamples = new.ID, new.Version, old.Samples, new.Samples
	if old.Pass != nil && new.Pass != nil && (!p.edited || o.Rescored) && !p.blind { // an edited case passes another exam, and so does one with another judge
		p.both, p.oldPass, p.newPass = true, majority(*old.Pass), majority(*new.Pass)
		p.oldScore, p.newScore = known(old.Score), known(new.Score)
	}
	counts.add(&old, &new, p.changes, o)
	p.proposed = p.result.Line
	if carry(&old, &new, o.Comparer) {
		p.proposed = baseline.AppendLine(nil, &new)
	}
}

// add counts what two lines have in common, and the checks that only one of
// them has and that are a change for it.
func (c *compared) add(old, new *baseline.Line, changes []Change, o *Options) {
	if old.Input == new.Input {
		for name := range old.Projections {
			if _, stable := new.Projections[name]; stable || len(new.Unstable[name]) > 0 {
				c.projections[name]++
			}
		}
	}
	sameExpect := o.Rescored || old.Expect == new.Expect && len(Reasked(old.Params, new.Params)) == 0
	for name := range old.Checks {
		if _, both := new.Checks[name]; both && (sameExpect || old.Params[name] == new.Params[name]) && !o.blind(name, old, new) {
			c.checks[name]++
		}
	}
	for i := range changes {
		if change := &changes[i]; change.Kind == OfCheck && (change.Old == nil || change.New == nil) {
			c.checks[change.Of]++
		}
	}
}

// find books what a single case has shown, which no test over the suite
// outweighs.
func (c *comparison) find(p *pending) {
	gate, settled := false, false
	for _, change := range p.changes {
		failed := change.Kind == OfCheck && change.New != nil && (change.Effect == Lost || change.Effect == Unclear)
		gate = gate || failed && c.options.strict(change.Of)
		settled = settled || change.Effect != Unclear
	}
	if gate {
		c.diff.found.FailedGates++
	}
	if settled && p.newSamples >= enough {
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
