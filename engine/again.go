package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/results"
	"docket/engine/run"
)

// A Repeat is what measuring one configuration a second time showed.
type Repeat struct {
	Alarms diff.Alarms
	Diff   *diff.Diff
	Report *RunReport
	// Rejected counts the cases that differ as they did when somebody rejected
	// them; they are known, and no false alarms.
	Rejected int
}

// Again measures the configuration that the baseline was captured under once
// more, as a run would, and counts the cases that docket lists although nothing
// changed: its own false alarms. The count is kept in the results store, and
// every later comparison with this baseline tells it. The run proposes nothing.
//
// The error says, in a sentence, where what is configured is not what the
// baseline was captured under, and where asking twice gives the same answers by
// nature.
func (s *Suite) Again(ctx context.Context, o RunOptions) (*Repeat, error) {
	base, err := s.Baseline()
	if err != nil {
		return nil, err
	}
	if err := s.gives(); err != nil {
		return nil, fmt.Errorf("nothing can be measured twice: %w", err)
	}
	if len(o.Cases)+len(o.Tags) > 0 {
		return nil, errors.New("false alarms are counted over the whole suite: leave out what chooses cases")
	}
	if fields := changedSince(base.Header, s.header()); len(fields) > 0 {
		return nil, fmt.Errorf("%s %s from what the baseline was captured under, so that this would not be the same configuration twice", strings.Join(fields, ", "), phrase.Form(len(fields), "differs", "differ"))
	}
	if o.Samples == 0 {
		o.Samples = 1
	}
	o.purpose = run.Again
	var found *Repeat
	o.finish = func(report *RunReport) error {
		found = &Repeat{Report: report}
		return s.count(ctx, found, base)
	}
	if _, err := s.Run(ctx, o); err != nil {
		return nil, err
	}
	return found, nil
}

// count counts the cases of a repeat that are listed, and writes the count into
// the run.
func (s *Suite) count(ctx context.Context, found *Repeat, base *baseline.File) error {
	r := found.Report.Run
	if r.Interrupted {
		return fmt.Errorf("interrupted, and no false alarm was counted: %w", context.Canceled)
	}
	d, err := diff.Compare(base, r, s.terms())
	if err != nil {
		return err
	}
	for _, g := range d.Grounds {
		if g.Field == "answered" {
			return fmt.Errorf("another model answered (%s), so that this was not the same configuration twice: `%s` shows what it changes", g, s.Command("diff"))
		}
	}
	found.Diff = d
	v, err := s.review(ctx, d, r, base)
	if err != nil {
		return err
	}
	for i := range d.Cases {
		c := &d.Cases[i]
		if !c.Status.Decidable() || c.Status == diff.New || c.Status == diff.Gone || c.Edited {
			continue
		}
		if _, known := v.Rejected(c); known {
			found.Rejected++
			continue
		}
		found.Alarms.Listed++
	}
	for i := range r.Results {
		if _, ok := base.Find(r.Results[i].ID); ok && r.Results[i].Outcome == run.Measured {
			found.Alarms.Of++
		}
	}
	if found.Alarms.Of == 0 {
		return ErrNothingMeasured
	}
	r.Remark = fmt.Sprintf("%d/%d", found.Alarms.Listed, found.Alarms.Of)
	return nil
}

// alarms returns what was found when the baseline's configuration was last
// measured twice; nil where it never was on this machine.
func (s *Suite) alarms(ctx context.Context, base *baseline.File) (*diff.Alarms, error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	runs, err := store.Runs(ctx, results.Filter{Suite: s.Name, Mode: s.Mode, Finished: true, Purpose: run.Again})
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		var a diff.Alarms
		if len(changedSince(base.Header, r.Config)) > 0 {
			continue
		}
		if n, err := fmt.Sscanf(r.Remark, "%d/%d", &a.Listed, &a.Of); err == nil && n == 2 {
			return &a, nil
		}
	}
	return nil, nil
}
