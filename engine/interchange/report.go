package interchange

import (
	"fmt"
	"maps"
	"slices"
)

// A Report says what was found in a file, so that a person can see whether it
// was read as it was meant.
type Report struct {
	Rows  int
	Cases int // different ids
	// Fewest and Most are the numbers of samples of the case with the fewest
	// and of the one with the most.
	Fewest, Most int
	Errors       int // rows that say that the system failed
	Unjudged     int // rows without an error and without a check of the tool that made the file
	// Ordered is the number of rows whose sample has its number from the order
	// of the file: the file gives it none.
	Ordered int
	Skipped int // rows of variants that were not asked for
	// Rule says what a row's id is taken from, where the file has no id of its
	// own for a case; "" where it has.
	Rule string
	// Notes are sentences on what a reader of the report should know: that a
	// run was cancelled, say. They may quote untrusted text.
	Notes  []string
	Absent []Count // what rows without an error do not say: it stays unknown
	Unread []Count // keys that docket does not know; they are kept with the raw output
}

// A Count says on how many rows a key was absent, or was there.
type Count struct {
	Key  string
	Rows int
}

// A tally collects a Report while rows are read.
type tally struct {
	absent, unread map[string]int
	skipped        int
	ordered        int
	rule           string
	notes          []string
}

func newTally() *tally {
	return &tally{absent: map[string]int{}, unread: map[string]int{}}
}

// missing counts what a row of another tool does not say.
func (t *tally) missing(row *Row) {
	if row.Error != "" {
		return
	}
	out := &row.Output
	for key, absent := range map[string]bool{
		"text": out.Text == "" && len(out.ToolCalls) == 0, "tool_calls": out.ToolCalls == nil,
		"input": row.Input == nil, "model": out.Model == "", "latency_ms": out.LatencyMS == nil,
		"input_tokens": out.InputTokens == nil, "output_tokens": out.OutputTokens == nil, "cost_usd": out.CostUSD == nil,
	} {
		if absent {
			t.absent[key]++
		}
	}
}

// note keeps a sentence for the report, once.
func (t *tally) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(t.notes, s) {
		t.notes = append(t.notes, s)
	}
}

func (t *tally) add(r *record) {
	for _, key := range r.unread {
		t.unread[key]++
	}
	if r.row.Error == "" {
		for _, key := range r.absent {
			t.absent[key]++
		}
	}
}

func (t *tally) report(rows []Row) Report {
	samples := map[string]int{}
	report := Report{
		Rows: len(rows), Absent: counts(t.absent), Unread: counts(t.unread),
		Ordered: t.ordered, Skipped: t.skipped, Rule: t.rule, Notes: t.notes,
	}
	for i := range rows {
		samples[rows[i].ID]++
		if rows[i].Error != "" {
			report.Errors++
		} else if len(rows[i].Checks) == 0 {
			report.Unjudged++
		}
	}
	report.Cases = len(samples)
	for _, n := range samples {
		report.Most = max(report.Most, n)
		if report.Fewest == 0 || n < report.Fewest {
			report.Fewest = n
		}
	}
	return report
}

func counts(rows map[string]int) []Count {
	var all []Count
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		all = append(all, Count{Key: key, Rows: rows[key]})
	}
	return all
}
