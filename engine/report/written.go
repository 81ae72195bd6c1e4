package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/decision"
	"docket/engine/safetext"
)

// Planned says what a write would do to the baseline at path: how many lines,
// then, for each projection and check, how many of its changes go in and how
// many do not, then what is stale.
func Planned(path string, p *decision.Plan) []string {
	lines := []string{fmt.Sprintf("would write %s: %s", safetext.Line(path), effects(p))}
	lines = append(lines, perName(p.Record)...)
	return append(lines, Stale(p.Stale)...)
}

// effects counts what becomes of lines.
func effects(p *decision.Plan) string {
	s := fmt.Sprintf("%d accepted", p.Accepted+p.Already)
	if p.Allowed > 0 {
		s += fmt.Sprintf(", %d allowed as well", p.Allowed)
	}
	if p.Retired > 0 {
		s += fmt.Sprintf(", %d removed", p.Retired)
	}
	if p.Rejected > 0 {
		s += fmt.Sprintf(", %d rejected keep their line", p.Rejected)
	}
	return s
}

// perName counts the decided changes by projection and check, those with the
// most first.
func perName(record []decision.Item) []string {
	type tally struct{ accepted, allowed, rejected int }
	tallies, width := map[string]*tally{}, 0
	for _, item := range record {
		seen := map[string]bool{}
		for _, c := range item.Decision.Changes {
			if seen[c.Of] {
				continue // several members of one projection
			}
			seen[c.Of] = true
			if tallies[c.Of] == nil {
				tallies[c.Of] = &tally{}
			}
			switch item.Decision.Verdict {
			case decision.Reject:
				tallies[c.Of].rejected++
			case decision.Allow:
				tallies[c.Of].allowed++
			default:
				tallies[c.Of].accepted++
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(tallies), func(a, b string) int {
		x, y := tallies[a], tallies[b]
		return cmp.Or(cmp.Compare(y.accepted+y.allowed+y.rejected, x.accepted+x.allowed+x.rejected), cmp.Compare(a, b))
	})
	for _, name := range names {
		width = max(width, min(len([]rune(name)), 24))
	}
	var lines []string
	for _, name := range names {
		t := tallies[name]
		var counts []string
		if t.accepted > 0 {
			counts = append(counts, fmt.Sprintf("%d accepted", t.accepted))
		}
		if t.allowed > 0 {
			counts = append(counts, fmt.Sprintf("%d allowed as well", t.allowed))
		}
		if t.rejected > 0 {
			counts = append(counts, fmt.Sprintf("%d rejected", t.rejected))
		}
		lines = append(lines, fmt.Sprintf("  %-*s  %s", width, safetext.Line(name), strings.Join(counts, ", ")))
	}
	return lines
}

// Wrote says what a write did, counted in the baseline as it was read back.
func Wrote(o *decision.Outcome) []string {
	lines := []string{
		fmt.Sprintf("wrote %s: %s; read back: %d lines, %d of them replaced or added, %d removed",
			safetext.Line(o.Baseline), effects(&o.Plan), len(o.Receipt.File.Lines), o.Receipt.Replaced+o.Receipt.Added, o.Receipt.Removed),
	}
	if o.File != "" {
		lines = append(lines, "recorded in "+safetext.Line(o.File))
	}
	return append(lines, Stale(o.Stale)...)
}

// Stale lists decisions that are not written, and why.
func Stale(stale []decision.Stale) []string {
	var lines []string
	for _, s := range stale {
		d := &s.Item.Decision
		lines = append(lines, fmt.Sprintf("  stale, not written: %s of %s, since %s", d.Verdict, safetext.Line(d.Case), safetext.Line(s.Why)))
	}
	return lines
}
