package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/legacy"
	"docket/engine/legacy/draft"
	"docket/engine/legacy/gone"
	"docket/engine/legacy/reading"
	"docket/engine/secret"
)

// maxLegacy is the size of the largest old test file that is read.
const maxLegacy = 16_000_000

// A LegacyFile is an old test file that was read, and where from.
type LegacyFile struct {
	*legacy.File
	Rev string // the commit that was named; "" for the work tree

	blamed []git.Blame
}

// DeletedTests lists the test files that the history of the repository around a
// folder deleted, the newest first. A file that no reader knows, or in which
// there is no test, is not listed.
func DeletedTests(ctx context.Context, dir string) (gone.List, error) {
	repo, err := git.Open(ctx, dir)
	if err != nil {
		return gone.List{}, err
	}
	return gone.Find(ctx, repo)
}

// ReadLegacy reads old test files: paths, globs, or REV:PATH, seen from a
// folder. A name that leads to no file is an error, and so is a file that no
// reader knows.
func ReadLegacy(ctx context.Context, dir string, names []string) ([]*LegacyFile, error) {
	var files []*LegacyFile
	var repo *git.Repo
	open := func() (err error) {
		if repo == nil {
			repo, err = git.Open(ctx, dir)
		}
		return err
	}
	for _, name := range names {
		if rev, file, ok := revision(dir, name); ok {
			if err := open(); err != nil {
				return nil, fmt.Errorf("%q is read from git: %w", name, err)
			}
			f, err := fromCommit(ctx, repo, rev, file)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
			continue
		}
		paths, err := expand(dir, name)
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			f, err := fromTree(dir, p)
			if err != nil {
				return nil, err
			}
			if open() == nil {
				f.blameTree(ctx, repo, dir)
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// revision splits REV:PATH, where there is no file of that whole name.
func revision(dir, name string) (rev, file string, ok bool) {
	rev, file, ok = strings.Cut(name, ":")
	if !ok || rev == "" || file == "" || len(rev) == 1 && filepath.VolumeName(name) != "" {
		return "", "", false
	}
	if _, err := os.Stat(at(dir, name)); err == nil {
		return "", "", false
	}
	return rev, strings.TrimPrefix(path.Clean(file), "./"), true
}

func at(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// expand returns the files that a name stands for: itself, or what a glob
// matches, in which ** stands for folders within folders.
func expand(dir, name string) ([]string, error) {
	info, err := os.Stat(at(dir, name))
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%q is a folder: name its files, such as %s", name, filepath.ToSlash(filepath.Join(name, "test_*.py")))
	case err == nil:
		return []string{name}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%q cannot be read: %w", name, err)
	case !strings.ContainsAny(name, "*?["):
		return nil, fmt.Errorf("there is no file %q: name one, REV:PATH for one of the history, or look with --deleted for one that is gone", name)
	}
	matched, err := globbed(dir, name)
	if err != nil {
		return nil, fmt.Errorf("%q is no glob: %w", name, err)
	}
	if len(matched) == 0 {
		return nil, fmt.Errorf("%q matches no file", name)
	}
	return matched, nil
}

func globbed(dir, name string) ([]string, error) {
	base, pattern, deep := strings.Cut(filepath.ToSlash(name), "**/")
	var matched []string
	add := func(full string) {
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
			if short, err := filepath.Rel(dir, full); err == nil && !filepath.IsAbs(name) {
				full = short
			}
			matched = append(matched, full)
		}
	}
	if !deep {
		found, err := filepath.Glob(at(dir, name))
		for _, f := range found {
			add(f)
		}
		return matched, err
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	bases := []string{at(dir, base)}
	if strings.ContainsAny(base, "*?[") {
		var err error
		if bases, err = filepath.Glob(at(dir, base)); err != nil {
			return nil, err
		}
	}
	for _, base := range bases {
		err := filepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && strings.HasPrefix(d.Name(), ".") && p != base:
				return fs.SkipDir
			case !d.IsDir() && ends(filepath.ToSlash(p), pattern):
				add(p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(matched)
	return matched, nil
}

// ends reports a path whose last folders and name match a pattern.
func ends(p, pattern string) bool {
	parts := strings.Split(p, "/")
	n := min(strings.Count(pattern, "/")+1, len(parts))
	ok, _ := path.Match(pattern, strings.Join(parts[len(parts)-n:], "/"))
	return ok
}

// fromTree reads a file of the work tree, and what it needs of its neighbours.
func fromTree(dir, name string) (*LegacyFile, error) {
	full := at(dir, name)
	data, err := disk.ReadNamed(full, maxLegacy)
	if err != nil {
		return nil, err
	}
	f, err := reading.Read(filepath.ToSlash(name), data, besideTree(filepath.Dir(full)))
	if err != nil {
		return nil, err
	}
	f.Unkey(secret.New(secret.Environment(os.Environ())))
	return &LegacyFile{File: f}, nil
}

// besideTree gives the files beside those of a folder. An old suite may be
// somebody else's, and what it names ends up in a case: nothing outside of the
// repository is read, nor outside of the folder where there is none.
func besideTree(folder string) func(string) ([]byte, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil
	}
	top := folder
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			top = at
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return func(sibling string) ([]byte, error) {
		short, err := filepath.Rel(top, filepath.Join(folder, filepath.FromSlash(sibling)))
		if err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(top)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		info, err := root.Stat(short)
		switch {
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, errors.New("it is no regular file")
		case info.Size() > maxLegacy:
			return nil, fmt.Errorf("it is larger than %d MB", maxLegacy>>20)
		}
		return root.ReadFile(short)
	}
}

// fromCommit reads a file as it was at a commit.
func fromCommit(ctx context.Context, repo *git.Repo, rev, name string) (*LegacyFile, error) {
	data, err := repo.Show(ctx, rev, name)
	if err != nil {
		return nil, err
	}
	f, err := reading.Read(name, data, gone.Beside(ctx, repo, rev, name))
	if err != nil {
		return nil, err
	}
	f.Unkey(secret.New(secret.Environment(os.Environ())))
	file := &LegacyFile{File: f, Rev: rev}
	// Without a blame the reason for a case is poorer, and that is all.
	file.blamed, _ = repo.Blame(ctx, rev, name, 0, 0)
	return file, nil
}

// blameTree asks who wrote the lines of a file of the work tree, where it is
// as the last commit has it.
func (f *LegacyFile) blameTree(ctx context.Context, repo *git.Repo, dir string) {
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
	if data, err := disk.ReadNamed(at(dir, f.Name), maxLegacy); err != nil || string(data) != string(committed) {
		return
	}
	f.blamed, _ = repo.Blame(ctx, "HEAD", name, 0, 0)
}

// origin says where a test of the file comes from: the commits that wrote its
// lines, the oldest first.
func (f *LegacyFile) origin(t *legacy.Test) draft.Origin {
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
			o.Commits = append(o.Commits, draft.Commit{ID: short, Day: b.Date.Format(time.DateOnly), Author: b.Author, Subject: b.Subject})
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
