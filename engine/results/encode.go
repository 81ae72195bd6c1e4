package results

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"docket/engine/baseline"
	"docket/engine/output"
	"docket/engine/run"
)

// A resultRow is a result in the form of its columns.
type resultRow struct {
	id, outcome   string
	version       int
	err           *string
	pass          *bool
	score         *float64
	line, outputs []byte
	samples       []sampleRow
}

// A sampleRow is a sample in the form of its columns.
type sampleRow struct {
	number                    int
	err                       *string
	output                    []byte
	latency, cost             *float64
	inputTokens, outputTokens *int64
	pass                      *bool
	score                     *float64
	checks                    []byte
}

// size is about how many bytes a row holds in memory.
func (r *resultRow) size() int {
	n := len(r.id) + len(r.line)
	for i := range r.samples {
		n += len(r.samples[i].output) + len(r.samples[i].checks)
	}
	return n
}

// encode makes the rows of a result. Its own pass and score sum up its samples:
// all of those that were judged passed, and the mean of their scores.
func encode(r run.Result) resultRow {
	row := resultRow{id: r.ID, version: r.Version, outcome: string(r.Outcome), err: text(r.Error), line: r.Line}
	var scores float64
	var judged int
	for _, s := range r.Samples {
		if s.Pass != nil {
			pass := *s.Pass && (row.pass == nil || *row.pass)
			row.pass = &pass
		}
		if s.Score != nil {
			scores += *s.Score
			judged++
		}
		row.samples = append(row.samples, encodeSample(s))
	}
	if judged > 0 {
		mean := scores / float64(judged)
		row.score = &mean
	}
	if r.Outcome == run.Measured && len(r.Samples) > 0 {
		row.outputs = hashBytes(run.OutputsHash(r.Samples))
	}
	return row
}

func encodeSample(s run.Sample) sampleRow {
	row := sampleRow{
		number: s.Number, err: text(s.Error), pass: s.Pass, score: s.Score,
		latency: finite(s.Output.LatencyMS), cost: finite(s.Output.CostUSD),
		inputTokens: s.Output.InputTokens, outputTokens: s.Output.OutputTokens,
	}
	if s.Error == "" {
		row.output = encodeOutput(s.Output, s.Given)
	}
	if len(s.Checks) > 0 {
		row.checks = marshal(s.Checks)
	}
	return row
}

// A storedOutput is an output with the judgements that came with it, which are
// needed where the output is measured again.
type storedOutput struct {
	output.Output
	Given []run.Given `json:"given,omitempty"`
}

// encodeOutput writes an output as JSON without the numbers that have columns.
// What a system put into it may be anything: JSON that is none becomes a
// string.
func encodeOutput(o output.Output, given []run.Given) []byte {
	o.LatencyMS, o.CostUSD, o.InputTokens, o.OutputTokens = nil, nil, nil, nil
	o.Raw = valid(o.Raw)
	for i, c := range o.ToolCalls {
		if len(c.Arguments) > 0 && !json.Valid(c.Arguments) {
			o.ToolCalls = append([]output.ToolCall(nil), o.ToolCalls...)
			o.ToolCalls[i].Arguments = valid(c.Arguments)
		}
	}
	return marshal(storedOutput{o, given})
}

func valid(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if json.Valid(raw) {
		return raw
	}
	return marshal(string(raw))
}

// marshal writes a value that has a JSON form, without escapes for HTML.
func marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(fmt.Sprintf("results: no JSON form: %v", err)) // every field was made to have one
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// finite drops a number that is none, which JSON and SQLite cannot hold.
func finite(f *float64) *float64 {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return nil
	}
	return f
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// hashBytes returns the 32 bytes of a hash that is written "sha256:" and 64 hex
// digits; nil where it is not.
func hashBytes(hash string) []byte {
	digits, ok := strings.CutPrefix(hash, "sha256:")
	if !ok || len(digits) != 64 {
		return nil
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil
	}
	return b
}

// stampLayout has one width, so that times sort as text.
const stampLayout = "2006-01-02T15:04:05.000000000Z"

func stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

// config writes the configuration of a run as a baseline's header line.
// sources encodes who answered; nil where that is not known.
func sources(list []run.Source) []byte {
	if len(list) == 0 {
		return nil
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil // a time beyond the year 9999
	}
	return data
}

func config(h baseline.Header) []byte {
	if h.Format == 0 {
		h.Format = baseline.Format
	}
	return baseline.AppendHeader(nil, &h)
}
