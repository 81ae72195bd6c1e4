package results

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"docket/engine/run"
)

// A Tally counts what finished runs said of one case: results that a check
// judged, and those that failed.
type Tally struct {
	Case           string
	Judged, Failed int
	First, Last    time.Time // of the runs that judged it
	LastFailed     time.Time // zero where none failed
}

// Tallies counts the results of all cases of a suite by case, over runs that
// asked a model or replayed one. Mock runs are left out: a canned answer that
// passes always passes.
func (s *Store) Tallies(ctx context.Context, suite string) (map[string]Tally, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT "case", count(pass), coalesce(sum(pass = 0), 0), min(started), max(started), max(CASE WHEN pass = 0 THEN started END)
		FROM runs JOIN results ON runs.id = results.run
		WHERE suite = ? AND mode <> 'mock' AND finished IS NOT NULL AND outcome = ? AND pass IS NOT NULL
		GROUP BY "case"`, suite, string(run.Measured))
	list, err := all(s, rows, err, func(rows *sql.Rows) (t Tally, err error) {
		var first, last, failed sql.NullString
		if err := rows.Scan(&t.Case, &t.Judged, &t.Failed, &first, &last, &failed); err != nil {
			return t, err
		}
		for _, at := range []struct {
			to   *time.Time
			from sql.NullString
		}{{&t.First, first}, {&t.Last, last}, {&t.LastFailed, failed}} {
			if at.from.Valid {
				if *at.to, err = time.Parse(stampLayout, at.from.String); err != nil {
					return t, fmt.Errorf("a run of case %q has no time: %w", t.Case, err)
				}
			}
		}
		return t, nil
	})
	tallies := make(map[string]Tally, len(list))
	for _, t := range list {
		tallies[t.Case] = t
	}
	return tallies, err
}
