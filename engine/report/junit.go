package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/safetext"
)

// The elements of a report in JUnit's form, as far as CI systems read them.
type junitSuites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suite    junitSuite
}

type junitSuite struct {
	XMLName    xml.Name        `xml:"testsuite"`
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

type junitOutcome struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a diff as CI systems read test results. A failure is a
// change that is not in the written baseline, as it is for the exit code; a case
// that failed to run or missed a recording is an error. The cases without a
// difference stand as one test, since a diff does not list them.
func writeJUnit(w io.Writer, r *Report) error {
	d := r.Diff
	class := "docket." + safetext.Line(d.Suite)
	suite := junitSuite{Name: class}
	for _, line := range append([]string{Title(r)}, Headlines(r)...) {
		suite.Properties = append(suite.Properties, junitProperty{"docket", line})
	}
	listed := 0
	for _, status := range diff.InReadingOrder() {
		for i := range d.Cases {
			if c := &d.Cases[i]; c.Status == status && status.Listed() {
				listed++
				suite.add(junitOf(r, c, class))
			}
		}
	}
	if unlisted := d.Summary.Cases - listed; unlisted > 0 {
		suite.add(junitCase{Class: class, Name: phrase.Count(unlisted, "case has", "cases have") + " no difference that waits for anyone"})
	}
	all := junitSuites{
		Name: "docket: " + verdictLine(r), Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Skipped: suite.Skipped, Suite: suite,
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the report as JUnit's XML: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// add counts a case and puts it in.
func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func junitOf(r *Report, c *diff.Case, class string) junitCase {
	test := junitCase{Class: class, Name: safetext.Line(c.ID)}
	var text strings.Builder
	messages := r.messages(c)
	for _, change := range c.Changes {
		old, new := change.Sides(c.OldSamples, c.NewSamples)
		fmt.Fprintf(&text, "%s: %s → %s%s\n", safetext.Line(change.Name()), safetext.Line(old), safetext.Line(new), tags(change))
		if said := why(change, messages); said != "" {
			fmt.Fprintf(&text, "  %s\n", safetext.Line(said))
		}
	}
	outcome := &junitOutcome{Type: string(c.Status), Message: phrase.Clip(safetext.Line(c.Signature()), mostShown), Text: text.String()}
	if v, ok := r.Decided[c.ID]; ok {
		outcome.Message += " (" + past(v.Verdict) + ", not yet written: " + safetext.Line(v.Reason) + ")"
	}
	switch {
	case c.Status == diff.Error || c.Status == diff.Missed:
		outcome.Message = phrase.Clip(safetext.Line(c.Error), mostShown)
		test.Error = outcome
	case c.Status == diff.NotRun:
		test.Skipped = &junitOutcome{Message: "not run"}
	case c.Status.Decidable():
		test.Failure = outcome
	}
	return test
}
