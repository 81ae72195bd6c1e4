package interchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"docket/engine/source"
)

// A collector gathers the rows of a file and what is wrong with it.
type collector struct {
	name  string
	rows  []Row
	tally *tally
	wrong source.Problems
	// stopped says that reading ended before the file did.
	stopped bool
}

func newCollector(name string) *collector {
	return &collector{name: name, tally: newTally()}
}

// enough reports whether reading should stop.
func (c *collector) enough() bool {
	if len(c.wrong) >= maxProblems {
		c.stopped = true
	}
	return c.stopped
}

func (c *collector) add(r *record) {
	if len(r.wrong) > 0 {
		c.wrong = append(c.wrong, r.wrong...)
		return
	}
	c.rows = append(c.rows, r.row)
	c.tally.add(r)
}

// finish numbers the samples and returns the rows, or what is wrong.
func (c *collector) finish() ([]Row, Report, error) {
	if !c.stopped {
		c.wrong = append(c.wrong, number(c.name, c.rows)...)
	}
	if n := len(c.wrong); n >= maxProblems {
		c.wrong = c.wrong[:maxProblems]
		c.wrong[maxProblems-1].Message += "; there may be more like these, no more are listed"
	}
	if err := c.wrong.Err(); err != nil {
		return nil, Report{}, err
	}
	if len(c.rows) == 0 {
		return nil, Report{}, wholeFile(c.name, "it holds no output")
	}
	return c.rows, c.tally.report(c.rows), nil
}

// number gives a sample's number to each row that has none: the lowest ones
// that its case has free, in the order of the file, after every number that is
// written has been taken. A number that is written twice is a problem.
func number(name string, rows []Row) source.Problems {
	type key struct {
		id     string
		sample int
	}
	var wrong source.Problems
	lines := make(map[key]int, len(rows))
	for i := range rows {
		row := &rows[i]
		if row.Sample == 0 {
			continue
		}
		k := key{row.ID, row.Sample}
		if first, twice := lines[k]; twice {
			wrong = append(wrong, source.Problem{
				Position: source.Position{File: name, Line: row.Line, Column: 1},
				Message:  fmt.Sprintf("sample %d of %q is there twice, on line %d and on line %d; leave out \"sample\", or delete one", row.Sample, row.ID, first, row.Line),
			})
			continue
		}
		lines[k] = row.Line
	}
	next := map[string]int{}
	for i := range rows {
		row := &rows[i]
		if row.Sample != 0 {
			continue
		}
		n := next[row.ID] + 1
		for lines[key{row.ID, n}] != 0 {
			n++
		}
		row.Sample, next[row.ID] = n, n
	}
	return wrong
}

// readList reads a JSON list of the objects that JSON Lines hold one a line.
func readList(ctx context.Context, in *input) ([]Row, Report, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	switch {
	case err != nil:
		return nil, Report{}, unread(in.name, err)
	case len(data) > maxDocument:
		return nil, Report{}, wholeFile(in.name, "this list is larger than %d MB; write it as JSON Lines, one object on each line", maxDocument>>20)
	}
	c := newCollector(in.name)
	t := text{file: in.name, line: 1, data: data}
	v, err := t.parse()
	if err != nil {
		var p source.Problem
		if errors.As(err, &p) && t.cutShort() {
			p.Message = "the file is cut short: it ends before its list does; copy it again"
			err = p
		}
		return nil, Report{}, err
	}
	list, _ := v.([]any)
	line, offset := 1, 0
	for i, at := range elements(data, leadingSpace(data)) {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, Report{}, ctx.Err()
		}
		line += bytes.Count(data[offset:at.start], []byte{'\n'})
		offset = at.start
		item := text{
			file: in.name, line: line, data: data[at.start:at.end],
			indent: utf8.RuneCount(data[bytes.LastIndexByte(data[:at.start], '\n')+1 : at.start]),
		}
		if values, ok := list[i].(map[string]any); ok {
			c.add(decode(item, 0, values, true))
		} else {
			c.wrong = append(c.wrong, item.problemf(0, "expected an object, one output for each item of the list, got %s", describe(list[i])))
		}
		list[i] = nil // read: let go of it
		if c.enough() {
			break
		}
	}
	return c.finish()
}
