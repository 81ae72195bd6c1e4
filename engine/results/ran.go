package results

import (
	"context"
	"database/sql"

	"docket/engine/run"
)

// Ran counts the measured results of all cases of a suite by case, in every
// mode.
func (s *Store) Ran(ctx context.Context, suite string) (map[string]int, error) {
	type count struct {
		id string
		n  int
	}
	rows, err := s.db.QueryContext(ctx, `SELECT "case", count(*) FROM runs JOIN results ON runs.id = results.run
		WHERE suite = ? AND outcome = ? GROUP BY "case"`, suite, string(run.Measured))
	list, err := all(s, rows, err, func(rows *sql.Rows) (c count, err error) {
		return c, rows.Scan(&c.id, &c.n)
	})
	counts := make(map[string]int, len(list))
	for _, c := range list {
		counts[c.id] = c.n
	}
	return counts, err
}
