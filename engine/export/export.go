// Package export writes a stored run for other programs: as JSON that docket
// documents, as the JSON Lines that docket reads, as CSV and JUnit, and in the
// forms in which promptfoo and Inspect keep results, so that their viewers open
// it.
//
// The package refuses to make up what a run does not know: an unknown cost, time
// or token count is left out, or null where a form wants the key. It judges
// nothing and computes nothing but counts and sums that a form asks for.
package export

import (
	"io"

	"docket/engine/phrase"
	"docket/engine/run"
)

// A Case is what a run knows of one case, with what was asked.
type Case struct {
	run.Result
	// Input is what was asked, nil where the case was edited since or is gone.
	Input map[string]any
}

// A Run is a stored run with its samples.
type Run struct {
	*run.Run
	Cases []Case // by id
}

// A Format is one form of a run.
type Format struct {
	Name  string
	Write func(w io.Writer, r *Run) error
	// Raw says that texts of models stand in it as they are, since the form has
	// no way to escape: it is for programs, and not for a terminal.
	Raw bool
}

// Formats returns the table, the default first.
func Formats() []Format {
	return []Format{
		{Name: "json", Write: writeJSON},
		{Name: "jsonl", Write: writeLines},
		{Name: "csv", Write: writeCSV, Raw: true},
		{Name: "junit", Write: writeJUnit},
		{Name: "promptfoo", Write: writePromptfoo},
		{Name: "inspect", Write: writeInspect},
	}
}

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}

// failure returns why a case has no sample that can be shown; "" where it has.
func (c *Case) failure() string {
	if len(c.Samples) > 0 || c.Outcome == run.Measured || c.Outcome == run.NotRun {
		return ""
	}
	if c.Error == "" {
		return string(c.Outcome)
	}
	return c.Error
}

// samples are those of a case, with one that says why where the case failed
// before it had any.
func (c *Case) samples() []run.Sample {
	if why := c.failure(); why != "" {
		return []run.Sample{{Number: 1, Error: why}}
	}
	return c.Samples
}
