package provenance

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"docket/engine/git"
	"docket/engine/secret"
)

// What a commit did to a case.
const (
	Added      = "added"
	AddedAgain = "added again" // after it was deleted
	Changed    = "changed"
	Renamed    = "renamed"
	Merged     = "merged" // with a result that is neither side's
	Removed    = "deleted"
	Oldest     = "known since" // it is the edge of a shallow clone
)

// An Event is one commit that touched a case, or a file that it reads.
type Event struct {
	Commit  string
	Author  string
	Date    time.Time
	Subject string
	Body    string
	Did     string // see Added
	Path    string // of the file after the commit, relative to the configuration
	From    string // where it was renamed, the path before
	Fixture bool   // the file is one that the case reads
}

// The states of a case's file.
const (
	Committed = "committed"
	Modified  = "modified"    // it is another than the one that is committed
	Untracked = "uncommitted" // git does not know it yet
	Gone      = "gone"
)

// A Past is the history of one case in git.
type Past struct {
	// Blind says why nothing is known of it; "" where something is.
	Blind   string
	Shallow bool   // what was before the oldest event may be missing
	State   string // see Committed
	Events  []Event
}

// Added returns the commit that first added the case.
func (p *Past) Added() (Event, bool) {
	for i := len(p.Events) - 1; i >= 0; i-- {
		if e := p.Events[i]; e.Did == Added && !e.Fixture {
			return e, true
		}
	}
	return Event{}, false
}

// Past returns the history of the case of that id, the newest event first:
// that of its file, also under the names it had before, and of files that it
// reads. read returns what a file holds now; a case without a file has the path
// of the one it had.
func (r *Reader) Past(ctx context.Context, id, file string, fixtures []string, read func(name string) ([]byte, error)) (Past, error) {
	l, blind, err := r.read(ctx)
	if err != nil || l == nil {
		return Past{Blind: blind}, err
	}
	p := Past{Shallow: r.repo.Shallow()}
	switch data, err := read(file); {
	case file == "" || errors.Is(err, fs.ErrNotExist):
		p.State = Gone
	case l.tree[file] == "":
		p.State = Untracked
	case err == nil && r.repo.Holds(l.tree[file], data):
		p.State = Committed
	default:
		p.State = Modified
	}
	p.Events = l.walk(id, file, fixtures)
	return p, r.before(ctx, &p)
}

// names are the files that are followed, by path; the value says that the file
// is one that the case reads.
type names map[string]bool

// walk goes from the newest commit to the oldest and follows each file to the
// parents of a commit under the name that it has there: two branches may know
// it by two names. What was deleted under the same id joins in where it went.
func (l *log) walk(id, file string, fixtures []string) []Event {
	followed := map[string]names{} // by commit
	join := func(commit, path string, fixture bool) {
		if followed[commit] == nil {
			followed[commit] = names{}
		}
		if was, ok := followed[commit][path]; !ok || was && !fixture {
			followed[commit][path] = fixture
		}
	}
	for _, lost := range l.lost[id] {
		join(lost.commit, lost.path, false)
	}
	child := map[string]bool{}
	for i := range l.commits {
		for _, parent := range l.commits[i].Parents {
			child[parent] = true
		}
	}
	var events []Event
	for i := range l.commits {
		c := &l.commits[i]
		if !child[c.ID] { // a tip
			join(c.ID, file, false)
			for _, f := range fixtures {
				join(c.ID, f, true)
			}
		}
		moved := map[string]bool{}
		for j := range c.Changes {
			change := &c.Changes[j]
			fixture, ok := followed[c.ID][change.Path]
			if !ok {
				continue
			}
			moved[change.Path] = true
			events = append(events, eventOf(c, change, fixture))
			for k, side := range change.Sides {
				if side.Object == "" {
					continue // the name was free, or another case's: one of the same id is in l.lost
				}
				for m, parent := range c.Parents {
					if k == m || len(c.Parents) != len(change.Sides) {
						join(parent, side.Path, fixture)
					}
				}
			}
		}
		for name, fixture := range followed[c.ID] {
			for _, parent := range c.Parents {
				if !moved[name] {
					join(parent, name, fixture)
				}
			}
		}
	}
	// A commit that touched the case and what it reads is told once.
	own := map[string]bool{}
	for i := range events {
		own[events[i].Commit] = own[events[i].Commit] || !events[i].Fixture
	}
	return again(slices.DeleteFunc(events, func(e Event) bool { return e.Fixture && own[e.Commit] }))
}

func eventOf(c *git.Commit, change *git.Change, fixture bool) Event {
	keyless := secret.New(nil) // a message may repeat a key that leaked
	e := Event{Commit: c.ID, Author: c.Author, Date: c.Date, Subject: keyless.Text(c.Subject), Body: keyless.Text(c.Body), Path: change.Path, Fixture: fixture, Did: Changed}
	side := change.Sides[0]
	switch {
	case len(change.Sides) > 1:
		e.Did = Merged
	case side.Status == git.Added && c.Unrecorded:
		e.Did = Oldest
	case side.Status == git.Added:
		e.Did = Added
	case side.Status == git.Deleted:
		e.Did = Removed
	case side.Status == git.Renamed:
		e.Did, e.From = Renamed, side.Path
	}
	return e
}

// again tells a case that was added after it had been deleted from one that was
// added: of the commits that added it, the oldest did. A commit that deleted
// and added it renamed it, and rewrote too much for git to see that.
func again(events []Event) []Event {
	for i := range events {
		e := &events[i]
		if e.Did != Added || e.Fixture {
			continue
		}
		at := slices.IndexFunc(events, func(o Event) bool { return o.Commit == e.Commit && o.Did == Removed && !o.Fixture })
		if at >= 0 {
			e.Did, e.From = Renamed, events[at].Path
			return again(slices.Delete(events, at, at+1))
		}
	}
	seen := false
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		if e.Fixture || e.Did != Added && e.Did != Oldest {
			continue
		}
		if e.Did == Added && seen {
			e.Did = AddedAgain
		}
		seen = true
	}
	return events
}

// before asks whether the commit that added a case moved it from outside of the
// folders that are read, as where the whole suite moved, and goes on from there.
func (r *Reader) before(ctx context.Context, p *Past) error {
	for i := len(p.Events) - 1; i >= 0; i-- {
		e := &p.Events[i]
		if e.Fixture || e.Did != Added {
			continue
		}
		touched, err := r.repo.Touched(ctx, e.Commit)
		if err != nil {
			return err
		}
		for _, change := range touched.Changes {
			side := change.Sides[0]
			if change.Path != e.Path || side.Status != git.Renamed {
				continue
			}
			e.Did, e.From = Renamed, side.Path
			older, err := r.repo.Follow(ctx, e.Commit+"^", side.Path)
			if errors.Is(err, git.ErrMissing) {
				return nil
			}
			if err != nil {
				return err
			}
			for i := range older {
				for j := range older[i].Changes {
					p.Events = append(p.Events, eventOf(&older[i], &older[i].Changes[j], false))
				}
			}
		}
		return nil
	}
	return nil
}
