package migration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"docket/engine/canonical"
	"docket/engine/jsonl"
	"docket/engine/legacy"
)

// A Record is one line of the log: what became of a test.
type Record struct {
	Test, File string
	Source     string // the hash of the test's source
	Line       int
	Lines      int // of the test's source
	Verdict    Verdict
	Cases      []string // the ids of what it became; of a Merge, of what it went to
	Provenance string
	Claims     []RecordedClaim
	Left       []Left
	By         string
	At         time.Time
}

// A RecordedClaim says where one claim went.
type RecordedClaim struct {
	Line int
	Text string
	Pile legacy.Pile
}

// A Log is what was decided in all migrations of a suite, in order.
type Log []Record

// Decided reports whether a test of that name and source was decided.
func (l Log) Decided() func(name, hash string) bool {
	known := make(map[[2]string]bool, len(l))
	for i := range l {
		known[[2]string{l[i].Test, l[i].Source}] = true
	}
	return func(name, hash string) bool { return known[[2]string{name, hash}] }
}

// Append writes records as lines of JSON.
func (l Log) Append(dst []byte) []byte {
	for i := range l {
		dst = append(l[i].line(dst), '\n')
	}
	return dst
}

func (r *Record) line(dst []byte) []byte {
	text := func(key, value string) {
		dst = canonical.AppendString(append(dst, `,"`+key+`":`...), value)
	}
	number := func(key string, n int) { dst = fmt.Appendf(dst, `,"%s":%d`, key, n) }
	dst = append(dst, `{"format":1`...)
	text("test", r.Test)
	text("file", r.File)
	text("source", r.Source)
	number("line", r.Line)
	number("lines", r.Lines)
	text("verdict", string(r.Verdict))
	dst = append(dst, `,"cases":`...)
	dst = canonical.Append(dst, anyTexts(r.Cases))
	text("provenance", r.Provenance)
	dst = append(dst, `,"claims":[`...)
	for i, c := range r.Claims {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = canonical.Append(dst, map[string]any{"line": c.Line, "text": c.Text, "pile": string(c.Pile)})
	}
	dst = append(dst, `],"left":[`...)
	for i, c := range r.Left {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = canonical.Append(dst, map[string]any{"line": c.Line, "text": c.Text, "why": c.Why})
	}
	dst = append(dst, ']')
	text("by", r.By)
	text("at", r.At.UTC().Format(time.RFC3339Nano))
	return append(dst, '}')
}

func anyTexts(texts []string) []any {
	all := make([]any, len(texts))
	for i, s := range texts {
		all[i] = s
	}
	return all
}

// ParseLog reads a log. The error names the file and the line.
func ParseLog(file string, data []byte) (Log, error) {
	var l Log
	for n, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		if len(data) == 0 {
			break
		}
		if why := jsonl.Diagnose(line); why != "" {
			return nil, &jsonl.Error{File: file, Line: n + 1, Message: why}
		}
		r, err := parseRecord(line)
		if err != nil {
			return nil, jsonl.In(file, n+1, err)
		}
		l = append(l, r)
	}
	return l, nil
}

func parseRecord(line []byte) (Record, error) {
	var in struct {
		Format     int       `json:"format"`
		Test       string    `json:"test"`
		File       string    `json:"file"`
		Source     string    `json:"source"`
		Line       int       `json:"line"`
		Lines      int       `json:"lines"`
		Verdict    Verdict   `json:"verdict"`
		Cases      []string  `json:"cases"`
		Provenance string    `json:"provenance"`
		Claims     []rawLine `json:"claims"`
		Left       []rawLine `json:"left"`
		By         string    `json:"by"`
		At         time.Time `json:"at"`
	}
	if _, err := canonical.Parse(line); err != nil {
		return Record{}, err
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return Record{}, fmt.Errorf("this is not a line of a migration's log: it was edited, take it back from git")
	}
	if in.Format != 1 || in.Test == "" || in.Source == "" {
		return Record{}, fmt.Errorf("this line of a migration's log is not in format 1: take it back from git, or use a newer docket")
	}
	r := Record{
		Test: in.Test, File: in.File, Source: in.Source, Line: in.Line, Lines: in.Lines, Verdict: in.Verdict,
		Cases: in.Cases, Provenance: in.Provenance, By: in.By, At: in.At,
	}
	for _, c := range in.Claims {
		r.Claims = append(r.Claims, RecordedClaim{c.Line, c.Text, c.Pile})
	}
	for _, c := range in.Left {
		r.Left = append(r.Left, Left{c.Line, c.Text, c.Why})
	}
	return r, nil
}

// rawLine is a claim as a line of the log has it.
type rawLine struct {
	Line int         `json:"line"`
	Text string      `json:"text"`
	Pile legacy.Pile `json:"pile"`
	Why  string      `json:"why"`
}
