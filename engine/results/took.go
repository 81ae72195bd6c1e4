package results

import (
	"context"
	"database/sql"
)

// A Took is what one sample gave and what it took, without what it said. What is
// not known is nil.
type Took struct {
	Case         string
	Sample       int
	Failed       bool // the system failed, so that nothing was judged
	Pass         *bool
	Score        *float64
	LatencyMS    *float64
	InputTokens  *int
	OutputTokens *int
	CostUSD      *float64
}

// Took returns what each sample of a run gave and took, by case and number. No
// output is read, so a run of a thousand cases takes milliseconds.
func (s *Store) Took(ctx context.Context, runID string) ([]Took, error) {
	rows, err := s.db.QueryContext(ctx, `
SELECT "case", sample, error IS NOT NULL, pass, score, latency_ms, input_tokens, output_tokens, cost_usd
FROM samples WHERE run = ? ORDER BY "case", sample`, runID)
	return all(s, rows, err, func(rows *sql.Rows) (t Took, err error) {
		err = rows.Scan(&t.Case, &t.Sample, &t.Failed, &t.Pass, &t.Score, &t.LatencyMS, &t.InputTokens, &t.OutputTokens, &t.CostUSD)
		return t, err
	})
}
