package results

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"docket/engine/baseline"
	"docket/engine/run"
)

// An Entry is one result in the history of a case.
type Entry struct {
	Run      string
	Started  time.Time
	Case     string
	System   string
	Mode     string
	Config   baseline.Header
	Version  int
	Outcome  run.Outcome
	Error    string
	Pass     *bool    // of all samples that were judged; nil for none
	Score    *float64 // their mean
	Line     []byte
	Finished bool // false where the run was killed or is under way

	Samples   int
	Judged    int // samples that have a verdict
	Passes    int // of these
	Priced    int // samples whose cost is known
	CostUSD   float64
	LatencyMS *float64 // the mean of those that say; nil for none
}

// A Span chooses results. An empty field chooses all.
type Span struct {
	Suite, Case, System, Mode string
	Since                     time.Time // started then or later
}

// History returns every result of a case of a suite, the newest first. Runs
// that did not reach the case are left out.
func (s *Store) History(ctx context.Context, suite, caseID string) ([]Entry, error) {
	return s.Entries(ctx, Span{Suite: suite, Case: caseID})
}

// Entries returns the results that a span chooses, by case and the newest
// first, without those of runs that did not reach the case.
func (s *Store) Entries(ctx context.Context, span Span) ([]Entry, error) {
	since := ""
	if !span.Since.IsZero() {
		since = stamp(span.Since)
	}
	// Two questions, so that each is answered from a key: the runs of the suite,
	// and in each the case or all of it.
	where := `"case" = ?1 AND suite = ?2`
	if span.Case == "" {
		where = `?1 = '' AND suite = ?2`
	}
	rows, err := s.db.QueryContext(ctx, `SELECT runs.id, started, results."case", system, mode, config, finished IS NOT NULL, version, outcome, results.error, results.pass, results.score, line
		FROM results JOIN runs ON runs.id = results.run
		WHERE `+where+` AND outcome <> ?3 AND (?4 = '' OR system = ?4) AND (?5 = '' OR mode = ?5) AND started >= ?6
		ORDER BY results."case", started DESC, runs.id DESC`,
		span.Case, span.Suite, string(run.NotRun), span.System, span.Mode, since)
	entries, err := all(s, rows, err, scanEntry)
	if err != nil {
		return nil, err
	}
	return entries, s.tally(ctx, span.Case, entries)
}

func scanEntry(rows *sql.Rows) (e Entry, err error) {
	var started string
	var header []byte
	var failure sql.NullString
	if err := rows.Scan(&e.Run, &started, &e.Case, &e.System, &e.Mode, &header, &e.Finished, &e.Version, &e.Outcome, &failure, &e.Pass, &e.Score, &e.Line); err != nil {
		return e, err
	}
	e.Error = failure.String
	if e.Started, err = time.Parse(stampLayout, started); err != nil {
		return e, fmt.Errorf("run %q has no time: %w", e.Run, err)
	}
	e.Config, err = baseline.ParseHeader(header)
	return e, err
}

// tally adds up the samples of each entry, one question for each run. caseID is
// the only case there is; "" for several.
func (s *Store) tally(ctx context.Context, caseID string, entries []Entry) error {
	type key struct{ run, id string }
	at := make(map[key]*Entry, len(entries))
	asked := map[string]bool{}
	for i := range entries {
		at[key{entries[i].Run, entries[i].Case}] = &entries[i]
	}
	of := `"case" = ?2`
	if caseID == "" {
		of = `?2 = ''`
	}
	question, err := s.db.PrepareContext(ctx, `
SELECT "case", count(*), count(pass), sum(pass), count(cost_usd), sum(cost_usd), avg(latency_ms)
FROM samples WHERE run = ?1 AND `+of+` GROUP BY "case"`)
	if err != nil {
		return s.explain(err)
	}
	defer question.Close()
	for i := range entries {
		name := entries[i].Run
		if asked[name] {
			continue
		}
		asked[name] = true
		rows, err := question.QueryContext(ctx, name, caseID)
		counts, err := all(s, rows, err, scanCount)
		if err != nil {
			return err
		}
		for _, c := range counts {
			if e := at[key{name, c.Case}]; e != nil {
				e.Samples, e.Judged, e.Passes, e.Priced, e.CostUSD, e.LatencyMS = c.Samples, c.Judged, c.Passes, c.Priced, c.CostUSD, c.LatencyMS
			}
		}
	}
	return nil
}

// scanCount reads what the samples of one case in one run add up to.
func scanCount(rows *sql.Rows) (e Entry, err error) {
	var passes sql.NullInt64
	var cost sql.NullFloat64
	err = rows.Scan(&e.Case, &e.Samples, &e.Judged, &passes, &e.Priced, &cost, &e.LatencyMS)
	e.Passes, e.CostUSD = int(passes.Int64), cost.Float64
	return e, err
}
