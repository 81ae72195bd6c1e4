// Package report writes a diff for people and for programs: text, markdown,
// HTML, JSON and JUnit. Every text that came from an output, a case or a file is made inert
// first.
//
// It computes nothing: what it prints stands in the Diff.
package report

import (
	"io"
	"slices"
	"time"

	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/run"
)

// A Format writes one diff. Formats are looked up by name in Formats.
type Format struct {
	Name  string
	Write func(w io.Writer, d *Report) error
}

// Formats returns the formats that a diff can be written in, the default
// first.
func Formats() []Format {
	return []Format{
		{"text", writeText},
		{"json", writeJSON},
		{"markdown", writeMarkdown},
		{"html", writeHTML},
		{"junit", writeJUnit},
	}
}

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}

// A Report is a diff with what surrounds it on a page.
type Report struct {
	Diff *diff.Diff
	// Sources are who answered in the run, and Now is what the age of their
	// recordings is counted to.
	Sources []run.Source
	Now     time.Time
	// RunID is written into the JSON of a run; "" leaves it out.
	RunID string
	// Notes are said before the changes: what was simulated, what was named.
	Notes []string
	// Cost says what the run cost, as far as it is known; "" where nothing is.
	Cost string
	// Next are the commands to go on with, shown last.
	Next []string
	// Decided holds the decisions that stand but are not written, by case.
	Decided map[string]Decision
	// Past finds an earlier rejection of the same change; nil where unknown.
	Past func(c *diff.Case) (decision.Decision, bool)
	// Evidence says on what the old side of a case rests, one sentence each; nil
	// where that is not known.
	Evidence func(c *diff.Case) []string
	// Messages says, by check, why checks of a case fail on the new side; nil where
	// that is not known. The texts are untrusted.
	Messages func(c *diff.Case) map[string]string
	// Beside finds what stands beside a case where there is room for it; nil where
	// that is not known.
	Beside func(c *diff.Case) Beside
	// Trend are earlier runs of the suite, the oldest first.
	Trend []PastRun
	// Color asks for ANSI colours, for a terminal that has them.
	Color bool
	// NoBaseline says that there was nothing to compare with: every case is
	// listed as new, and none can be decided.
	NoBaseline bool
	// Across says that sides were compared that are not comparable.
	Across bool
}

// A Decision is what a person decided on a case and has not yet written.
type Decision struct{ Verdict, Reason string }

// messages returns why checks of a case fail, where some check of it does worse
// than before: for the others nobody asks.
func (r *Report) messages(c *diff.Case) map[string]string {
	if r.Messages == nil || !slices.ContainsFunc(c.Changes, asksWhy) {
		return nil
	}
	return r.Messages(c)
}

// asksWhy reports whether a change is one of a check, for the worse or not
// settled.
func asksWhy(c diff.Change) bool {
	return c.Kind == diff.OfCheck && c.Effect != diff.Gained && c.Effect != diff.Rose
}

// why is the message of a change's check, "" where there is none to tell.
func why(c diff.Change, messages map[string]string) string {
	if !asksWhy(c) {
		return ""
	}
	return messages[c.Of]
}
