package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"docket/engine/run"
)

// A batch is written at the latest once it has so many results, so many bytes,
// or is so old: a process that is killed loses no more.
const (
	batchResults = 500
	batchBytes   = 4 << 20
	batchAge     = 500 * time.Millisecond
)

// A Writer keeps the results of one run. It is a run.Sink. Results are gathered
// and written in short transactions, so that a slow run does not keep other
// processes from writing.
type Writer struct {
	store *Store
	id    string

	mu     sync.Mutex
	rows   []resultRow
	bytes  int
	timer  *time.Timer // runs while there are rows
	failed error       // of a write that nobody waited for
	closed bool
}

// ErrTaken is what Begin gives for a run whose id the store has already.
var ErrTaken = errors.New("the store has a run of this id")

// Begin enters a run that is about to start and returns the writer of its
// results. The run stays unfinished in the store until Finish. The error is
// ErrTaken where another run has its id: two runs of one second drew the same
// four digits.
func (s *Store) Begin(ctx context.Context, r *run.Run) (*Writer, error) {
	if r.ID == "" {
		return nil, errors.New("a run needs an id before it can be kept")
	}
	done, err := s.db.ExecContext(ctx,
		`INSERT OR IGNORE INTO runs (id, suite, system, mode, services, started, finished, whole, interrupted, recorded, evidence, config, purpose, remark)
		VALUES (?, ?, ?, ?, ?, ?, NULL, 0, 0, ?, ?, ?, ?, ?)`,
		r.ID, r.Config.Suite, r.Config.System, r.Config.Mode, r.Services, stamp(r.Started), r.Recorded, r.Evidence, config(r.Config), string(r.Purpose), r.Remark)
	if err != nil {
		return nil, s.explain(err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return nil, fmt.Errorf("the run %q cannot be kept: %w", r.ID, ErrTaken)
	}
	return &Writer{store: s, id: r.ID}, nil
}

// Put keeps one result with its samples. It returns before they are on the
// disk; an error may be that of an earlier result.
func (w *Writer) Put(ctx context.Context, r run.Result) error {
	row := encode(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errors.New("the run was finished already")
	}
	if w.failed != nil {
		return w.failed
	}
	w.rows = append(w.rows, row)
	w.bytes += row.size()
	if len(w.rows) >= batchResults || w.bytes >= batchBytes {
		return w.flush(ctx)
	}
	if w.timer == nil {
		w.timer = time.AfterFunc(batchAge, w.flushLate)
	}
	return nil
}

// flushLate writes a batch that has waited long enough.
func (w *Writer) flushLate() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.flush(context.Background()); err != nil && w.failed == nil {
		w.failed = err
	}
}

// flush writes the batch, which takes milliseconds and is not broken off: what
// finished is kept. The caller holds the lock.
func (w *Writer) flush(ctx context.Context) error {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if len(w.rows) == 0 {
		return nil
	}
	err := w.store.insert(context.WithoutCancel(ctx), w.id, w.rows)
	clear(w.rows)
	w.rows, w.bytes = w.rows[:0], 0
	return err
}

// insert writes results and their samples in one transaction.
func (s *Store) insert(ctx context.Context, id string, rows []resultRow) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	defer tx.Rollback() // does nothing after a commit
	results := bulk{tx: tx, into: `results (run, "case", version, outcome, error, pass, score, line, outputs)`, columns: 9}
	samples := bulk{tx: tx, into: sampleTable, columns: sampleTableColumns}
	for i := range rows {
		r := &rows[i]
		if err := results.add(ctx, id, r.id, r.version, r.outcome, r.err, r.pass, r.score, r.line, r.outputs); err != nil {
			return s.explain(err)
		}
		for j := range r.samples {
			if err := samples.add(ctx, r.samples[j].values(id, r.id)...); err != nil {
				return s.explain(err)
			}
		}
	}
	if err := errors.Join(results.flush(ctx), samples.flush(ctx)); err != nil {
		return s.explain(err)
	}
	return s.explain(tx.Commit())
}

// sampleTable is what an insert of a sample fills, in the order of values.
const (
	sampleTable        = `samples (run, "case", sample, error, output, latency_ms, input_tokens, output_tokens, cost_usd, pass, score, checks)`
	sampleTableColumns = 12
)

func (x *sampleRow) values(run, id string) []any {
	return []any{run, id, x.number, x.err, x.output, x.latency, x.inputTokens, x.outputTokens, x.cost, x.pass, x.score, x.checks}
}

// A bulk inserts rows of one table, several with each statement: most of what
// an insert costs is spent on the way to SQLite.
type bulk struct {
	tx      *sql.Tx
	into    string // table and columns
	columns int
	full    *sql.Stmt // inserts bulkRows rows
	values  []any
}

const bulkRows = 20

func (b *bulk) add(ctx context.Context, values ...any) error {
	b.values = append(b.values, values...)
	if len(b.values) < bulkRows*b.columns {
		return nil
	}
	if b.full == nil {
		var err error
		if b.full, err = b.tx.PrepareContext(ctx, b.statement(bulkRows)); err != nil {
			return err
		}
	}
	_, err := b.full.ExecContext(ctx, b.values...)
	b.values = b.values[:0]
	return err
}

// flush inserts what is left.
func (b *bulk) flush(ctx context.Context) error {
	if len(b.values) == 0 {
		return nil
	}
	_, err := b.tx.ExecContext(ctx, b.statement(len(b.values)/b.columns), b.values...)
	return err
}

// statement inserts OR FAIL, since the transaction is rolled back whole: SQLite
// then need not be able to undo half a statement.
func (b *bulk) statement(rows int) string {
	row := "(" + strings.Repeat("?, ", b.columns-1) + "?)"
	return "INSERT OR FAIL INTO " + b.into + " VALUES " + strings.Repeat(row+", ", rows-1) + row
}

// Finish writes what is left and marks the run finished, with what is known of
// it now: whether it was whole, and which models answered.
func (w *Writer) Finish(ctx context.Context, r *run.Run) error {
	if err := w.Close(); err != nil {
		return err
	}
	_, err := w.store.db.ExecContext(ctx,
		`UPDATE runs SET finished = ?, whole = ?, interrupted = ?, config = ?, sources = ?, remark = ? WHERE id = ?`,
		stamp(r.Finished), r.Whole, r.Interrupted, config(r.Config), sources(r.Sources), r.Remark, w.id)
	return w.store.explain(err)
}

// Close writes what is left and leaves the run unfinished. It does nothing
// after Finish.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	if err := w.flush(context.Background()); err != nil {
		return err
	}
	return w.failed
}
