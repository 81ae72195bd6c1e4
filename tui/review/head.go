package review

import (
	"fmt"
	"strconv"
	"strings"

	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/report"
	"docket/engine/stats"
	"docket/tui"
	"docket/tui/style"
)

// makeHead makes the two lines at the top, which no decision changes.
func (s *Screen) makeHead() tui.Head {
	d := s.Diff
	h := tui.Head{
		Subject: s.subject(),
		Count:   fmt.Sprintf("%d of %d changed", d.Summary.Undecided(), d.Summary.Cases),
		Date:    report.Age(d),
	}
	if d.Old.Captured != "" && d.Oldest != "" && d.Oldest != d.Old.Captured {
		h.Date, h.Age = "oldest "+d.Oldest, "baseline of "+report.Age(d)
	}
	if d.Recapture != "" {
		h.Banner = report.Proposal(d)
	} else if len(d.Grounds) > 0 {
		grounds := make([]string, len(d.Grounds))
		for i, g := range d.Grounds {
			grounds[i] = g.String()
		}
		h.Banner = "not comparable: " + strings.Join(grounds, "; ")
		if s.Across {
			h.Banner = "compared across what is not comparable: " + strings.Join(grounds, "; ")
		}
	} else if others := d.OtherJudges(); len(others) > 0 {
		h.Banner = "judged by another judge (" + phrase.Series(others, "and") + "): rubrics are not compared; docket rescore judges the baseline again"
	}
	h.Summary = append(h.Summary, projections(&d.Summary, true)...)
	h.Summary = append(h.Summary, statuses(&d.Summary, func(s diff.Status) bool { return statusRole(s) == style.Bad || s == diff.Improved })...)
	if line := score(d); line != "" {
		h.Summary = append(h.Summary, style.Of(style.Plain, line))
	}
	if n := d.Summary.Unscored; n > 0 {
		h.Summary = append(h.Summary, style.Of(style.Plain, fmt.Sprintf("%d without a verdict", n)))
	}
	if d.Again != nil { // what of it all could be docket's own noise
		h.Summary = append(h.Summary, style.Of(style.Dim, d.Again.String()))
	}
	h.Summary = append(h.Summary, statuses(&d.Summary, func(s diff.Status) bool { return statusRole(s) != style.Bad && s != diff.Improved })...)
	h.Summary = append(h.Summary, projections(&d.Summary, false)...)
	return h
}

// projections counts the cases in which each projection changed: those that
// did, or those that did not and go first where there is no room.
func projections(sum *diff.Summary, changed bool) []style.Line {
	var lines []style.Line
	for _, name := range sum.ProjectionNames() {
		m := sum.Projections[name]
		if (m.Changed > 0) != changed {
			continue
		}
		line := style.Line{{Text: name + " ", Role: style.Dim}, {Text: strconv.Itoa(m.Changed), Role: style.Dim}}
		if changed {
			line = style.Line{{Text: name + " ", Role: style.Plain}, {Text: strconv.Itoa(m.Changed), Role: style.Strong}}
		}
		lines = append(lines, line)
	}
	return lines
}

// statuses counts the cases of the statuses that are wanted, in the order of
// reading. Over all statuses the counts add up to all cases.
func statuses(sum *diff.Summary, wanted func(diff.Status) bool) []style.Line {
	var lines []style.Line
	for _, status := range diff.InReadingOrder() {
		if n := sum.Statuses[status]; n > 0 && wanted(status) {
			lines = append(lines, style.Of(statusRole(status), fmt.Sprintf("%d %s", n, word(status))))
		}
	}
	return lines
}

// word spells a status as people do.
func word(status diff.Status) string { return strings.ReplaceAll(string(status), "_", " ") }

// statusRole is how a status looks; the word says what it is.
func statusRole(status diff.Status) style.Role {
	switch status {
	case diff.Regressed, diff.Error, diff.Missed:
		return style.Bad
	case diff.Improved:
		return style.Good
	case diff.Same, diff.Unmeasured, diff.NotRun:
		return style.Dim
	default:
		return style.Plain
	}
}

// score says how the suite's score moved, as far as that can be told from
// noise; "" where nothing was scored on both sides.
func score(d *diff.Diff) string {
	verdict := d.Statistics().Score
	switch {
	case verdict.Call == stats.Unmeasurable && d.Summary.Score.Known:
		return fmt.Sprintf("score %.3f → %.3f", d.Summary.Score.Old, d.Summary.Score.New)
	case verdict.Call == stats.Unmeasurable:
		return ""
	}
	// The whole sentence stands in the report; here is room for its beginning
	// and its call.
	line, _, _ := strings.Cut(verdict.String(), ", ")
	switch verdict.Call {
	case stats.WithinNoise:
		line += ", within noise"
	case stats.TooFew:
		line += ", too few to tell"
	case stats.Equal:
		line = "score equal"
	}
	return line
}
