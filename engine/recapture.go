package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/run"
)

// Recapture takes samples of every case under the configuration as it is now,
// and keeps the run as a proposal to take the whole baseline's place, header
// included. It writes nothing: the proposal is reviewed like any run, and
// Review.Write writes it once every change is decided. The reason is recorded
// with the header.
func (s *Suite) Recapture(ctx context.Context, o RunOptions, reason string) (*Calibration, error) {
	base, err := s.Baseline()
	switch {
	case errors.Is(err, ErrNoBaseline):
		return nil, fmt.Errorf("there is no baseline to capture anew: `%s` writes the first one", s.Command("calibrate"))
	case err != nil:
		return nil, err
	case strings.TrimSpace(reason) == "":
		return nil, errors.New("a recapture needs a reason")
	case len(o.Cases)+len(o.Tags) > 0:
		return nil, errors.New("a recapture is of the whole suite: leave out what chooses cases")
	}
	o.purpose, o.remark = run.Recapture, strings.TrimSpace(reason)
	c := &Calibration{System: s.System.Name, Existing: true, Path: s.BaselinePath()}
	c.Receipt.File = base
	if err := s.take(ctx, c, o); err != nil {
		return nil, err
	}
	_, err = s.gather(c)
	return c, err
}

// proposes reports whether a run proposes to take the whole baseline's place,
// and has not done so yet.
func (s *Suite) proposes(r *run.Run, base *baseline.File) bool {
	if r.Purpose != run.Recapture && r.Purpose != run.Rescore {
		return false
	}
	header := s.recaptured(r)
	if header.Captured != base.Header.Captured || len(diff.Differences(base.Header, header)) > 0 {
		return true
	}
	return !s.recorded(r)
}

// pending is proposes for the baseline on disk; false where there is none.
func (s *Suite) pending(r *run.Run) bool {
	base, err := s.Baseline()
	return err == nil && s.proposes(r, base)
}

// recorded reports whether decisions on a run were written. Those on a
// recapture are written whole.
func (s *Suite) recorded(r *run.Run) bool {
	found, err := filepath.Glob(filepath.Join(decision.Folder(s.Project.Dir, s.Name), r.ID+"-*.jsonl"))
	return err == nil && len(found) > 0
}

// recaptured is the header that a run gives the baseline.
func (s *Suite) recaptured(r *run.Run) baseline.Header {
	if r.Purpose == run.Rescore {
		return r.Config // nothing was captured, so that it is as old as before
	}
	h, day := r.Config, r.Started.UTC()
	h.Captured, h.Expires = day.Format(time.DateOnly), s.Config.Expires.From(day)
	return h
}

// Unready says, for a review of a recapture, what keeps it from being written:
// cases without a decision, cases that could not be measured. It is nil for any
// other review.
func (v *Review) Unready() error {
	if v.Diff.Recapture == "" {
		return nil
	}
	var failed, undecided []string
	for i := range v.Diff.Cases {
		switch c := &v.Diff.Cases[i]; {
		case c.Status == diff.Error || c.Status == diff.Missed:
			failed = append(failed, c.ID)
		case c.Status.Decidable() && !v.decided(c):
			undecided = append(undecided, c.ID)
		}
	}
	whole := "a recapture is written whole or not at all"
	if v.Diff.Rescored {
		whole = "a baseline that is judged again is written whole or not at all"
	}
	switch {
	case len(failed) > 0:
		return fmt.Errorf("%s, and %s failed in run %s (%s): mend what made them fail and capture again", whole, phrase.Count(len(failed), "case", "cases"), v.Run.ID, phrase.Few(phrase.Quoted(failed), 5))
	case !v.Run.Whole:
		return fmt.Errorf("%s, and run %s did not reach every case: capture again", whole, v.Run.ID)
	case len(undecided) > 0:
		return fmt.Errorf("%s, and %s undecided (%s): decide them first", whole, phrase.Count(len(undecided), "case is", "cases are"), phrase.Few(phrase.Quoted(undecided), 5))
	}
	return nil
}

// decided reports whether a verdict stands on every change of a case.
func (v *Review) decided(c *diff.Case) bool {
	stands := v.Of(c.ID)
	if stands.Whole != nil {
		return true
	}
	for _, change := range Changes(c) {
		if stands.Parts[change.Part()] == nil {
			return false
		}
	}
	return len(c.Changes) > 0
}

// whole is what a recapture writes besides the decided lines; nil for any other
// review.
func (v *Review) whole(items []decision.Item) (*decision.Whole, error) {
	if v.Diff.Recapture == "" {
		return nil, nil
	}
	if err := v.Unready(); err != nil {
		return nil, err
	}
	header := v.Suite.recaptured(v.Run)
	w := &decision.Whole{Base: v.Base, Lines: map[string][]byte{}}
	w.Decision = decision.Decision{
		At: v.Run.Finished.UTC(), By: v.by, Mode: v.home.mode, Case: decision.Everything, Verdict: decision.Recapture, Status: "recapture",
		Samples: decision.Samples(v.Base.Header.Samples, header.Samples), Reason: v.Diff.Recapture,
		Header: baseline.AppendHeader(nil, &header),
	}
	w.Decision.Seen = decision.Seen(v.Base.HeaderBytes, w.Decision.Header)
	for _, g := range slices.Concat(v.Diff.Grounds, v.Diff.Named) {
		w.Decision.Changes = append(w.Decision.Changes, decision.Change{Kind: "config", Of: g.Field, Old: g.Old, New: g.New, Tags: []string{}})
	}
	for i := range v.Run.Results {
		r := &v.Run.Results[i]
		at, ok := v.Base.Find(r.ID)
		if _, listed := v.cases[r.ID]; listed || !ok {
			continue
		}
		same, err := diff.One(v.Base.Lines[at].Bytes, r.Line, v.Suite.terms())
		if err != nil {
			return nil, err
		}
		w.Lines[r.ID] = same.NewLine
	}
	return w, v.keep(w, items)
}

// keep gives rejected cases their old line, which says when it was captured now
// that the header is younger.
func (v *Review) keep(w *decision.Whole, items []decision.Item) error {
	for _, item := range items {
		id := item.Decision.Case
		at, ok := v.Base.Find(id)
		if item.Decision.Verdict != decision.Reject || !ok {
			continue
		}
		line, err := v.Base.Line(at)
		if err != nil {
			return err
		}
		if line.Captured == "" && v.Run.Purpose != run.Rescore {
			line.Captured = v.Base.Header.Captured
		}
		w.Lines[id] = baseline.AppendLine(nil, &line)
	}
	return nil
}
