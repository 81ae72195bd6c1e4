package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/provider"
	"docket/engine/results"
	"docket/engine/run"
)

// confirmations is how many more samples a live run takes of a case that
// differs, where nobody says otherwise. A difference that one sample in twenty
// shows by chance is then called a change once in 8,000.
const confirmations = 2

// Confirms returns how many samples a run with these options takes to confirm
// a difference, where the options do not say: two where the mode is live and
// one sample of each case is taken, else none. What can give no further sample
// gives none.
func (s *Suite) Confirms(o RunOptions) int {
	if s.Mode == "live" && o.Samples <= 1 {
		return confirmations
	}
	return 0
}

// ErrNoMore says that a system can give no further sample of a case.
var ErrNoMore = errors.New("no further samples")

// gives fails with ErrNoMore, in a sentence, where the suite's system cannot
// give samples beyond those it has given.
func (s *Suite) gives() error {
	switch s.System.Kind {
	case "canned":
		return fmt.Errorf("%w: system %s answers with what each case wrote under mock, and would say the same again", ErrNoMore, s.System.Name)
	case "outputs":
		return fmt.Errorf("%w: the answers of system %s stand in a file; put more of them into it, and run again", ErrNoMore, s.System.Name)
	}
	if s.answers.models == provider.Replay {
		return fmt.Errorf("%w: system %s is replayed and has the samples that were recorded; record more of them, or ask with --mode live", ErrNoMore, s.System.Name)
	}
	return nil
}

// WhyUnconfirmed says, for somebody who asked for confirmation, why there can be
// none; nothing where there can.
func (s *Suite) WhyUnconfirmed() []string {
	if err := s.gives(); err != nil {
		return []string{err.Error()}
	}
	return nil
}

// confirming decides which cases of a run are sampled again. It is asked from
// several goroutines.
type confirming struct {
	n     int
	base  *baseline.File
	terms diff.Options
	// afford reports whether so many further samples may be paid for; nil where
	// that is not limited.
	afford func(samples int) bool

	mu             sync.Mutex
	asked, refused []string
}

// confirming returns what decides, nil where nothing is to be confirmed: no
// samples, no baseline to differ from, or a system that would repeat itself.
func (s *Suite) confirming(ctx context.Context, n int, store *results.Store) (*confirming, error) {
	if n <= 0 || s.System.Kind == "canned" || s.answers.models == provider.Replay {
		return nil, nil
	}
	base, err := s.Baseline()
	switch {
	case errors.Is(err, ErrNoBaseline):
		return nil, nil
	case err != nil:
		return nil, err
	}
	c := &confirming{n: n, base: base, terms: s.terms()}
	c.terms.Blind = s.blind(base.Header.Judges, s.identities())
	if base.Header.Ruler != s.ruler() {
		c.terms.Measured = s.remeasure(ctx, store)
	}
	return c, nil
}

// more returns how many samples to add to a case with this line. A line that
// cannot be compared is left to the comparison, which says what is wrong.
func (c *confirming) more(p run.Planned, line []byte) int {
	at, ok := c.base.Find(p.Case.ID)
	if !ok {
		return 0
	}
	if differs, err := diff.Unconfirmed(c.base.Lines[at].Bytes, line, c.terms); err != nil || !differs {
		return 0
	}
	affordable := c.afford == nil || c.afford(c.n)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !affordable {
		c.refused = append(c.refused, p.Case.ID)
		return 0
	}
	c.asked = append(c.asked, p.Case.ID)
	return c.n
}

// ids returns the cases that were sampled again, and those that could not be
// paid for, both sorted.
func (c *confirming) ids() (asked, refused []string) {
	if c == nil {
		return nil, nil
	}
	slices.Sort(c.asked)
	slices.Sort(c.refused)
	return c.asked, c.refused
}

// observed is what measures, for somebody who looks at the samples, too.
func observed(measure run.Measure, look func(run.Planned, []run.Sample)) run.Measure {
	return func(ctx context.Context, p run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		look(p, samples)
		return measure(ctx, p, samples)
	}
}
