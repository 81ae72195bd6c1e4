package provenance

import (
	"context"
	"maps"
	"slices"

	"docket/engine/git"
)

// A Lost is a case that git has and the work tree has not.
type Lost struct {
	Path string // relative to the reader's folder: where its file is, or was last
	Text []byte // what the file held when it was last the case of this id
	// Renamed is the id that the case at Path has now, where it was given another;
	// "" where the file is gone.
	Renamed string
}

// Lost finds the newest file that git has of a case of that id: one that was
// deleted without a commit that says so, one that a commit deleted, or an older
// version of a file that holds another id today. read returns what a file holds
// now.
func (r *Reader) Lost(ctx context.Context, id string, read func(name string) ([]byte, error)) (Lost, bool, error) {
	l, _, err := r.read(ctx)
	if err != nil || l == nil {
		return Lost{}, false, err
	}
	versions := l.versions()
	// What is committed now is newer than what a commit deleted, and every older
	// version is read only for an id that neither has.
	inTree := slices.IndexFunc(versions, func(v version) bool { return v.commit >= 0 })
	if inTree < 0 {
		inTree = len(versions)
	}
	found, text, err := r.search(ctx, id, versions[:inTree])
	if err == nil && text == nil && len(l.lost[id]) > 0 {
		last := l.lost[id][0]
		text, err = r.repo.Object(ctx, last.object)
		return Lost{Path: last.path, Text: text}, err == nil, err
	}
	if err == nil && text == nil {
		found, text, err = r.search(ctx, id, versions[inTree:])
	}
	if err != nil || text == nil {
		return Lost{}, false, err
	}
	lost := Lost{Path: found.path, Text: text}
	if path, ok := l.now(found); ok {
		lost.Path = path
		if data, err := read(path); err == nil { // a file that is not there has no id
			if lost.Renamed = caseID(data); lost.Renamed == id {
				return Lost{}, false, nil // it is there, though it may not read
			}
		}
	}
	return lost, true, nil
}

// A version is one content that a file had.
type version struct {
	path, object string
	commit       int // the place in the log of the commit that ended it; -1: it is committed now
}

// versions lists the contents that the files of cases had, the newest first:
// those that are committed now, then those that each commit replaced.
func (l *log) versions() []version {
	var all []version
	for _, path := range slices.Sorted(maps.Keys(l.tree)) {
		if isYAML(path) {
			all = append(all, version{path, l.tree[path], -1})
		}
	}
	for i := range l.commits {
		for j := range l.commits[i].Changes {
			for _, side := range l.commits[i].Changes[j].Sides {
				if side.Object != "" && isYAML(side.Path) {
					all = append(all, version{side.Path, side.Object, i})
				}
			}
		}
	}
	return all
}

// search returns the first of the versions that is the case of that id, and
// what it holds; nil where none is.
func (r *Reader) search(ctx context.Context, id string, versions []version) (version, []byte, error) {
	const atOnce = 1000 // git's answer is read whole
	for part := range slices.Chunk(versions, atOnce) {
		objects := make([]string, len(part))
		for i := range part {
			objects[i] = part[i].object
		}
		held, err := r.repo.Objects(ctx, objects)
		if err != nil {
			return version{}, nil, err
		}
		for _, v := range part {
			if text := held[v.object]; text != nil && caseID(text) == id {
				return v, text, nil
			}
		}
	}
	return version{}, nil, nil
}

// now follows the file of a version, under the names that it was given, to the
// commit that is checked out; false where a commit deleted it.
func (l *log) now(v version) (string, bool) {
	path := v.path
	for i := v.commit; i >= 0; i-- {
		at := slices.IndexFunc(l.commits[i].Changes, func(c git.Change) bool {
			return slices.ContainsFunc(c.Sides, func(s git.Side) bool { return s.Path == path && s.Status != git.Copied && s.Object != "" })
		})
		if at < 0 {
			continue
		}
		if l.commits[i].Changes[at].Object == "" {
			return "", false
		}
		path = l.commits[i].Changes[at].Path
	}
	return path, true
}
