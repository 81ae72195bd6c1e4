package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Commit is one commit and what it did to the files that were asked about.
type Commit struct {
	ID string
	// Parents are those among the commits of the same answer: the history
	// between two of them touched none of the files.
	Parents    []string
	Author     string
	Email      string
	Date       time.Time // of the author
	Committed  time.Time
	Subject    string
	Body       string // without the subject; "" for none
	Changes    []Change
	Unrecorded bool // its parent is beyond the edge of a shallow clone
}

// A Status is what a commit did to a file.
type Status byte

// The statuses, as git spells them.
const (
	Added    Status = 'A'
	Deleted  Status = 'D'
	Modified Status = 'M'
	Renamed  Status = 'R' // and perhaps modified
	Copied   Status = 'C'
	Retyped  Status = 'T' // a file became a link, or the other way round
)

// A Change is what a commit did to one file.
type Change struct {
	Path   string // after the commit; of a file that was deleted, before it
	Object string // id of what it holds after the commit; "" where it is gone
	// Sides tells the change from the view of each parent. A merge has several,
	// and is listed only where its file is that of no parent; other commits have
	// one.
	Sides []Side
}

// A Side is a change from the view of one parent.
type Side struct {
	Status Status
	Path   string // of the file in the parent; where it was added, that of the change
	Object string // id of what it held there; "" for nothing
}

// format asks for the fields of a commit, each ended by a NUL, which no message
// can hold.
const format = "--format=tformat:%H%x00%P%x00%aN%x00%aE%x00%aI%x00%cI%x00%s%x00%b%x00"

const formatFields = 8

// Log returns the commits up to rev that changed files at or below the paths,
// the newest first and a commit always before its parents, each with what it
// did to them. Files that were renamed within the paths are told as renamed. A
// side branch of which a merge took nothing is left out. No paths stand for the
// whole repository.
func (r *Repo) Log(ctx context.Context, rev string, paths ...string) ([]Commit, error) {
	args := []string{"--topo-order", "--parents", "--diff-merges=combined", "--combined-all-paths"}
	return r.log(ctx, rev, args, paths)
}

// Follow returns the commits up to rev that changed one file, the newest first,
// under the names that it had. It sees a rename from anywhere in the repository,
// and may miss what a side branch did under an older name: see Log.
func (r *Repo) Follow(ctx context.Context, rev, path string) ([]Commit, error) {
	return r.log(ctx, rev, []string{"--follow"}, []string{path})
}

// Deleted returns the commits up to rev that deleted files at or below the
// paths, the newest first, and in each only the files that are gone.
func (r *Repo) Deleted(ctx context.Context, rev string, paths ...string) ([]Commit, error) {
	return r.log(ctx, rev, []string{"--diff-filter=D", "--full-history"}, paths)
}

// Touched returns what one commit did to all files of the repository, seen from
// its first parent.
func (r *Repo) Touched(ctx context.Context, rev string) (Commit, error) {
	commits, err := r.log(ctx, rev, []string{"--max-count=1", "--diff-merges=first-parent"}, nil)
	if err == nil && len(commits) == 0 {
		err = fmt.Errorf("%w: commit %q", ErrMissing, rev)
	}
	if err != nil {
		return Commit{}, err
	}
	return commits[0], nil
}

func (r *Repo) log(ctx context.Context, rev string, more, paths []string) ([]Commit, error) {
	if err := commit(rev); err != nil {
		return nil, err
	}
	args := append([]string{"log", "-z", format, "--encoding=UTF-8", "--no-color", "--no-decorate", "--no-show-signature", "--no-notes", "--raw", "--no-abbrev", "-M", "-l1000"}, noPrograms()...)
	if len(more) == 0 || more[0] != "--follow" {
		args = append(args, "--no-follow")
	}
	args = append(append(args, more...), rev, "--")
	for _, p := range paths {
		full, err := r.inside(p)
		if err != nil {
			return nil, err
		}
		args = append(args, full)
	}
	out, err := r.run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	commits, err := parseLog(string(out))
	if err != nil {
		return nil, err
	}
	for i := range commits {
		c := &commits[i]
		c.Unrecorded = r.edge[c.ID]
		for j := range c.Changes {
			c.Changes[j].Path = r.outside(c.Changes[j].Path)
			for k := range c.Changes[j].Sides {
				c.Changes[j].Sides[k].Path = r.outside(c.Changes[j].Sides[k].Path)
			}
		}
	}
	return commits, nil
}

