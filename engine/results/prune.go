package results

import (
	"context"
	"fmt"
	"time"
)

// A Retention says which outputs are let go. Results, verdicts, costs and times
// are never among them.
type Retention struct {
	// Before lets go of the outputs of runs that started earlier; zero of none.
	Before time.Time
	// MaxBytes lets go of the oldest outputs until those that are left take no more;
	// 0 of none.
	MaxBytes int64
	// Keep are hashes of outputs that stay whatever their age: those that the lines
	// of a baseline name.
	Keep map[string]bool
}

// Pruned is what was let go, or would be.
type Pruned struct {
	Cases   int   // results whose outputs went
	Samples int   // of these
	Bytes   int64 // that the outputs took
	Left    int64 // bytes of outputs that are left
	Kept    int   // results whose outputs were old enough to go, and stay for a baseline
}

// Prune lets outputs go, the oldest first, in one transaction, and gives the room
// back to the disk. With dry it only counts. A run that has not ended, and the
// last of each suite and mode, keep theirs: somebody may go on with the one, and
// decide on the other.
func (s *Store) Prune(ctx context.Context, r Retention, dry bool) (Pruned, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return Pruned{}, s.explain(err)
	}
	defer tx.Rollback() // does nothing after a commit
	keep := make(map[[32]byte]bool, len(r.Keep))
	for hash := range r.Keep {
		if b := hashBytes(hash); b != nil {
			keep[[32]byte(b)] = true
		}
	}
	type stored struct {
		run, id string
		started string
		outputs []byte
		samples int
		bytes   int64
	}
	rows, err := tx.QueryContext(ctx, `
SELECT results.run, results."case", runs.started, results.outputs, count(*), sum(length(samples.output))
FROM samples JOIN results ON results.run = samples.run AND results."case" = samples."case" JOIN runs ON runs.id = samples.run
WHERE samples.output IS NOT NULL AND runs.finished IS NOT NULL
	AND EXISTS (SELECT 1 FROM runs AS later WHERE later.suite = runs.suite AND later.mode = runs.mode AND later.started > runs.started)
GROUP BY results.run, results."case" ORDER BY runs.started, results.run, results."case"`)
	if err != nil {
		return Pruned{}, s.explain(err)
	}
	var list []stored
	var p Pruned
	for rows.Next() {
		var one stored
		if err := rows.Scan(&one.run, &one.id, &one.started, &one.outputs, &one.samples, &one.bytes); err != nil {
			rows.Close()
			return Pruned{}, s.explain(err)
		}
		list = append(list, one)
	}
	if err := rows.Err(); err != nil {
		return Pruned{}, s.explain(err)
	}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(length(output)), 0) FROM samples`).Scan(&p.Left); err != nil {
		return Pruned{}, s.explain(err)
	}
	before := ""
	if !r.Before.IsZero() {
		before = stamp(r.Before)
	}
	for _, one := range list {
		if !(one.started < before || r.MaxBytes > 0 && p.Left > r.MaxBytes) {
			continue
		}
		if len(one.outputs) == 32 && keep[[32]byte(one.outputs)] {
			p.Kept++
			continue
		}
		p.Cases++
		p.Samples += one.samples
		p.Bytes += one.bytes
		p.Left -= one.bytes
		if dry {
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE samples SET output = NULL WHERE run = ? AND "case" = ?`, one.run, one.id); err != nil {
			return Pruned{}, s.explain(err)
		}
		// What is looked for by this hash is not here any more.
		if _, err := tx.ExecContext(ctx, `UPDATE results SET outputs = NULL WHERE run = ? AND "case" = ?`, one.run, one.id); err != nil {
			return Pruned{}, s.explain(err)
		}
	}
	if dry || p.Cases == 0 {
		return p, nil
	}
	if err := tx.Commit(); err != nil {
		return Pruned{}, s.explain(err)
	}
	if _, err := s.db.ExecContext(ctx, `VACUUM`); err != nil {
		return p, fmt.Errorf("the outputs went, and the file could not be made smaller: %w", s.explain(err))
	}
	return p, nil
}
