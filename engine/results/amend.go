package results

import (
	"context"
	"fmt"

	"docket/engine/run"
)

// Amend adds further samples to results of a run that is finished, in one
// transaction. The results come with all their samples, those that the store
// has already included: these stay as they are, and the others are added. What
// the result says of all of them (its line, pass and score) is put in the place
// of what it said before. Answered, in the run's configuration, may grow, and a
// run that was not whole may become so.
//
// The error is ErrNone for a run or a case that the store has not got. Where
// another process added a sample of the same number meanwhile nothing is
// changed.
func (s *Store) Amend(ctx context.Context, r *run.Run, results []run.Result) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	defer tx.Rollback() // does nothing after a commit
	changed, err := tx.ExecContext(ctx, `UPDATE runs SET config = ?, whole = ?, interrupted = ? WHERE id = ?`, config(r.Config), r.Whole, r.Interrupted, r.ID)
	if err != nil {
		return s.explain(err)
	}
	if n, err := changed.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("the run %q is %w", r.ID, ErrNone)
	}
	samples := bulk{tx: tx, into: sampleTable, columns: sampleTableColumns}
	for _, result := range results {
		var last, have int
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(sample), 0), count(*) FROM samples WHERE run = ? AND "case" = ?`, r.ID, result.ID).Scan(&last, &have); err != nil {
			return s.explain(err)
		}
		row := encode(result)
		changed, err := tx.ExecContext(ctx, `UPDATE results SET outcome = ?, error = ?, pass = ?, score = ?, line = ?, outputs = ? WHERE run = ? AND "case" = ?`,
			row.outcome, row.err, row.pass, row.score, row.line, row.outputs, r.ID, result.ID)
		if err != nil {
			return s.explain(err)
		}
		if n, err := changed.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("the case %q in run %q is %w", result.ID, r.ID, ErrNone)
		}
		known := 0
		for i := range row.samples {
			x := &row.samples[i]
			if x.number <= last {
				known++
				continue
			}
			if err := samples.add(ctx, x.values(r.ID, result.ID)...); err != nil {
				return s.explain(err)
			}
		}
		if have != known {
			return fmt.Errorf("samples of the case %q were added to run %s by another docket meanwhile; nothing was changed, look again", result.ID, r.ID)
		}
	}
	if err := samples.flush(ctx); err != nil {
		return s.explain(err)
	}
	return s.explain(tx.Commit())
}