// errLog says that git's log reads otherwise than is known.
var errLog = errors.New("the answer of git log has a form that docket does not know")

// parseLog reads what git log prints with -z, the format and --raw: for each
// commit its fields, then an entry for each change, all ended by NULs.
func parseLog(out string) ([]Commit, error) {
	var commits []Commit
	tokens := &tokens{rest: out}
	for {
		token, ok := tokens.next()
		token = strings.TrimLeft(token, "\n")
		switch {
		case !ok:
			return commits, nil
		case token == "":
		case token[0] == ':' && len(commits) > 0:
			change, err := parseChange(token, tokens)
			if err != nil {
				return nil, err
			}
			c := &commits[len(commits)-1]
			c.Changes = append(c.Changes, change)
		default:
			c, err := parseCommit(token, tokens)
			if err != nil {
				return nil, err
			}
			commits = append(commits, c)
		}
	}
}

// parseCommit reads the fields that follow the id of a commit.
func parseCommit(id string, t *tokens) (Commit, error) {
	if !objectID(id) {
		return Commit{}, fmt.Errorf("%w: %.60q stands for a commit", errLog, id)
	}
	var fields [formatFields - 1]string
	for i := range fields {
		field, ok := t.next()
		if !ok {
			return Commit{}, fmt.Errorf("%w: commit %s is cut off", errLog, id)
		}
		fields[i] = field
	}
	c := Commit{ID: id, Parents: strings.Fields(fields[0]), Author: fields[1], Email: fields[2], Subject: fields[5], Body: strings.TrimSpace(fields[6])}
	// A date that is none, as old tools have written, stays the zero time.
	c.Date, _ = time.Parse(time.RFC3339, fields[3])
	c.Committed, _ = time.Parse(time.RFC3339, fields[4])
	return c, nil
}

// parseChange reads an entry of --raw: as many colons as there are parents,
// then a mode for each parent and one for the result, the object ids likewise,
// and one letter for each parent. After them come paths: for a rename from one
// parent the old and the new, for a merge one for each parent and the result's.
func parseChange(entry string, t *tokens) (Change, error) {
	parents := len(entry) - len(strings.TrimLeft(entry, ":"))
	fields := strings.Fields(entry[parents:])
	if len(fields) != 2*(parents+1)+1 {
		return Change{}, fmt.Errorf("%w: %.200q stands for a change", errLog, entry)
	}
	objects, letters := fields[parents+1:2*(parents+1)], fields[len(fields)-1]
	moved := parents == 1 && (letters[0] == byte(Renamed) || letters[0] == byte(Copied))
	paths := 1
	switch {
	case moved:
		paths = 2
	case parents > 1:
		paths = parents + 1
	}
	if parents > 1 && len(letters) != parents {
		return Change{}, fmt.Errorf("%w: %.200q stands for a change of a merge", errLog, entry)
	}
	names := make([]string, paths)
	for i := range names {
		name, ok := t.next()
		if !ok {
			return Change{}, fmt.Errorf("%w: a path is missing after %.200q", errLog, entry)
		}
		names[i] = name
	}
	c := Change{Path: names[paths-1], Object: present(objects[parents])}
	for i := range parents {
		side := Side{Status: Status(letters[i]), Path: c.Path, Object: present(objects[i])}
		if parents > 1 || moved {
			side.Path = names[i]
		}
		c.Sides = append(c.Sides, side)
	}
	return c, nil
}

// present returns an object id, "" for the one of zeros that stands for
// nothing.
func present(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// objectID reports whether a text is a whole object id.
func objectID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// tokens are what git prints between NULs.
type tokens struct{ rest string }

func (t *tokens) next() (token string, ok bool) {
	if t.rest == "" {
		return "", false
	}
	token, t.rest, _ = strings.Cut(t.rest, "\x00")
	return token, true
}
