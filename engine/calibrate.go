package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/engine/agreement"
	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/run"
)

// A Calibration is what calibrating a suite measured and wrote.
type Calibration struct {
	Run      *run.Run
	System   string           // that was measured, or of whose lines the baseline is
	Existing bool             // there was a baseline, and only missing cases were taken
	Skipped  int              // cases that had a line already
	Receipt  baseline.Receipt // what was read back
	Path     string           // of the baseline
	Unstable []Unstable       // what the samples disagreed on, the most common first
	Failed   []run.Result     // cases that could not be measured and got no line
	Unknown  []string         // ids in the outputs that the suite lacks
	Samples  int              // the most samples that a case has
	Modelled bool             // some output named its model
	// Repeated says that a live system gave each case the same answer every
	// time, to the byte: a seed, a cache or a temperature of 0, and no evidence
	// that anything is stable.
	Repeated bool
}

// An Unstable is a projection, or a check, that samples disagreed on.
type Unstable struct {
	Of     string
	Check  bool
	Cases  []Wobble
	Stable int // cases in which it held
}

// A Wobble is one case in which samples disagreed, with the values seen and
// how often.
type Wobble struct {
	ID     string
	Values map[string]int
	Of     int // samples
}

// ErrNothingMeasured says that no case could be measured.
var ErrNothingMeasured = errors.New("nothing was measured")

// Calibrate takes samples of each case that has no line in the baseline yet,
// keeps what all samples agree on, and writes the lines. Lines that are there
// stay byte for byte; where they were captured under a configuration that a run
// of the suite now is not comparable with, none is added, unless the options
// say across. The options' filters hold as for Run.
func (s *Suite) Calibrate(ctx context.Context, o RunOptions) (*Calibration, error) {
	if s.Records() {
		return nil, ErrRecorded
	}
	base, err := s.Baseline()
	if err != nil && !errors.Is(err, ErrNoBaseline) {
		return nil, err
	}
	c := &Calibration{Existing: base != nil, System: s.System.Name}
	if base != nil {
		if !s.named { // the header speaks for the lines that are missing, too
			if captured := s.under(base.Header.System); captured != nil {
				s, c.System = captured, captured.System.Name
			}
		}
		if o.Cases, c.Skipped, err = s.missing(base, o.Cases); err != nil || len(o.Cases) == 0 {
			c.Path, c.Receipt.File, c.System = s.BaselinePath(), base, base.Header.System
			return c, err
		}
		if was := base.Header.System; s.named && was != "" && was != s.System.Name && !o.Across {
			return nil, fmt.Errorf("the baseline is of system %s, and lines of %s would be taken for its own: leave out --system to measure %s, or add them all the same with --across", was, s.System.Name, was)
		}
		header := s.header()
		header.Answered, header.Recordings = base.Header.Answered, base.Header.Recordings // known afterwards
		if err := s.fits(base, &run.Run{Config: header}, o); err != nil {
			return nil, err
		}
	}
	if err := s.take(ctx, c, o); err != nil {
		return nil, err
	}
	lines, err := s.gather(c)
	if err != nil {
		return c, err
	}
	if base != nil {
		if err := s.fits(base, c.Run, o); err != nil {
			return nil, err
		}
	}
	return c, s.capture(c, base, lines)
}

// fits fails where the lines of a run do not belong into a baseline: one header
// speaks for all its lines.
func (s *Suite) fits(base *baseline.File, r *run.Run, o RunOptions) error {
	if o.Across {
		return nil
	}
	d, err := diff.Compare(base, r, s.terms())
	if err != nil {
		return err
	}
	if others := d.OtherJudges(); len(others) > 0 {
		return fmt.Errorf("the baseline was not judged by the judge of today (%s), so no line is added to it: judge it again first, with `%s --reason TEXT`", strings.Join(others, ", "), s.Command("rescore"))
	}
	if d.Comparable() {
		return nil
	}
	differ := make([]string, len(d.Grounds))
	for i, g := range d.Grounds {
		differ[i] = g.String()
	}
	return fmt.Errorf("the baseline and this configuration are not comparable (%s), so no line is added to it: propose a recapture with `%s --recapture --reason TEXT`, or add lines all the same with --across", strings.Join(differ, "; "), s.Command("calibrate"))
}

