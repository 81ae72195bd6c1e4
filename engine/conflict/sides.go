package conflict

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docket/engine/git"
)

// Sides says who the two sides of the conflicts in a repository are. Git calls
// them ours and theirs; in a rebase ours is the branch that is rebased onto,
// and theirs one's own commit.
type Sides struct {
	Operation    string // merge, rebase, cherry-pick, revert, am; "" where it cannot be told
	Ours, Theirs string // names; untrusted text, since a commit's subject may be part of it
}

// Who finds out which operation a repository is in the middle of, and what the
// sides are called.
func Who(ctx context.Context, dir string) (Sides, error) {
	out, err := git.Ask(ctx, dir, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return Sides{}, err
	}
	r := repository{dir: dir, gitDir: strings.TrimSuffix(string(out), "\n")}
	s := Sides{Ours: r.branch(ctx), Theirs: "the other side"}
	// A rebase keeps a CHERRY_PICK_HEAD as well, so it is looked for first.
	for _, folder := range []string{"rebase-merge", "rebase-apply"} {
		if !r.has(folder) {
			continue
		}
		s.Operation = "rebase"
		if r.has(folder + "/applying") {
			s.Operation = "am"
			s.Theirs = "the patch"
			return s, nil
		}
		s.Ours = r.named(ctx, r.read(folder+"/onto"))
		s.Theirs = r.commit(ctx, "REBASE_HEAD")
		return s, nil
	}
	for _, o := range []struct{ file, operation string }{
		{"MERGE_HEAD", "merge"}, {"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"},
	} {
		if !r.has(o.file) {
			continue
		}
		s.Operation = o.operation
		if o.operation == "merge" {
			s.Theirs = r.named(ctx, r.read(o.file))
		} else {
			s.Theirs = r.commit(ctx, o.file)
		}
		return s, nil
	}
	return s, nil
}

// MarkerNames returns what the conflict markers in a file call its sides, ""
// where there are none. It is what git knows best: the name as it was typed.
func MarkerNames(data []byte) (ours, theirs string) {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "<<<<<<< "); ok && ours == "" {
			ours = name
		}
		if name, ok := strings.CutPrefix(line, ">>>>>>> "); ok && theirs == "" {
			theirs = name
		}
		if ours != "" && theirs != "" {
			break
		}
	}
	return ours, theirs
}

type repository struct{ dir, gitDir string }

// has reports whether git keeps a file or folder of that name among its own.
func (r repository) has(name string) bool {
	_, err := os.Stat(filepath.Join(r.gitDir, filepath.FromSlash(name)))
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// read returns the first line of one of git's files, "" where there is none.
func (r repository) read(name string) string {
	data, err := os.ReadFile(filepath.Join(r.gitDir, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}

// branch names what is checked out.
func (r repository) branch(ctx context.Context) string {
	out, err := git.Ask(ctx, r.dir, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil {
		return "HEAD"
	}
	return strings.TrimSpace(string(out))
}

// named returns a branch that points at a commit, else the commit's short
// name.
func (r repository) named(ctx context.Context, commit string) string {
	if !isObject(commit) {
		return "the other side"
	}
	out, err := git.Ask(ctx, r.dir, "for-each-ref", "--count=1", "--points-at="+commit, "--format=%(refname:short)", "refs/heads", "refs/remotes")
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		return name
	}
	return r.commit(ctx, commit)
}

// commit returns the short name of a commit with its subject.
func (r repository) commit(ctx context.Context, revision string) string {
	out, err := git.Ask(ctx, r.dir, "log", "-1", "--no-show-signature", "--format=%h (%s)", revision)
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		return name
	}
	return "the other side"
}

// isObject reports whether s can be the name of an object, so that nothing
// else that stands in a file is handed to git as an argument.
func isObject(s string) bool {
	return len(s) >= 40 && strings.Trim(s, "0123456789abcdef") == ""
}
