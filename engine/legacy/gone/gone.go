// Package gone finds old test files in the history of a repository: those that a
// commit deleted, and what stood beside a file at a commit.
//
// A file that was renamed is not gone, nor is one that is back. The package
// changes nothing and checks nothing out: it asks package git, which starts no
// program of the repository's.
package gone

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"docket/engine/git"
	"docket/engine/legacy/reading"
	"docket/engine/secret"
)

// Limits on what a history may cost.
const (
	maxFiles = 2_000    // deleted files that are looked into
	maxBytes = 16 << 20 // of one
)

// A File is a test file that the history deleted.
type File struct {
	Path     string // seen from the folder of the repository that was opened
	Commit   string // that deleted it: it was there in its first parent
	Object   string // what it last held
	Date     time.Time
	Author   string
	Email    string
	Subject  string
	Body     string // of the commit's message
	Language string
	Tests    int
}

// Source names the file as it last was, for git and for `docket migrate`.
func (f File) Source() string { return f.Short() + "^:" + f.Path }

// Short is the commit as people write it.
func (f File) Short() string { return f.Commit[:min(len(f.Commit), 10)] }

// A List is what a history deleted, the newest first.
type List struct {
	Files []File
	// Shallow says that the clone holds only the last commits: files may be gone
	// that no commit of it tells of.
	Shallow bool
	// Passed is how many deleted files were not looked into, because there are too
	// many or they are too large.
	Passed int
}

// Find lists the test files that the history up to HEAD deleted and that are not
// back, each with how many tests the readers find in it. Of a file that was
// deleted several times the last deletion counts. The error wraps git.ErrNone
// where there is no history.
func Find(ctx context.Context, repo *git.Repo) (List, error) {
	list := List{Shallow: repo.Shallow()}
	head, err := repo.Head(ctx)
	if err != nil {
		return list, err
	}
	if head == "" {
		return list, fmt.Errorf("%w: it has no commit yet", git.ErrNone)
	}
	commits, err := repo.Deleted(ctx, head)
	if err != nil {
		return list, err
	}
	here, err := present(ctx, repo, head, commits)
	if err != nil {
		return list, err
	}
	seen := map[string]bool{}
	for _, c := range commits {
		for _, change := range c.Changes {
			if seen[change.Path] || !Named(change.Path) || len(change.Sides) == 0 || change.Sides[0].Object == "" {
				continue
			}
			seen[change.Path] = true
			if _, back := here[change.Path]; back {
				continue
			}
			if len(seen) > maxFiles {
				list.Passed++
				continue
			}
			data, err := repo.Object(ctx, change.Sides[0].Object)
			if ctx.Err() != nil {
				return list, ctx.Err()
			}
			if err != nil || len(data) > maxBytes {
				list.Passed++ // such as an object that a partial clone does not hold
				continue
			}
			file, err := reading.Read(change.Path, data, nil)
			if err != nil || len(file.Tests) == 0 {
				continue // no suite
			}
			keyless := secret.New(nil) // a message may repeat a key that leaked
			list.Files = append(list.Files, File{
				Path: change.Path, Commit: c.ID, Object: change.Sides[0].Object, Date: c.Date, Author: c.Author, Email: c.Email, Subject: keyless.Text(c.Subject), Body: keyless.Text(c.Body),
				Language: file.Language, Tests: len(file.Tests),
			})
		}
	}
	return list, nil
}

// present returns the files of the commit that is checked out, as far up as the
// deleted ones reach.
func present(ctx context.Context, repo *git.Repo, head string, commits []git.Commit) (map[string]string, error) {
	up := 0
	for _, c := range commits {
		for _, change := range c.Changes {
			n := 0
			for rest := change.Path; strings.HasPrefix(rest, "../"); rest = rest[3:] {
				n++
			}
			up = max(up, n)
		}
	}
	return repo.Tree(ctx, head, path.Join(slices.Repeat([]string{".."}, up)...))
}

// Named reports whether a path looks like one of tests: its name, or a folder of
// its path, says so.
func Named(name string) bool {
	name = strings.ToLower(name)
	if path.Base(name) == "conftest.py" || strings.HasSuffix(name, ".d.ts") {
		return false
	}
	return slices.ContainsFunc([]string{"test", "spec", "eval", "promptfoo", ".snap"}, func(sign string) bool { return strings.Contains(name, sign) })
}

// errAbsent says that a commit has no such file.
var errAbsent = errors.New("not in that commit")

// Beside gives the files beside one at a commit, by paths relative to its
// folder. It lists a folder once, so that asking for what is not there is
// cheap.
func Beside(ctx context.Context, repo *git.Repo, rev, name string) func(string) ([]byte, error) {
	folder := path.Dir(name)
	trees := map[string]map[string]string{}
	return func(sibling string) ([]byte, error) {
		full := path.Join(folder, sibling)
		in := path.Dir(full)
		tree, ok := trees[in]
		if !ok {
			var err error
			if tree, err = repo.Tree(ctx, rev, in); err != nil {
				return nil, err
			}
			trees[in] = tree
		}
		object, ok := tree[full]
		if !ok {
			return nil, fmt.Errorf("%q: %w", full, errAbsent)
		}
		data, err := repo.Object(ctx, object)
		if err == nil && len(data) > maxBytes {
			return nil, fmt.Errorf("%q is larger than %d MB", full, maxBytes>>20)
		}
		return data, err
	}
}
