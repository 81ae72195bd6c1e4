package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"docket/engine/disk"
	"docket/engine/results"
	"docket/engine/run"
)

// hold takes the lock that says that a run is under way. The system lets go of
// it however the process ends, so that a run which has not finished, and whose
// lock nobody holds, is one whose process was killed. The error is a
// *disk.HeldError where another process makes, or goes on with, that run.
func (p *Project) hold(runID string) (disk.Lock, error) {
	name := filepath.Join(p.Dir, ".docket", "runs", runID+disk.LockSuffix)
	if err := disk.MakeFolders(p.fsys, p.Dir, filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	return p.fsys.Lock(name)
}

// lastRun returns the newest run that the suite is about. Where that is one that
// was killed it is marked as interrupted first, as if a person had stopped it:
// what it had by then is kept, and Resume goes on with it.
func (s *Suite) lastRun(ctx context.Context, store *results.Store) (*run.Run, error) {
	filter := s.runs()
	filter.Proposing, filter.Limit = true, 1
	newest, err := store.Runs(ctx, filter)
	if err != nil {
		return nil, err
	}
	if len(newest) > 0 && newest[0].Finished.IsZero() && newest[0].Purpose == run.Compared {
		if err := s.interrupt(ctx, store, newest[0]); err != nil {
			return nil, err
		}
	}
	filter = s.runs()
	filter.Finished, filter.Proposing = true, true
	r, err := s.standing(ctx, store, filter)
	if err != nil || r != nil {
		return r, err
	}
	return store.LastRun(ctx, s.runs())
}

// standing returns the newest of the runs that a filter chooses whose proposal is
// not spent: one that judged the baseline again says nothing more once it is
// written, and the run before it is the one that people mean. It is nil where
// there is none, or none but such.
func (s *Suite) standing(ctx context.Context, store *results.Store, filter results.Filter) (*run.Run, error) {
	const looked = 20
	filter.Limit = looked
	runs, err := store.Runs(ctx, filter)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Purpose != run.Rescore || !s.recorded(r) {
			return store.Run(ctx, r.ID)
		}
	}
	return nil, nil
}

// interrupt marks a run as interrupted, where it is not under way.
func (s *Suite) interrupt(ctx context.Context, store *results.Store, r *run.Run) error {
	lock, err := s.Project.hold(r.ID)
	if held := (*disk.HeldError)(nil); errors.As(err, &held) {
		return nil
	}
	if err != nil {
		return err
	}
	cases := make([]run.Result, len(s.planned))
	for i, p := range s.planned {
		cases[i] = run.Result{ID: p.Case.ID, Version: p.Case.Version}
	}
	_, err = store.Interrupt(ctx, r, cases, time.Now())
	return errors.Join(err, lock.Release())
}

// holdAgain takes the lock of a run that is to be gone on with, so that two
// processes do not pay for the same cases.
func (s *Suite) holdAgain(r *run.Run) (disk.Lock, error) {
	lock, err := s.Project.hold(r.ID)
	if held := (*disk.HeldError)(nil); errors.As(err, &held) {
		return nil, fmt.Errorf("another docket (process %d) is going on with run %s: wait until it has ended", held.PID, r.ID)
	}
	return lock, err
}
