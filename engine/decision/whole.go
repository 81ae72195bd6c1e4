package decision

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"docket/engine/baseline"
)

// A Whole is what a recapture writes besides the decided lines: the new header,
// and the line that every other case gets. It is written whole or not at all.
type Whole struct {
	// Base is the baseline that was reviewed. Where the one on disk is another
	// by now nothing is written, unless it is what this recapture wrote itself.
	Base *baseline.File
	// Decision is that of the recapture: its case is Everything, and it carries
	// the new header. Its time must be the same however often it is made, so
	// that a write that a crash cut short is completed and not done twice.
	Decision Decision
	// Lines holds, by case, the lines of the cases that nothing was decided on,
	// and those of rejected ones.
	Lines map[string][]byte
}

// join adds the recapture to the plan of its decisions.
func (w *Whole) join(p *Plan, now *baseline.File) error {
	d := &w.Decision
	switch {
	case d.Verdict != Recapture || d.Case != Everything || len(d.Header) == 0:
		return errors.New("a recapture needs a decision on the whole baseline, with its header")
	case bytes.Equal(now.HeaderBytes, d.Header):
		// A crash came behind the write: what is left is to record it.
	default:
		if err := w.Base.Unchanged(now); err != nil {
			return err
		}
	}
	if err := d.check(); err != nil {
		return err
	}
	if len(p.Stale) > 0 {
		var ids []string
		for _, s := range p.Stale {
			ids = append(ids, fmt.Sprintf("%q", s.Item.Decision.Case))
		}
		return fmt.Errorf("a recapture is written whole or not at all, and the decisions on %s are stale: decide again", strings.Join(ids, ", "))
	}
	for id, line := range w.Lines {
		if _, decided := p.Edit.Replace[id]; !decided {
			p.Edit.Replace[id] = line
		}
	}
	p.Edit.Header = d.Header
	p.Record = append(p.Record, Item{Decision: *d})
	return nil
}
