package engine

import (
	"context"
	"fmt"

	"docket/engine/phrase"
	"docket/engine/run"
)

// Cost says in a sentence what a stored run cost, and what of it is not known;
// "" where no sample of it says.
func (s *Suite) Cost(ctx context.Context, r *run.Run) (string, error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return "", err
	}
	defer store.Close()
	used, err := store.Usage(ctx, r.ID)
	if err != nil || used.Priced == 0 {
		return "", err
	}
	said := fmt.Sprintf("cost $%.4f for %s", used.CostUSD, phrase.Count(used.Samples, "sample", "samples"))
	if unknown := used.Samples - used.Priced; unknown > 0 {
		said += fmt.Sprintf(", without that of %d, which is not known", unknown)
	}
	return said, nil
}
