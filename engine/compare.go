package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/run"
)

// ErrNoBaseline says that a suite has no baseline for its mode yet.
var ErrNoBaseline = errors.New("no baseline")

// Baseline reads the suite's baseline for its mode. Where there is none the
// error wraps ErrNoBaseline and names the command that makes one.
func (s *Suite) Baseline() (*baseline.File, error) {
	f, err := baseline.Open(disk.OS{}, s.Project.Dir, s.Name, s.Mode)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is not there; make it with `docket calibrate %s`", ErrNoBaseline, s.BaselinePath(), s.Name)
	}
	return f, err
}

// Compare lays a run beside the baseline.
func (s *Suite) Compare(r *run.Run, base *baseline.File) (*diff.Diff, error) {
	return diff.Compare(base, r, diff.Options{
		Comparer:  s.instrument.Projections,
		Tolerance: s.Config.ScoreTolerance,
		Weights:   s.Weights(),
		Today:     time.Now().UTC(),
	})
}

// relative spells a path inside the project as people type it.
func (p *Project) relative(path string) string {
	if rel, err := filepath.Rel(p.Dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
