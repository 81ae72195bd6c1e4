package report

import (
	"fmt"
	"io"
	"strings"

	"docket/engine/diff"
	"docket/engine/junit"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// writeJUnit writes a diff as CI systems read test results. A failure is a
// change that is not in the written baseline, as it is for the exit code; a case
// that failed to run or missed a recording is an error. The cases without a
// difference stand as one test, since a diff does not list them.
func writeJUnit(w io.Writer, r *Report) error {
	d := r.Diff
	class := "docket." + safetext.Line(d.Suite)
	suite := junit.Suite{Name: class}
	for _, line := range append([]string{Title(r)}, Headlines(r)...) {
		suite.Properties = append(suite.Properties, junit.Property{Name: "docket", Value: line})
	}
	listed := 0
	for _, status := range diff.InReadingOrder() {
		for i := range d.Cases {
			if c := &d.Cases[i]; c.Status == status && status.Listed() {
				listed++
				suite.Add(junitOf(r, c, class))
			}
		}
	}
	if unlisted := d.Summary.Cases - listed; unlisted > 0 {
		suite.Add(junit.Case{Class: class, Name: phrase.Count(unlisted, "case has", "cases have") + " no difference that waits for anyone"})
	}
	return junit.Write(w, "docket: "+verdictLine(r), suite)
}

func junitOf(r *Report, c *diff.Case, class string) junit.Case {
	test := junit.Case{Class: class, Name: safetext.Line(c.ID)}
	var text strings.Builder
	messages := r.messages(c)
	for _, change := range c.Changes {
		old, new := change.Sides(c.OldSamples, c.NewSamples)
		fmt.Fprintf(&text, "%s: %s → %s%s\n", safetext.Line(change.Name()), safetext.Line(old), safetext.Line(new), tags(change))
		if said := why(change, messages); said != "" {
			fmt.Fprintf(&text, "  %s\n", safetext.Line(said))
		}
	}
	outcome := &junit.Outcome{Type: string(c.Status), Message: phrase.Clip(safetext.Line(c.Signature()), mostShown), Text: text.String()}
	if v, ok := r.Decided[c.ID]; ok {
		outcome.Message += " (" + past(v.Verdict) + ", not yet written: " + safetext.Line(v.Reason) + ")"
	}
	switch {
	case c.Status == diff.Error || c.Status == diff.Missed:
		outcome.Message = phrase.Clip(safetext.Line(c.Error), mostShown)
		test.Error = outcome
	case c.Status == diff.NotRun:
		test.Skipped = &junit.Outcome{Message: "not run"}
	case c.Status.Decidable():
		test.Failure = outcome
	}
	return test
}
