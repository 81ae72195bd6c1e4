package doctor

import (
	"context"
	"errors"
	"os/exec"

	"docket/engine/git"
)

func lookAtGit(ctx context.Context, s *Surroundings) (found, mend string) {
	path, err := exec.LookPath("git")
	if err != nil {
		return "not found", "install git: without it docket cannot tell who added a case, or resolve a conflict"
	}
	repo, err := git.Open(ctx, s.Dir)
	switch {
	case errors.Is(err, git.ErrNone):
		return path + ", and this folder is in no repository", "git init: a baseline is committed with the edit that it belongs to"
	case err != nil:
		return path, err.Error()
	case repo.Shallow():
		return path + ", a shallow clone", "git fetch --unshallow: the history of cases ends where the clone does"
	}
	// The folder is taken for this person's own memory.
	if tracked, err := git.Ask(ctx, s.Dir, "ls-files", "-z", "--", ".docket"); err == nil && len(tracked) > 0 {
		mend = "git rm -r --cached .docket: runs and decisions that came with the repository are somebody else's"
	}
	return path + ", in a repository", mend
}
