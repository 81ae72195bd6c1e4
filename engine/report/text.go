package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

func writeText(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	p := painter(r.Color)
	d := r.Diff
	fmt.Fprintln(w, p.strong(Title(r)))
	for _, line := range Headlines(r) {
		fmt.Fprintln(w, line)
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, safetext.Line(note))
	}
	for _, status := range diff.InReadingOrder() {
		writeStatus(w, p, r, status)
	}
	if left := Undecided(r); left > 0 || len(r.Decided) > 0 {
		fmt.Fprintf(w, "\n%d decided and not yet written, %d undecided%s\n", len(r.Decided), left, rejectedBefore(r))
	}
	for i, next := range r.Next {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, "next: "+safetext.Line(next))
	}
	if d.Summary.Cases == 0 {
		fmt.Fprintln(w, "no case was compared")
	}
	return w.Flush()
}

// writeStatus lists the cases of one status under a heading, those that changed
// alike together.
func writeStatus(w io.Writer, p painter, r *Report, status diff.Status) {
	d := r.Diff
	if !status.Listed() || d.Summary.Statuses[status] == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s %d\n", p.status(status, string(status)), d.Summary.Statuses[status])
	for _, f := range folded(r, status) {
		writeFold(w, p, r, f)
	}
}

func writeCase(w io.Writer, p painter, r *Report, c *diff.Case) {
	fmt.Fprintf(w, "  %s%s\n", p.strong(safetext.Line(c.ID)), caseNotes(r, c))
	if c.Error != "" {
		fmt.Fprintf(w, "      %s\n", safetext.Line(c.Error))
	}
	width := 0
	for _, change := range c.Changes {
		width = max(width, min(len([]rune(change.Name())), 24))
	}
	messages := r.messages(c)
	for _, change := range c.Changes {
		old, new := change.Sides(c.OldSamples, c.NewSamples)
		fmt.Fprintf(w, "    %s %-*s  %s → %s%s\n", p.effect(change.Effect, Mark(change)), width, safetext.Line(change.Name()),
			phrase.Clip(safetext.Line(old), mostShown), phrase.Clip(safetext.Line(new), mostShown), tags(change))
		if said := why(change, messages); said != "" {
			fmt.Fprintf(w, "      %s\n", phrase.Clip(safetext.Line(said), mostShown))
		}
	}
	if r.Evidence != nil && len(c.Changes) > 0 {
		for _, line := range r.Evidence(c) {
			fmt.Fprintf(w, "      %s\n", safetext.Line(line))
		}
	}
	if n := len(c.Apart); n > 0 {
		fmt.Fprintf(w, "      %s not compared, since the case was edited\n", phrase.Count(n, "more value", "more values"))
	}
	for _, change := range c.Apart {
		old, new := change.Sides(c.OldSamples, c.NewSamples)
		if old == new {
			continue
		}
		fmt.Fprintf(w, "      · %s  %s → %s\n", safetext.Line(change.Name()), phrase.Clip(safetext.Line(old), mostShown), phrase.Clip(safetext.Line(new), mostShown))
	}
	if r.Past != nil {
		if past, ok := r.Past(c); ok {
			fmt.Fprintf(w, "      rejected before, %s: %s\n", past.At.Format(time.DateOnly), safetext.Line(past.Reason))
		}
	}
}

// caseNotes says in brackets what a reader must know of a case besides its
// changes.
func caseNotes(r *Report, c *diff.Case) string {
	var notes []string
	if c.Weight != 1 {
		notes = append(notes, fmt.Sprintf("weight %v", c.Weight))
	}
	if c.OldSamples > 0 && c.NewSamples > 0 {
		notes = append(notes, fmt.Sprintf("%d → %d samples", c.OldSamples, c.NewSamples))
	}
	if c.Edited && c.Status != diff.Redefined {
		notes = append(notes, "case edited too")
	}
	if decided, ok := r.Decided[c.ID]; ok {
		notes = append(notes, past(decided.Verdict)+", not written")
	}
	if len(notes) == 0 {
		return ""
	}
	return "  (" + strings.Join(notes, ", ") + ")"
}

func tags(c diff.Change) string {
	if len(c.Tags) == 0 {
		return ""
	}
	return "  [" + safetext.Line(strings.Join(c.Tags, ", ")) + "]"
}

// mostShown is how many characters of a value a line of a report can bear.
const mostShown = 160

// Mark is the sign of a change: each sign differs without colour.
func Mark(c diff.Change) string {
	switch c.Effect {
	case diff.Lost, diff.Fell:
		return "✗"
	case diff.Gained, diff.Rose:
		return "✓"
	case diff.Removed:
		return "-"
	case diff.Added:
		return "+"
	case diff.Unclear:
		return "?"
	default:
		return "~"
	}
}

// A painter adds ANSI colours where they are wanted.
type painter bool

func (p painter) sgr(code, s string) string {
	if !p {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p painter) strong(s string) string { return p.sgr("1", s) }

func (p painter) status(status diff.Status, s string) string {
	switch status {
	case diff.Regressed, diff.Error, diff.Missed:
		return p.sgr("1;31", s)
	case diff.Improved:
		return p.sgr("1;34", s)
	default:
		return p.sgr("1;33", s)
	}
}

func (p painter) effect(e diff.Effect, s string) string {
	switch e {
	case diff.Lost, diff.Fell, diff.Removed:
		return p.sgr("31", s)
	case diff.Gained, diff.Rose, diff.Added:
		return p.sgr("34", s)
	default:
		return p.sgr("33", s)
	}
}
