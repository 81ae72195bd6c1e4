package contract

import (
	"bufio"
	"fmt"
	"io"

	"docket/engine/phrase"
	"docket/engine/safetext"
)

// mostBreaches is how many breaches are written for people.
const mostBreaches = 50

// A Format writes a result.
type Format struct {
	Name  string
	Write func(w io.Writer, r *Result) error
}

// Formats returns the formats of a result, the default first.
func Formats() []Format { return []Format{{"text", writeText}, {"json", writeJSON}} }

// FormatNamed returns the format of that name, or an error that lists all.
func FormatNamed(name string) (Format, error) {
	return phrase.Choose("format", name, Formats(), func(f Format) string { return f.Name })
}

func writeText(out io.Writer, r *Result) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s: %s\n", safetext.Line(r.Contract), r.Headline())
	for _, t := range r.Tallies {
		if t.Broken > 0 {
			fmt.Fprintf(w, "  %s  broken by %d of %d\n", safetext.Line(t.Check), t.Broken, t.Held+t.Broken)
		}
	}
	for i, b := range r.Breaches {
		if i == mostBreaches {
			fmt.Fprintf(w, "and %d more: --format json lists all\n", len(r.Breaches)-i)
			break
		}
		fmt.Fprintf(w, "%s, sample %d, line %d: %s: %s\n", safetext.Line(b.ID), b.Sample, b.Line, safetext.Line(b.Check), safetext.Line(b.Message))
	}
	return w.Flush()
}

// The types below are the documented JSON, format 1.
type jsonResult struct {
	Format   int                  `json:"format"`
	Contract string               `json:"contract"`
	Outputs  int                  `json:"outputs"`
	Errors   int                  `json:"errors"`
	Broken   int                  `json:"broken"`
	Checks   map[string]jsonTally `json:"checks"`
	Breaches []jsonBreach         `json:"breaches"`
}

type jsonTally struct {
	Held   int `json:"held"`
	Broken int `json:"broken"`
}

type jsonBreach struct {
	ID      string `json:"id"`
	Sample  int    `json:"sample"`
	Line    int    `json:"line"`
	Check   string `json:"check"`
	Message string `json:"message"`
}

func writeJSON(w io.Writer, r *Result) error {
	out := jsonResult{Format: 1, Contract: r.Contract, Outputs: r.Outputs, Errors: r.Failed, Broken: r.Broken, Checks: map[string]jsonTally{}, Breaches: []jsonBreach{}}
	for _, t := range r.Tallies {
		out.Checks[t.Check] = jsonTally{t.Held, t.Broken}
	}
	for _, b := range r.Breaches {
		out.Breaches = append(out.Breaches, jsonBreach(b))
	}
	return safetext.JSON(w, out)
}
