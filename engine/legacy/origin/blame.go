package origin

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/secret"
)

// blame asks who wrote the lines of a file of the work tree, where it is
// as the last commit has it.
func (f *File) blame(ctx context.Context, repo *git.Repo, dir string) {
	name := filepath.ToSlash(f.Name)
	if filepath.IsAbs(f.Name) {
		short, err := filepath.Rel(dir, f.Name)
		if err != nil {
			return
		}
		name = filepath.ToSlash(short)
	}
	committed, err := repo.Show(ctx, "HEAD", name)
	if err != nil {
		return
	}
	if data, err := disk.ReadNamed(at(dir, f.Name), MaxSize); err != nil || string(data) != string(committed) {
		return
	}
	f.blamed, _ = repo.Blame(ctx, "HEAD", name, 0, 0)
}

// Origin says where a test of the file comes from: the commits that wrote its
// lines, the oldest first.
func (f *File) Origin(t *legacy.Test) draft.Origin {
	o := draft.Origin{File: f.Name, Line: t.Line, Revision: f.Rev}
	byID := map[string]int{}
	when := map[string]time.Time{}
	whole := map[string]int{}
	for _, b := range f.blamed {
		whole[b.Commit]++
		if b.Line < t.Line || b.Line > t.End {
			continue
		}
		i, ok := byID[b.Commit]
		if !ok {
			i = len(o.Commits)
			byID[b.Commit] = i
			short := b.Commit[:min(len(b.Commit), 7)]
			o.Commits = append(o.Commits, draft.Commit{ID: short, Day: b.Date.Format(time.DateOnly), Author: b.Author, Subject: secret.New(nil).Text(b.Subject)})
			when[short] = b.Date
		}
		o.Commits[i].Lines++
	}
	for id, i := range byID {
		o.Commits[i].File = whole[id]
	}
	slices.SortStableFunc(o.Commits, func(a, b draft.Commit) int { return when[a.ID].Compare(when[b.ID]) })
	return o
}