// take runs the suite for a calibration.
func (s *Suite) take(ctx context.Context, c *Calibration, o RunOptions) error {
	if o.Samples == 0 && s.System.Kind != "outputs" {
		o.Samples = s.Config.Samples
	}
	var alike agreement.Repetition
	o.observe = func(_ run.Planned, samples []run.Sample) { alike.Look(samples) }
	if o.purpose == run.Compared {
		o.purpose = run.Capture
	}
	report, err := s.Run(ctx, o)
	if err != nil {
		return err
	}
	c.Run, c.Unknown = report.Run, report.Unknown
	c.Samples = c.Run.Config.Samples
	c.Modelled = len(c.Run.Config.Answered) > 0
	c.Repeated = s.Mode == "live" && alike.All()
	if c.Run.Interrupted {
		return fmt.Errorf("interrupted, and no baseline was written; run %s keeps what has finished: %w", c.Run.ID, context.Canceled)
	}
	return nil
}

// gather returns the lines of the cases that were measured, and notes what is
// unstable in them and which cases failed.
func (s *Suite) gather(c *Calibration) (map[string][]byte, error) {
	lines := map[string][]byte{}
	var parsed []baseline.Line
	for _, r := range c.Run.Results {
		switch r.Outcome {
		case run.Measured:
			l, err := baseline.ParseLine(r.Line)
			if err != nil {
				return nil, fmt.Errorf("the line of case %q: %w", r.ID, err)
			}
			parsed = append(parsed, l)
			lines[r.ID] = r.Line
		case run.Failed, run.Missed:
			c.Failed = append(c.Failed, r)
		}
	}
	if len(lines) == 0 {
		return nil, ErrNothingMeasured
	}
	if err := s.Measures(c.Run); err != nil {
		return nil, err
	}
	c.Unstable = unstable(parsed)
	return lines, nil
}

// missing returns the ids of the cases that have no line, among those that
// were asked for.
func (s *Suite) missing(base *baseline.File, asked []string) (ids []string, skipped int, err error) {
	for _, id := range asked {
		if _, ok := s.Case(id); !ok {
			return nil, 0, s.noCase(id)
		}
	}
	for _, c := range s.data.Cases {
		if len(asked) > 0 && !slices.Contains(asked, c.ID) {
			continue
		}
		if _, ok := base.Find(c.ID); ok {
			skipped++
			continue
		}
		ids = append(ids, c.ID)
	}
	return ids, skipped, nil
}

// capture writes the lines: a first baseline with its header, or lines beside
// those that are there.
func (s *Suite) capture(c *Calibration, base *baseline.File, lines map[string][]byte) error {
	c.Path = s.BaselinePath()
	day := c.Run.Started.UTC()
	var err error
	if base == nil {
		header := c.Run.Config
		header.Captured, header.Expires = day.Format(time.DateOnly), s.Config.Expires.From(day)
		c.Receipt, err = baseline.Create(s.Project.fsys, s.Project.Dir, &header, lines)
		return err
	}
	if captured := day.Format(time.DateOnly); captured != base.Header.Captured {
		for id, line := range lines {
			l, err := baseline.ParseLine(line)
			if err != nil {
				return err
			}
			l.Captured = captured
			lines[id] = baseline.AppendLine(nil, &l)
		}
	}
	c.Receipt, err = base.Write(s.Project.fsys, baseline.Edit{Replace: lines})
	return err
}

// unstable gathers what the samples disagreed on, by projection and check.
func unstable(lines []baseline.Line) []Unstable {
	type key struct {
		of    string
		check bool
	}
	found := map[key]*Unstable{}
	at := func(k key) *Unstable {
		if found[k] == nil {
			found[k] = &Unstable{Of: k.of, Check: k.check}
		}
		return found[k]
	}
	for i := range lines {
		l := &lines[i]
		for name, values := range l.Unstable {
			u := at(key{name, false})
			u.Cases = append(u.Cases, Wobble{l.ID, values, l.Samples})
		}
		for name := range l.Projections {
			if len(l.Unstable[name]) == 0 {
				at(key{name, false}).Stable++
			}
		}
		for name, c := range l.Checks {
			u := at(key{name, true})
			if c.All() || c.None() {
				u.Stable++
				continue
			}
			u.Cases = append(u.Cases, Wobble{l.ID, map[string]int{"pass": c.Passed, "fail": c.Of - c.Passed}, c.Of})
		}
	}
	all := make([]Unstable, 0, len(found))
	for _, u := range found {
		if len(u.Cases) > 0 {
			slices.SortFunc(u.Cases, func(a, b Wobble) int { return strings.Compare(a.ID, b.ID) })
			all = append(all, *u)
		}
	}
	slices.SortFunc(all, func(a, b Unstable) int {
		if n := len(b.Cases) - len(a.Cases); n != 0 {
			return n
		}
		return strings.Compare(a.Of, b.Of)
	})
	return all
}

// Spelled writes the values of a wobble with how often each was seen, the most
// frequent first: "overdue 3, paid 2 of 5". The values are untrusted text.
func (w Wobble) Spelled() string { return diff.SpellCounts(w.Values, w.Of) }
