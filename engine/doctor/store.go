package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"docket/engine/phrase"
	"docket/engine/results"
)

// longest is how long a run may take before it is held for one that was cut
// short.
const longest = 24 * time.Hour

func lookAtStore(ctx context.Context, s *Surroundings) (found, mend string) {
	if s.Project.Config == nil {
		return "none, since there is no configuration that names it", ""
	}
	path := s.Project.Store
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path + " is not there yet: the first run makes it", ""
	case err != nil:
		return path + " cannot be read", "see its permissions"
	}
	store, err := s.Project.Open(ctx)
	if err != nil {
		return path, err.Error()
	}
	defer store.Close()
	runs, err := store.Runs(ctx, results.Filter{})
	if err != nil {
		return path, err.Error()
	}
	for _, r := range runs {
		if r.Finished.IsZero() && time.Since(r.Started) > longest {
			mend = fmt.Sprintf("run %s began more than a day ago and did not end: docket run --resume goes on with the last one", r.ID)
			break
		}
	}
	return fmt.Sprintf("%s, %s, %s", path, phrase.Size(info.Size()), phrase.Count(len(runs), "run", "runs")), mend
}
