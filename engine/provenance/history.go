package provenance

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"docket/engine/git"
	"docket/engine/source"
)

// A Reader reads from git what became of the files of a project. It asks git
// once for all of them and keeps the answer as long as the commit that is
// checked out is the same, so that the history of one case more costs nothing.
// It may be used from several goroutines.
type Reader struct {
	dir     string
	folders []string

	mu   sync.Mutex
	repo *git.Repo
	log  *log // of the commit it was read at
}

// NewReader returns a reader of the files below folders, which are relative to
// dir. It asks git nothing yet.
func NewReader(dir string, folders []string) *Reader {
	return &Reader{dir: dir, folders: folders}
}

// A log is what git knows of all files at one commit.
type log struct {
	head    string
	commits []git.Commit      // a commit before its parents
	tree    map[string]string // object ids by path
	lost    map[string][]lost // files that were deleted, by the id of their case
}

// A lost is a case file that a commit deleted.
type lost struct{ commit, path, object string }

// read returns what git knows now; nil and a sentence where it knows nothing.
func (r *Reader) read(ctx context.Context) (*log, string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.repo == nil {
		repo, err := git.Open(ctx, r.dir)
		if errors.Is(err, git.ErrNone) {
			return nil, err.Error(), nil
		}
		if err != nil {
			return nil, "", err
		}
		r.repo = repo
	}
	head, err := r.repo.Head(ctx)
	switch {
	case err != nil:
		return nil, "", err
	case head == "":
		return nil, "nothing is committed yet in this repository", nil
	case r.log != nil && r.log.head == head:
		return r.log, "", nil
	}
	l := &log{head: head}
	var trees sync.WaitGroup // beside the log, which takes longest
	var treeErr error
	trees.Go(func() { l.tree, treeErr = r.readTree(ctx, head) })
	l.commits, err = r.repo.Log(ctx, head, r.folders...)
	trees.Wait()
	if err = errors.Join(err, treeErr); err != nil {
		return nil, "", err
	}
	if l.lost, err = r.findLost(ctx, l.commits); err != nil {
		return nil, "", err
	}
	r.log = l
	return l, "", nil
}

// readTree reads the object ids of all files.
func (r *Reader) readTree(ctx context.Context, head string) (map[string]string, error) {
	objects := map[string]string{}
	for _, folder := range r.folders {
		tree, err := r.repo.Tree(ctx, head, folder)
		if err != nil {
			return nil, err
		}
		maps.Copy(objects, tree)
	}
	return objects, nil
}

// Prepare asks git now, so that the first Past need not wait for it. What goes
// wrong is told by Past.
func (r *Reader) Prepare(ctx context.Context) { _, _, _ = r.read(ctx) }

// findLost reads the cases that were deleted, since a case is the one of its id
// whatever its file is called.
func (r *Reader) findLost(ctx context.Context, commits []git.Commit) (map[string][]lost, error) {
	var all []lost
	var objects []string
	for i := range commits {
		for _, change := range commits[i].Changes {
			if side := change.Sides[0]; change.Object == "" && side.Object != "" && isYAML(change.Path) {
				all = append(all, lost{commits[i].ID, change.Path, side.Object})
				objects = append(objects, side.Object)
			}
		}
	}
	held, err := r.repo.Objects(ctx, objects)
	if err != nil {
		return nil, err
	}
	byID := map[string][]lost{}
	for _, l := range all {
		if id := caseID(held[l.object]); id != "" {
			byID[id] = append(byID[id], l)
		}
	}
	return byID, nil
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// caseID returns the id of the case that a text is, "" where it is none. It
// reads no more than the line at the margin that says so.
func caseID(text []byte) string {
	for line := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(line, "id:") {
			v, problems := source.Parse("id", []byte(line))
			if len(problems) > 0 {
				return ""
			}
			return v.Get("id").Scalar()
		}
	}
	return ""
}

// Commits tells of each commit id whether the repository has that commit. ok is
// false where that cannot be told: there is no repository, or the clone is
// shallow.
func (r *Reader) Commits(ctx context.Context, ids []string) (known map[string]bool, ok bool, err error) {
	l, _, err := r.read(ctx)
	if err != nil || l == nil || r.repo.Shallow() {
		return nil, false, err
	}
	known, err = r.repo.Commits(ctx, ids)
	return known, err == nil, err
}

// Had reports whether git has had a file of that path.
func (r *Reader) Had(ctx context.Context, name string) bool {
	l, _, err := r.read(ctx)
	if err != nil || l == nil {
		return false
	}
	name = path.Clean(name)
	return slices.ContainsFunc(l.commits, func(c git.Commit) bool {
		return slices.ContainsFunc(c.Changes, func(change git.Change) bool { return change.Path == name || change.Sides[0].Path == name })
	})
}
