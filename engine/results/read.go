package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"docket/engine/baseline"
	"docket/engine/output"
	"docket/engine/run"
)

// ErrNone is what a question after something that is not in the store gives.
var ErrNone = errors.New("not in the results store")

// A Filter chooses runs. An empty field chooses all.
type Filter struct {
	Suite, Mode, System string
	Finished            bool // leave out runs that are under way or were killed
	// Proposing leaves out runs that propose no line: those made to count false
	// alarms.
	Proposing bool
	// Asked leaves out runs that a look at another system than the suite's made
	// on its way: nobody asked for them by `run`.
	Asked   bool
	Purpose run.Purpose // only runs made for it; "" for all
	Limit   int         // at most so many; 0 for all
}

// Runs returns the runs that a filter chooses, without results, the newest
// first. A run that has not finished has a zero Finished.
func (s *Store) Runs(ctx context.Context, f Filter) ([]*run.Run, error) {
	limit := f.Limit
	if limit <= 0 {
		limit = -1 // none, to SQLite
	}
	rows, err := s.db.QueryContext(ctx, `SELECT `+runColumns+` FROM runs
		WHERE (?1 = '' OR suite = ?1) AND (?2 = '' OR mode = ?2) AND (?3 = '' OR system = ?3) AND (NOT ?4 OR finished IS NOT NULL)
			AND (NOT ?5 OR purpose NOT IN ('again', 'capture')) AND (?6 = '' OR purpose = ?6) AND (NOT ?8 OR purpose <> 'shown')
		ORDER BY started DESC, id DESC LIMIT ?7`, f.Suite, f.Mode, f.System, f.Finished, f.Proposing, string(f.Purpose), limit, f.Asked)
	return all(s, rows, err, func(rows *sql.Rows) (*run.Run, error) { return scanRun(rows) })
}

// LastRun returns the newest of the runs that a filter chooses, have finished
// and propose lines, with its results and without their samples. An interrupted
// run counts as finished. The error is ErrNone where there is no such run.
func (s *Store) LastRun(ctx context.Context, f Filter) (*run.Run, error) {
	f.Finished, f.Proposing, f.Limit = true, true, 1
	runs, err := s.Runs(ctx, f)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("a run of suite %q is %w", f.Suite, ErrNone)
	}
	return runs[0], s.fill(ctx, runs[0])
}

// Run returns a run with its results, sorted by id, without their samples. The
// error is ErrNone where there is no run of that id.
func (s *Store) Run(ctx context.Context, id string) (*run.Run, error) {
	r, err := scanRun(s.db.QueryRowContext(ctx, `SELECT `+runColumns+` FROM runs WHERE id = ?`, id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("the run %q is %w", id, ErrNone)
	case err != nil:
		return nil, s.explain(err)
	}
	return r, s.fill(ctx, r)
}

// Samples returns the samples of one case in one run, in the order of their
// numbers; none where the store has none.
func (s *Store) Samples(ctx context.Context, runID, caseID string) ([]run.Sample, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+sampleColumns+` FROM samples WHERE run = ? AND "case" = ? ORDER BY sample`, runID, caseID)
	return all(s, rows, err, func(rows *sql.Rows) (run.Sample, error) { return scanSample(rows) })
}

// Found says where outputs that were looked for come from.
type Found struct {
	Run     string // id of the newest run that has them
	Case    string
	Samples []run.Sample
}

// Outputs returns the samples that a baseline's line names by the hash of its
// outputs. The error is ErrNone where this store has not got them.
func (s *Store) Outputs(ctx context.Context, hash string) (*Found, error) {
	found := &Found{}
	err := s.db.QueryRowContext(ctx, `SELECT run, "case" FROM results WHERE outputs = ? ORDER BY run DESC LIMIT 1`, hashBytes(hash)).
		Scan(&found.Run, &found.Case)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("outputs %q are %w", hash, ErrNone)
	case err != nil:
		return nil, s.explain(err)
	}
	found.Samples, err = s.Samples(ctx, found.Run, found.Case)
	return found, err
}

// fill reads the results of a run.
func (s *Store) fill(ctx context.Context, r *run.Run) error {
	rows, err := s.db.QueryContext(ctx, `SELECT "case", version, outcome, error, line FROM results WHERE run = ? ORDER BY "case"`, r.ID)
	r.Results, err = all(s, rows, err, func(rows *sql.Rows) (result run.Result, err error) {
		var failure sql.NullString
		err = rows.Scan(&result.ID, &result.Version, &result.Outcome, &failure, &result.Line)
		result.Error = failure.String
		return result, err
	})
	return err
}

// all reads the rows of a query to the end.
func all[T any](s *Store, rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	var items []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, s.explain(err)
		}
		items = append(items, item)
	}
	return items, s.explain(rows.Err())
}

const runColumns = `id, services, started, finished, whole, interrupted, recorded, evidence, config, sources, purpose, remark`

// scanner is a row of a query.
type scanner interface{ Scan(into ...any) error }

func scanRun(row scanner) (*run.Run, error) {
	r := &run.Run{}
	var started string
	var finished sql.NullString
	var header, answered []byte
	err := row.Scan(&r.ID, &r.Services, &started, &finished, &r.Whole, &r.Interrupted, &r.Recorded, &r.Evidence, &header, &answered, &r.Purpose, &r.Remark)
	if err != nil {
		return nil, err
	}
	if r.Started, err = time.Parse(stampLayout, started); err != nil {
		return nil, fmt.Errorf("run %q has no time: %w", r.ID, err)
	}
	if finished.Valid {
		if r.Finished, err = time.Parse(stampLayout, finished.String); err != nil {
			return nil, fmt.Errorf("run %q has no time: %w", r.ID, err)
		}
	}
	if len(answered) > 0 {
		if err := json.Unmarshal(answered, &r.Sources); err != nil {
			return nil, fmt.Errorf("who answered in run %q cannot be read: %w", r.ID, err)
		}
	}
	r.Config, err = baseline.ParseHeader(header)
	return r, err
}

const sampleColumns = `sample, error, output, latency_ms, input_tokens, output_tokens, cost_usd, pass, score, checks`

// scanSample reads a row that begins with the columns first.
func scanSample(row scanner, first ...any) (run.Sample, error) {
	var s run.Sample
	var failure sql.NullString
	var encoded, checks []byte
	var numbers output.Output
	err := row.Scan(append(first, &s.Number, &failure, &encoded, &numbers.LatencyMS, &numbers.InputTokens, &numbers.OutputTokens, &numbers.CostUSD, &s.Pass, &s.Score, &checks)...)
	if err != nil {
		return s, err
	}
	s.Error = failure.String
	if len(encoded) > 0 {
		var stored storedOutput
		if err := json.Unmarshal(encoded, &stored); err != nil {
			return s, fmt.Errorf("a stored output cannot be read: %w", err)
		}
		s.Output, s.Given = stored.Output, stored.Given
	}
	s.Output.LatencyMS, s.Output.CostUSD = numbers.LatencyMS, numbers.CostUSD
	s.Output.InputTokens, s.Output.OutputTokens = numbers.InputTokens, numbers.OutputTokens
	if len(checks) > 0 {
		if err := json.Unmarshal(checks, &s.Checks); err != nil {
			return s, fmt.Errorf("stored verdicts cannot be read: %w", err)
		}
	}
	return s, nil
}
