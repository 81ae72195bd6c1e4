package report

import (
	"fmt"
	"strings"

	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// Title is the first line of every report and screen: the suite, what was
// real, which systems, how old the baseline is.
func Title(r *Report) string {
	d := r.Diff
	parts := []string{d.Suite}
	parts = append(parts, Answered(d.Mode, r.Sources, r.Now))
	if d.Old.System != "" || d.New.System != "" {
		parts = append(parts, systems(d))
	}
	if age := Age(d); age != "" {
		parts = append(parts, "baseline of "+age)
	}
	if d.Names("ruler") {
		parts = append(parts, "another ruler")
	}
	if d.Again != nil {
		parts = append(parts, d.Again.String())
	}
	for i := range parts {
		parts[i] = safetext.Line(parts[i])
	}
	return strings.Join(parts, " · ")
}

// Proposal says that a run proposes to take the whole baseline's place, and why;
// "" where it does not.
func Proposal(d *diff.Diff) string {
	switch {
	case d.Recapture == "":
		return ""
	case d.Rescored:
		return "the same answers judged again, to be written whole: " + d.Recapture
	default:
		return "a recapture is proposed, to be written whole: " + d.Recapture
	}
}

// Age says how old a baseline is: the day of its oldest line, which is mostly
// that of its header.
func Age(d *diff.Diff) string {
	switch {
	case d.Oldest == "" || d.Oldest == d.Old.Captured:
		return d.Old.Captured
	case d.Old.Captured == "":
		return d.Oldest
	default:
		return d.Old.Captured + ", oldest line of " + d.Oldest
	}
}

// Reality says what a mode stands for, so that nobody takes a simulated run
// for the model.
func Reality(mode string) string {
	switch mode {
	case "mock":
		return "mock: tests the pipeline, not the model"
	case "":
		return "two files"
	default:
		return "model " + mode
	}
}

func systems(d *diff.Diff) string {
	if d.Old.System == d.New.System {
		return d.New.System
	}
	return orUnknown(d.Old.System) + " → " + orUnknown(d.New.System)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// Headlines are the lines below the title: the grounds for a recapture, the
// counts per projection, the checks, passing and score, the statuses.
func Headlines(r *Report) []string {
	d := r.Diff
	var lines []string
	if d.Recapture != "" {
		lines = append(lines, safetext.Line(Proposal(d)))
	}
	if len(d.Grounds) > 0 {
		verb := "not comparable: "
		if r.Across {
			verb = "compared across what is not comparable: "
		}
		lines = append(lines, verb+joinGrounds(d.Grounds))
	}
	if untold := d.Untold(); len(untold) > 0 {
		lines = append(lines, "unknown on both sides: "+phrase.Series(untold, "and"))
	}
	if len(d.Named) > 0 {
		lines = append(lines, "differs too, and is no ground: "+namedFields(d.Named))
	}
	if d.Names("ruler") && d.Remeasured+d.AsCaptured > 0 {
		lines = append(lines, rejudged(d.Remeasured, d.AsCaptured))
	}
	if others := d.OtherJudges(); len(others) > 0 && !d.Rescored {
		lines = append(lines, safetext.Line("judged by another judge ("+phrase.Series(others, "and")+"), so that rubrics are not compared: docket rescore judges the baseline again"))
	}
	s := &d.Summary
	var counts, unchanged []string
	for _, name := range s.ProjectionNames() {
		m := s.Projections[name]
		switch {
		case m.Changed > 0:
			counts = append(counts, fmt.Sprintf("%s changed on %d of %d", name, m.Changed, m.Of))
		case m.Unsettled > 0:
			// Not of how many: values that were unstable before are among them.
			counts = append(counts, fmt.Sprintf("%s unsettled on %d", name, m.Unsettled))
		default:
			unchanged = append(unchanged, name)
		}
	}
	if len(unchanged) > 0 {
		counts = append(counts, phrase.Series(unchanged, "and")+" unchanged")
	}
	if len(counts) > 0 {
		lines = append(lines, safetext.Line(strings.Join(counts, ", ")))
	}
	if line := checksLine(s); line != "" {
		lines = append(lines, line)
	}
	if s.Checked > 0 {
		whole := d.Statistics()
		lines = append(lines, whole.Passing.String())
		if s.Unlisted > 0 {
			lines = append(lines, unlisted(s.Unlisted))
		}
		lines = append(lines, whole.Score.String())
	}
	if s.Unscored > 0 {
		lines = append(lines, unscored(s.Unscored))
	}
	lines = append(lines, Statuses(s))
	return lines
}

// rejudged says of how many lines that differ the old side was measured again by
// what judges today, and of how many it could not be.
func rejudged(again, captured int) string {
	const (
		measured = "was measured again from its outputs"
		stands   = "stands as it was captured, since its outputs are not on this machine"
	)
	lines := func(n int) string { return phrase.Count(n, "line that differs", "lines that differ") }
	switch {
	case captured == 0:
		return fmt.Sprintf("what judges changed: the old side of %s %s", lines(again), measured)
	case again == 0:
		return fmt.Sprintf("what judges changed: the old side of %s %s", lines(captured), stands)
	}
	return fmt.Sprintf("what judges changed: the old side of %s %s, of %d it %s", lines(again), measured, captured, stands)
}

// unlisted says how many of the flips that the line of passing counts are found
// in no list: their samples disagree on both sides, and the majority alone moved.
func unlisted(n int) string {
	return fmt.Sprintf("%d of the cases that flipped split before and now, and %s not listed", n, phrase.Form(n, "is", "are"))
}

// unscored says of how many cases a rubric stands without a verdict, which is in
// no count and no mean.
func unscored(n int) string {
	return phrase.Count(n, "case has", "cases have") + " a rubric without a verdict on some sample, which counts neither as passed nor as failed"
}

// checksLine names the checks that were lost most and counts the rest: where
// checks are named after their patterns, each case may have its own.
func checksLine(s *diff.Summary) string {
	const most = 8
	var checks []string
	names := s.CheckNames()
	for _, name := range names[:min(most, len(names))] {
		checks = append(checks, phrase.Clip(safetext.Line(name), mostShown)+" "+flips(s.Checks[name]))
	}
	if left := len(names) - len(checks); left > 0 {
		checks = append(checks, phrase.Count(left, "more check", "more checks"))
	}
	if len(checks) == 0 {
		return ""
	}
	return "checks: " + strings.Join(checks, ", ")
}

// Statuses counts the cases by status; the numbers add up to all cases.
func Statuses(s *diff.Summary) string {
	var parts []string
	for _, status := range diff.Statuses() {
		if n := s.Statuses[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(status), "_", " ")))
		}
	}
	cases := phrase.Count(s.Cases, "case", "cases")
	if len(parts) == 0 {
		return cases
	}
	return cases + ": " + strings.Join(parts, ", ")
}

