package engine

import (
	"context"
	"errors"
	"io/fs"

	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/results"
)

// PruneOutputs lets stored outputs go, by age and size. Those that a line of some
// baseline names stay unless all is set, be its suite configured or not: without
// them its answers cannot be read or judged again. With dry it only counts.
func (p *Project) PruneOutputs(ctx context.Context, r results.Retention, all, dry bool) (results.Pruned, error) {
	if !all {
		r.Keep = map[string]bool{}
		suites, err := baseline.Suites(disk.OS{}, p.Dir)
		if err != nil {
			return results.Pruned{}, err
		}
		for _, suite := range suites {
			for _, mode := range baseline.Modes() {
				file, err := baseline.Open(disk.OS{}, p.Dir, suite, mode)
				switch {
				case errors.Is(err, fs.ErrNotExist):
					continue
				case err != nil:
					return results.Pruned{}, err // what it names is not known
				}
				for i := range file.Lines {
					line, err := file.Line(i)
					if err != nil {
						return results.Pruned{}, err
					}
					r.Keep[line.Outputs] = true
				}
			}
		}
	}
	store, err := p.Store(ctx)
	if err != nil {
		return results.Pruned{}, err
	}
	defer store.Close()
	return store.Prune(ctx, r, dry)
}
