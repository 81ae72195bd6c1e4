package engine

import (
	"context"
	"errors"
	"fmt"

	"docket/engine/baseline"
	"docket/engine/export"
	"docket/engine/results"
	"docket/engine/run"
	"docket/engine/safetext"
)

// Exported returns a stored run of the suite with all of its samples: that of an
// id, or for "" the last one that finished, in any mode. What was asked stands
// with a case that was not edited since.
func (s *Suite) Exported(ctx context.Context, id string) (*export.Run, error) {
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	r, err := s.exported(ctx, store, id)
	if err != nil {
		return nil, err
	}
	out := &export.Run{Run: r}
	for _, result := range r.Results {
		c := export.Case{Result: result}
		if c.Samples, err = store.Samples(ctx, r.ID, c.ID); err != nil {
			return nil, err
		}
		line, err := baseline.ParseLine(c.Line)
		if now, ok := s.Case(c.ID); ok && (err != nil || line.Input == now.InputHash) {
			c.Input = now.Input
		}
		out.Cases = append(out.Cases, c)
	}
	return out, nil
}

func (s *Suite) exported(ctx context.Context, store *results.Store, id string) (*run.Run, error) {
	if id != "" {
		return s.anyRun(ctx, store, id)
	}
	r, err := store.LastRun(ctx, results.Filter{Suite: s.Name})
	return r, s.noRun(err)
}

// anyRun returns the run of an id, whatever it was made for.
func (s *Suite) anyRun(ctx context.Context, store *results.Store, id string) (*run.Run, error) {
	r, err := store.Run(ctx, id)
	switch {
	case errors.Is(err, results.ErrNone):
		return nil, fmt.Errorf("no run %q in %s: `docket run` prints the id of each run", id, s.Project.Config.Results)
	case err != nil:
		return nil, err
	case r.Config.Suite != s.Name:
		return nil, fmt.Errorf("run %s is of suite %s, not of %s: say --suite %s", id, r.Config.Suite, s.Name, safetext.Word(r.Config.Suite))
	}
	return r, nil
}

func (s *Suite) noRun(err error) error {
	if errors.Is(err, results.ErrNone) {
		return fmt.Errorf("suite %s has %w yet: make one with `%s`", s.Name, ErrNoRun, s.Command("run"))
	}
	return err
}
