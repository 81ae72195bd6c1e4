package engine

import (
	"context"

	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/results"
)

// PruneOutputs lets stored outputs go, by age and size. Those that a line of some
// baseline names stay unless all is set, be its suite configured or not: without
// them its answers cannot be read or judged again. With dry it only counts.
func (p *Project) PruneOutputs(ctx context.Context, r results.Retention, all, dry bool) (results.Pruned, error) {
	if !all {
		var err error
		if r.Keep, err = baseline.NamedOutputs(disk.OS{}, p.Dir); err != nil {
			return results.Pruned{}, err
		}
	}
	store, err := p.Store(ctx)
	if err != nil {
		return results.Pruned{}, err
	}
	defer store.Close()
	return store.Prune(ctx, r, dry)
}