// Undecided counts the cases that wait for a decision.
func Undecided(r *Report) int {
	n := 0
	for i := range r.Diff.Cases {
		c := &r.Diff.Cases[i]
		if _, decided := r.Decided[c.ID]; !decided && c.Status.Decidable() {
			n++
		}
	}
	return n
}

// rejectedBefore says of how many undecided changes a person said once that they
// are wrong: these wait for no look, but for the system to be mended.
func rejectedBefore(r *Report) string {
	if r.Past == nil {
		return ""
	}
	n := 0
	for i := range r.Diff.Cases {
		c := &r.Diff.Cases[i]
		if _, decided := r.Decided[c.ID]; decided || !c.Status.Decidable() {
			continue
		}
		if _, rejected := r.Past(c); rejected {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them rejected before", n)
}

func flips(f diff.Flips) string {
	var parts []string
	if f.Lost > 0 {
		parts = append(parts, fmt.Sprintf("lost on %d", f.Lost))
	}
	if f.Gained > 0 {
		parts = append(parts, fmt.Sprintf("gained on %d", f.Gained))
	}
	if f.Unsettled > 0 {
		parts = append(parts, fmt.Sprintf("unsettled on %d", f.Unsettled))
	}
	return fmt.Sprintf("%s of %d", strings.Join(parts, " and "), f.Of)
}

func joinGrounds(grounds []diff.Ground) string {
	parts := make([]string, len(grounds))
	for i, g := range grounds {
		parts[i] = phrase.Clip(safetext.Line(g.String()), mostShown)
	}
	return strings.Join(parts, "; ")
}

func namedFields(named []diff.Ground) string {
	parts := make([]string, len(named))
	for i, g := range named {
		parts[i] = g.Field
	}
	return strings.Join(parts, ", ")
}

// past is the past participle of a verdict: accepted, rejected, retired.
func past(verdict string) string {
	return strings.TrimSuffix(verdict, "e") + "ed"
}
