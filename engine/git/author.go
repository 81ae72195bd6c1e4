package git

import (
	"context"
	"os"
	"os/user"
	"strings"
)

// Author names the person who decides, as git would name them in the commit
// that follows: by git's own variable, git's configuration, or the account.
func Author(ctx context.Context, dir string) string {
	if name := os.Getenv("GIT_AUTHOR_NAME"); name != "" {
		return name
	}
	if out, err := Ask(ctx, dir, "config", "user.name"); err == nil {
		if name := strings.TrimSpace(string(out)); name != "" {
			return name
		}
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}
