package export

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"docket/engine/run"
	"docket/engine/safetext"
)

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Failure *junitSaid  `xml:"failure"`
	Error   *junitSaid  `xml:"error"`
	Skipped *junitEmpty `xml:"skipped"`
}

type junitSaid struct {
	Message string `xml:"message,attr"`
}

type junitEmpty struct{}

// writeJUnit writes a test for each case: a failure where a check fails on any
// sample, an error where the system failed. It says how the run went by itself;
// what changed against the baseline, docket diff says.
func writeJUnit(w io.Writer, r *Run) error {
	suite := junitSuite{Name: safetext.Line(r.Config.Suite)}
	for i := range r.Cases {
		c := &r.Cases[i]
		test := junitCase{Class: suite.Name, Name: safetext.Line(c.ID)}
		suite.Tests++
		switch failed := failedChecks(c.Samples); {
		case c.Outcome == run.NotRun:
			test.Skipped = &junitEmpty{}
			suite.Skipped++
		case c.Outcome != run.Measured:
			test.Error = &junitSaid{safetext.Line(c.failure())}
			if test.Error.Message == "" {
				test.Error.Message = safetext.Line(c.Error)
			}
			suite.Errors++
		case len(failed) > 0:
			test.Failure = &junitSaid{safetext.Line(strings.Join(failed, "; "))}
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, test)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func failedChecks(samples []run.Sample) []string {
	var failed []string
	for _, s := range samples {
		for _, v := range s.Checks {
			if !v.Pass && v.Unscored == "" {
				failed = append(failed, fmt.Sprintf("%s (sample %d): %s", v.Check, s.Number, v.Message))
			}
		}
	}
	return failed
}
