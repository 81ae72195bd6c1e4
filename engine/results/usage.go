package results

import (
	"context"
	"database/sql"
	"fmt"
)

// A Usage is what the samples of a run took, as far as it is known.
type Usage struct {
	Samples      int
	Priced       int     // samples whose cost is known
	CostUSD      float64 // of these
	InputTokens  int     // of the samples that say
	OutputTokens int
}

// Usage adds up what the samples of a run took. A run that the store has not
// got took nothing.
func (s *Store) Usage(ctx context.Context, runID string) (Usage, error) {
	var u Usage
	var cost sql.NullFloat64
	var in, out sql.NullInt64
	err := s.db.QueryRowContext(ctx, `
SELECT count(*), count(cost_usd), sum(cost_usd), sum(input_tokens), sum(output_tokens) FROM samples WHERE run = ?`, runID).
		Scan(&u.Samples, &u.Priced, &cost, &in, &out)
	if err != nil {
		return Usage{}, fmt.Errorf("the results store: %w", err)
	}
	u.CostUSD, u.InputTokens, u.OutputTokens = cost.Float64, int(in.Int64), int(out.Int64)
	return u, nil
}
