package results

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"docket/engine/run"
)

// Interrupt marks a run as interrupted of which Finish was never called, since
// its process was killed: what it had by then counts, and the cases given, as
// far as it has nothing of them, are not run. The caller knows that the run is
// not under way. Of a run that is finished, or of which nothing is kept, nothing
// is changed, and there is false.
//
// The models that answered are taken from the samples. Who answered for services
// is not known of such a run.
func (s *Store) Interrupt(ctx context.Context, r *run.Run, cases []run.Result, at time.Time) (bool, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return false, s.explain(err)
	}
	defer tx.Rollback() // does nothing after a commit
	var kept int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM results WHERE run = ? AND outcome <> ?`, r.ID, string(run.NotRun)).Scan(&kept); err != nil {
		return false, s.explain(err)
	}
	if kept == 0 {
		return false, nil
	}
	header := r.Config
	// What SQLite does not take for JSON, such as what a system nested a thousand
	// deep, says nothing of a model.
	rows, err := tx.QueryContext(ctx, `SELECT DISTINCT json_extract(CAST(output AS TEXT), '$.model') AS model FROM samples
		WHERE run = ? AND output IS NOT NULL AND json_valid(CAST(output AS TEXT)) AND model <> '' ORDER BY model`, r.ID)
	if header.Answered, err = all(s, rows, err, func(row *sql.Rows) (model string, err error) { return model, row.Scan(&model) }); err != nil {
		return false, err
	}
	header.Samples = max(header.Samples, 1)
	changed, err := tx.ExecContext(ctx, `UPDATE runs SET finished = ?, whole = 0, interrupted = 1, config = ? WHERE id = ? AND finished IS NULL`, stamp(at), config(header), r.ID)
	if err != nil {
		return false, s.explain(err)
	}
	if n, err := changed.RowsAffected(); err != nil || n == 0 {
		return false, s.explain(err)
	}
	for _, c := range cases {
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO results (run, "case", version, outcome) VALUES (?, ?, ?, ?)`, r.ID, c.ID, c.Version, string(run.NotRun)); err != nil {
			return false, s.explain(err)
		}
	}
	if err := tx.Commit(); err != nil {
		return false, fmt.Errorf("the run %q: %w", r.ID, s.explain(err))
	}
	return true, nil
}
