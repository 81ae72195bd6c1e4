package interchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"docket/engine/phrase"
	"docket/engine/source"
)

// A collector gathers the rows of a file and what is wrong with it.
type collector struct {
	name     string
	options  Options
	rows     []Row
	tally    *tally
	wrong    source.Problems
	variants variants
	// Of rows of other tools only, beside the rows: where each lies, where a
	// line does not say it, and its place in the order of its tool.
	places []string
	orders []int
	known  map[string]int    // what a tool calls a row itself: the row
	inputs map[string]string // the input that an id was first seen with
	// stopped says that reading ended before the file did.
	stopped bool
}

func newCollector(in *input) *collector {
	return &collector{name: in.name, options: in.options, tally: newTally(), known: map[string]int{}, inputs: map[string]string{}}
}

// errEnough ends a walk through a document that has enough problems.
var errEnough = errors.New("enough problems")

// enough reports whether reading should stop.
func (c *collector) enough() bool {
	if len(c.wrong) >= maxProblems {
		c.stopped = true
	}
	return c.stopped
}

// more is enough for walks through a document: it is errEnough when reading
// should stop.
func (c *collector) more() error {
	if c.enough() {
		return errEnough
	}
	return nil
}

func (c *collector) add(r *record) {
	if len(r.wrong) > 0 {
		c.wrong = append(c.wrong, r.wrong...)
		return
	}
	c.rows = append(c.rows, r.row)
	if r.row.Sample == 0 {
		c.tally.ordered++
	}
	c.tally.add(r)
}

// problem notes what is wrong, where it lies at a place that a line does not
// say well.
func (c *collector) problem(t text, place, format string, args ...any) {
	p := t.problemf(leadingSpace(t.data), format, args...)
	if place != "" {
		p.Message = place + ": " + p.Message
	}
	c.wrong = append(c.wrong, p)
}

// finish numbers the samples and returns the rows, or what is wrong.
func (c *collector) finish() ([]Row, Report, error) {
	if !c.stopped && len(c.wrong) == 0 {
		c.wrong = append(c.wrong, c.variants.choose(c.name, c.options.Variant)...)
	}
	if !c.stopped && (len(c.wrong) == 0 || c.places == nil) {
		c.order()
		c.wrong = append(c.wrong, number(c.name, c.rows, c.where)...)
	}
	more := len(c.wrong) >= maxProblems
	c.wrong = folded(c.wrong[:min(len(c.wrong), maxProblems)])
	if more {
		c.wrong[len(c.wrong)-1].Message += "; there may be more like these, no more are listed"
	}
	if err := c.wrong.Err(); err != nil {
		return nil, Report{}, err
	}
	if len(c.rows) == 0 {
		return nil, Report{}, wholeFile(c.name, "it holds no output")
	}
	return c.rows, c.tally.report(c.rows), nil
}

// folded tells of problems whose messages are the same but for their numbers
// the first, and how many more there are.
func folded(wrong source.Problems) source.Problems {
	var kept source.Problems
	at, more := map[string]int{}, []int{}
	for _, p := range wrong {
		kind := strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, p.Message)
		if i, ok := at[kind]; ok {
			more[i]++
			continue
		}
		at[kind] = len(kept)
		kept, more = append(kept, p), append(more, 0)
	}
	for i, n := range more {
		if n > 0 {
			kept[i].Message += "; and " + phrase.Count(n, "more line", "more lines") + " alike"
		}
	}
	return kept
}

// where says where a row lies, for a message.
func (c *collector) where(row int) string {
	if row < len(c.places) && c.places[row] != "" {
		return c.places[row]
	}
	return fmt.Sprintf("line %d", c.rows[row].Line)
}

// order numbers the samples of rows that have an order other than that of the
// file: a tool writes rows as they finish.
func (c *collector) order() {
	if len(c.orders) == 0 {
		return
	}
	var rows []int
	for i := range c.rows {
		if c.rows[i].Sample == 0 {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return c.orders[a] - c.orders[b] })
	next := map[string]int{}
	for _, i := range rows {
		next[c.rows[i].ID]++
		c.rows[i].Sample = next[c.rows[i].ID]
	}
}

// number gives a sample's number to each row that has none: the lowest ones
// that its case has free, in the order of the file, after every number that is
// written has been taken. A number that is written twice is a problem.
func number(name string, rows []Row, where func(row int) string) source.Problems {
	type key struct {
		id     string
		sample int
	}
	var wrong source.Problems
	taken := make(map[key]int, len(rows)) // by the row, from 1
	for i := range rows {
		row := &rows[i]
		if row.Sample == 0 {
			continue
		}
		k := key{row.ID, row.Sample}
		if first, twice := taken[k]; twice {
			wrong = append(wrong, source.Problem{
				Position: source.Position{File: name, Line: row.Line, Column: 1},
				Message:  fmt.Sprintf("sample %d of %q is there twice, at %s and at %s; delete one", row.Sample, row.ID, where(first-1), where(i)),
			})
			continue
		}
		taken[k] = i + 1
	}
	next := map[string]int{}
	for i := range rows {
		row := &rows[i]
		if row.Sample != 0 {
			continue
		}
		n := next[row.ID] + 1
		for taken[key{row.ID, n}] != 0 {
			n++
		}
		row.Sample, next[row.ID] = n, n
	}
	return wrong
}
