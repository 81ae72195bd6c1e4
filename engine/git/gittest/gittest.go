// Package gittest makes git repositories for tests: commits with authors and
// dates that are the same each time, branches, merges and renames.
//
// It refuses to look at the configuration of the person who runs the tests, and
// changes nothing outside the folder of the test.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A Repo is a repository of a test.
type Repo struct {
	Dir string

	t    testing.TB
	tick time.Time
}

// New makes an empty repository, whose branch is main, in a folder of the test.
func New(t testing.TB) *Repo {
	t.Helper()
	r := &Repo{Dir: t.TempDir(), t: t, tick: time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC)}
	r.Git("init", "--quiet", "--initial-branch=main")
	return r
}

// Git runs git in the repository and returns what it prints, without white
// space around it.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	return r.Feed("", args...)
}

// Feed is Git with a text on standard input.
func (r *Repo) Feed(input string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	stamp := r.tick.Format(time.RFC3339)
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE="+stamp, "GIT_COMMITTER_DATE="+stamp,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Write puts a text into a file, whose folders it makes.
func (r *Repo) Write(name, text string) {
	r.t.Helper()
	full := filepath.Join(r.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// Move renames a file, for git too.
func (r *Repo) Move(from, to string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(r.Dir, filepath.FromSlash(to))), 0o777); err != nil {
		r.t.Fatal(err)
	}
	r.Git("mv", "--", from, to)
}

// Commit commits everything, a day after the last commit, and returns its id.
func (r *Repo) Commit(author, message string) string {
	r.t.Helper()
	r.tick = r.tick.Add(24 * time.Hour)
	r.Git("add", "--all")
	r.Feed(message, "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--author", author+" <"+strings.ToLower(author)+"@example.com>", "--file=-")
	return r.Git("rev-parse", "HEAD")
}

// Merge merges a branch with a commit of its own, a day after the last commit,
// and returns its id.
func (r *Repo) Merge(branch, message string) string {
	r.t.Helper()
	r.tick = r.tick.Add(24 * time.Hour)
	r.Git("merge", "--quiet", "--no-ff", "-m", message, branch)
	return r.Git("rev-parse", "HEAD")
}
