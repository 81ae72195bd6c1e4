package results

import (
	"context"
	"fmt"

	"docket/engine/run"
)

// Replace puts results into a run that is finished, in the place of what it
// said of the same cases, samples included, in one transaction. The run's
// configuration, and whether it is whole, are kept with them. The error is
// ErrNone for a run or a case that the store has not got; nothing is changed
// then.
func (s *Store) Replace(ctx context.Context, r *run.Run, results []run.Result) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	defer tx.Rollback() // does nothing after a commit
	one := func(what, query string, values ...any) error {
		changed, err := tx.ExecContext(ctx, query, values...)
		if err != nil {
			return s.explain(err)
		}
		if n, err := changed.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("%s is %w", what, ErrNone)
		}
		return nil
	}
	if err := one(fmt.Sprintf("the run %q", r.ID), `UPDATE runs SET config = ?, sources = ?, whole = ?, interrupted = ? WHERE id = ?`,
		config(r.Config), sources(r.Sources), r.Whole, r.Interrupted, r.ID); err != nil {
		return err
	}
	samples := bulk{tx: tx, into: sampleTable, columns: sampleTableColumns}
	for _, result := range results {
		row := encode(result)
		if err := one(fmt.Sprintf("the case %q in run %q", result.ID, r.ID),
			`UPDATE results SET version = ?, outcome = ?, error = ?, pass = ?, score = ?, line = ?, outputs = ? WHERE run = ? AND "case" = ?`,
			result.Version, row.outcome, row.err, row.pass, row.score, row.line, row.outputs, r.ID, result.ID); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM samples WHERE run = ? AND "case" = ?`, r.ID, result.ID); err != nil {
			return s.explain(err)
		}
		for i := range row.samples {
			if err := samples.add(ctx, row.samples[i].values(r.ID, result.ID)...); err != nil {
				return s.explain(err)
			}
		}
	}
	if err := samples.flush(ctx); err != nil {
		return s.explain(err)
	}
	return s.explain(tx.Commit())
}
