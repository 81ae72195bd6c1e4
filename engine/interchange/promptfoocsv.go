package interchange

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docket/engine/phrase"
	"docket/engine/source"
)

// promptfooCSVRule is how the rows of a table pair.
const promptfooCSVRule = "a case's id is its Description; a row without one is known by a hash of its variables (--id names a column instead)"

func isPromptfooCSV(s *sight) bool {
	if s.first == '{' || s.first == '[' || s.first == '<' || s.first == 0 {
		return false
	}
	header, err := csv.NewReader(bytes.NewReader(s.head)).Read()
	if err != nil {
		return false
	}
	_, wrong := csvColumns(header)
	return wrong == ""
}

// A csvLayout is what the columns of promptfoo's table mean: variables first,
// then one block of columns for each variant.
type csvLayout struct {
	names       []string
	description int // -1 where there is none
	vars        []int
	blocks      []csvBlock
}

// A csvBlock is the columns of one variant; -1 where the table lacks one.
type csvBlock struct {
	variant               variant
	output, status, score int
	reason                int
	metrics               []int
	provider              string
}

// csvColumns reads the header of a table. The columns of a block stand in a
// fixed order, and a status column follows each output.
func csvColumns(header []string) (csvLayout, string) {
	l := csvLayout{names: header, description: -1}
	for i, name := range header {
		switch {
		case name == "Status" && i > 0:
			column := header[i-1]
			block := csvBlock{output: i - 1, status: i, score: -1, reason: -1}
			provider, prompt := column, ""
			if rest, ok := strings.CutPrefix(column, "["); ok {
				if p, q, ok := strings.Cut(rest, "]"); ok {
					provider, prompt = p, strings.TrimSpace(q)
				}
			}
			block.provider = provider
			block.variant = named(provider, prompt, "", "")
			block.variant.names = append(block.variant.names, column)
			l.blocks = append(l.blocks, block)
			continue
		case len(l.blocks) == 0:
			continue
		}
		last := &l.blocks[len(l.blocks)-1]
		switch {
		case name == "Score" && last.score < 0:
			last.score = i
		case name == "Grader Reason":
			last.reason = i
		case strings.HasPrefix(name, "Metric: "):
			last.metrics = append(last.metrics, i)
		}
	}
	if len(l.blocks) == 0 || l.blocks[0].score < 0 || !slices.Contains(header, "Grader Reason") {
		return l, "no columns of promptfoo"
	}
	for i := range l.blocks[0].output {
		if header[i] == "Description" && l.description < 0 {
			l.description = i
		} else {
			l.vars = append(l.vars, i)
		}
	}
	return l, ""
}

// readPromptfooCSV reads the table that promptfoo writes as CSV. A row whose
// status is ERROR is an error. Its score becomes the check
// "promptfoo:success"; each metric is a check without a verdict where the
// table gives its score alone.
func readPromptfooCSV(ctx context.Context, in *input) (*collector, error) {
	c := newCollector(in)
	if in.options.ID == "" {
		c.tally.rule = promptfooCSVRule
	}
	c.places = []string{}
	r := csv.NewReader(in)
	header, err := r.Read()
	if err != nil {
		return nil, csvProblem(in.name, err)
	}
	layout, wrong := csvColumns(header)
	if wrong != "" {
		return nil, wholeFile(in.name, "%s", wrong)
	}
	for i := 0; ; i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, csvProblem(in.name, err)
		}
		line, _ := r.FieldPos(0)
		layout.row(c, text{file: in.name, line: line}, record)
		if c.enough() {
			return c, nil
		}
	}
}

func csvProblem(name string, err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return unread(name, err)
	}
	at := source.Position{File: name, Line: p.Line, Column: p.Column}
	switch {
	case errors.Is(p.Err, csv.ErrFieldCount):
		return at.Problemf("this row has another number of columns than the header; the file may be cut short or edited by hand")
	case errors.Is(p.Err, csv.ErrQuote):
		return at.Problemf("a quote is never closed or stands in the wrong place; the file may be cut short")
	default:
		return at.Problemf("this is not CSV: %v", p.Err)
	}
}

func (l *csvLayout) row(c *collector, t text, record []string) {
	for i, field := range record {
		if !utf8.ValidString(field) {
			c.problem(t, fmt.Sprintf("column %q", l.names[i]), "it is not UTF-8")
			return
		}
	}
	vars := make(map[string]any, len(l.vars))
	for _, i := range l.vars {
		vars[l.names[i]] = record[i]
	}
	for _, b := range l.blocks {
		e := entry{text: t, variant: b.variant}
		switch {
		case c.options.ID != "":
			i := slices.Index(l.names[:l.blocks[0].output], c.options.ID)
			if i < 0 {
				c.problem(t, "", "it has no column %q, which --id names", c.options.ID)
				return
			}
			e.row.ID = record[i]
		case l.description >= 0 && strings.TrimSpace(record[l.description]) != "":
			e.row.ID = shortID(strings.TrimSpace(record[l.description]))
			e.sameInput = digest("vars", vars)
		default:
			e.row.ID = digest("vars", vars)
		}
		if len(vars) > 0 {
			e.row.Input = vars
		}
		switch status := record[b.status]; status {
		case "ERROR":
			e.row.Error = "promptfoo reports an error"
			for _, more := range []string{b.at(record, b.reason), record[b.output]} {
				if more != "" {
					e.row.Error = more
					break
				}
			}
		case "PASS", "FAIL":
			e.row.Output.Text = record[b.output]
			e.row.Output.Model = b.provider
			promptfooCalls(&e.row.Output, record[b.output])
			e.row.Checks = b.checks(l.names, record, status == "PASS")
		default:
			c.problem(t, "column \"Status\"", "expected PASS, FAIL or ERROR, got %q", phrase.Abridge(status, 40))
			return
		}
		c.entry(e)
	}
}

func (b *csvBlock) at(record []string, i int) string {
	if i < 0 {
		return ""
	}
	return record[i]
}

func (b *csvBlock) checks(names, record []string, pass bool) []Check {
	all := newChecks("promptfoo")
	for _, i := range b.metrics {
		if score := cellNumber(record[i]); score != nil {
			all.add(strings.TrimPrefix(names[i], "Metric: "), nil, score, "")
		}
	}
	reason := b.at(record, b.reason)
	if reason != "No assertions" {
		all.add("success", &pass, cellNumber(b.at(record, b.score)), reason)
	}
	return all.all
}

func cellNumber(s string) *float64 {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return nil
	}
	return numberAt(json.Number(s))
}
