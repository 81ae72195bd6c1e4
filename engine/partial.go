package engine

import (
	"context"
	"fmt"

	"docket/engine/phrase"
	"docket/engine/run"
)

// partial says that a run took only some of the suite's cases, and how all are
// seen again; "" for a run that took them all.
func (s *Suite) partial(ctx context.Context, r *run.Run) (string, error) {
	if r.Whole {
		return "", nil
	}
	left := 0
	for i := range r.Results {
		if r.Results[i].Outcome == run.NotRun {
			left++
		}
	}
	if left == 0 {
		return "", nil
	}
	note := fmt.Sprintf("run %s took %d of %s: `%s` takes all", r.ID, len(r.Results)-left, phrase.Count(len(r.Results), "case", "cases"), s.Command("run"))
	whole, err := s.lastWhole(ctx)
	if err == nil && whole != "" {
		note += ", `--run " + whole + "` shows the last run of all"
	}
	return note, err
}

// lastWhole is the id of the newest run of all cases, "" where there is none.
func (s *Suite) lastWhole(ctx context.Context) (string, error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return "", err
	}
	defer store.Close()
	filter := s.runs()
	filter.Finished, filter.Proposing = true, true
	runs, err := store.Runs(ctx, filter)
	if err != nil {
		return "", err
	}
	for _, r := range runs {
		if r.Whole {
			return r.ID, nil
		}
	}
	return "", nil
}
