package export

import (
	"fmt"
	"io"
	"strings"

	"docket/engine/junit"
	"docket/engine/run"
	"docket/engine/safetext"
)

// writeJUnit writes a test for each case: a failure where a check fails on any
// sample, an error where the system failed. It says how the run went by itself;
// what changed against the baseline, docket diff says.
func writeJUnit(w io.Writer, r *Run) error {
	suite := junit.Suite{Name: safetext.Line(r.Config.Suite)}
	for i := range r.Cases {
		c := &r.Cases[i]
		test := junit.Case{Class: suite.Name, Name: safetext.Line(c.ID)}
		switch failed := failedChecks(c.Samples); {
		case c.Outcome == run.NotRun:
			test.Skipped = &junit.Outcome{Message: "not run"}
		case c.Outcome != run.Measured:
			test.Error = &junit.Outcome{Message: safetext.Line(c.failure())}
			if test.Error.Message == "" {
				test.Error.Message = safetext.Line(c.Error)
			}
		case len(failed) > 0:
			test.Failure = &junit.Outcome{Message: safetext.Line(strings.Join(failed, "; "))}
		}
		suite.Add(test)
	}
	return junit.Write(w, suite.Name, suite)
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
