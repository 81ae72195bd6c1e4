package export

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"docket/engine/baseline"
	"docket/engine/output"
	"docket/engine/run"
	"docket/engine/safetext"
)

// format counts the changes of what a program that reads the JSON has to know.
const format = 1

type document struct {
	Format   int             `json:"format"`
	Run      string          `json:"run"`
	Suite    string          `json:"suite"`
	System   string          `json:"system,omitzero"`
	Mode     string          `json:"mode"`
	Started  time.Time       `json:"started"`
	Finished time.Time       `json:"finished,omitzero"`
	Whole    bool            `json:"whole"`
	Purpose  run.Purpose     `json:"purpose,omitzero"`
	Config   json.RawMessage `json:"config"`
	Cases    []caseObject    `json:"cases"`
}

type caseObject struct {
	ID      string          `json:"id"`
	Version int             `json:"version"`
	Outcome run.Outcome     `json:"outcome"`
	Error   string          `json:"error,omitzero"`
	Input   map[string]any  `json:"input,omitzero"`
	Line    json.RawMessage `json:"line,omitzero"`
	Samples []sampleObject  `json:"samples"`
}

type sampleObject struct {
	Sample int `json:"sample"`
	*output.Output
	Error  string        `json:"error,omitzero"`
	Pass   *bool         `json:"pass,omitzero"`
	Score  *float64      `json:"score,omitzero"`
	Checks []run.Verdict `json:"checks,omitzero"`
}

// writeJSON writes all that is stored of a run, as the schema "run" describes.
func writeJSON(w io.Writer, r *Run) error {
	config := r.Config
	var header struct {
		Config json.RawMessage `json:"_config"`
	}
	if err := json.Unmarshal(baseline.AppendHeader(nil, &config), &header); err != nil {
		return err
	}
	d := document{
		Format: format, Run: r.ID, Suite: config.Suite, System: config.System, Mode: config.Mode,
		Started: r.Started, Finished: r.Finished, Whole: r.Whole, Purpose: r.Purpose,
		Config: header.Config, Cases: []caseObject{},
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		out := caseObject{ID: c.ID, Version: c.Version, Outcome: c.Outcome, Error: c.Error, Input: c.Input, Line: c.Line, Samples: []sampleObject{}}
		for j := range c.Samples {
			s := &c.Samples[j]
			o := sampleObject{Sample: s.Number, Error: s.Error, Pass: s.Pass, Score: s.Score, Checks: s.Checks}
			if s.Error == "" {
				o.Output = &s.Output
			}
			out.Samples = append(out.Samples, o)
		}
		d.Cases = append(d.Cases, out)
	}
	return safetext.IndentedJSON(w, d)
}

type line struct {
	ID     string `json:"id"`
	Sample int    `json:"sample"`
	*output.Output
	Input map[string]any `json:"input,omitzero"`
	Error string         `json:"error,omitzero"`
}

// writeLines writes the answers as a file of outputs: docket reads it back as it
// was. What was judged is not in it; it can be judged again.
func writeLines(w io.Writer, r *Run) error {
	var b bytes.Buffer
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, s := range c.samples() {
			l := line{ID: c.ID, Sample: s.Number, Input: c.Input, Error: s.Error}
			if s.Error == "" {
				l.Output = &s.Output
			}
			if err := safetext.JSON(&b, l); err != nil {
				return err
			}
		}
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}
