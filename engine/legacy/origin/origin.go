// Package origin reads the files of an old suite from where they are, the work
// tree or a commit, and says of each test which commits wrote it.
//
// It refuses to read beyond the repository: what a test file names ends up in a
// case, and an old suite may be somebody else's. It knows no format, which is
// package reading's, and lists no file that is gone, which is package gone's.
package origin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"docket/engine/disk"
	"docket/engine/git"
	"docket/engine/legacy"
	"docket/engine/legacy/gone"
	"docket/engine/legacy/reading"
	"docket/engine/secret"
)

// MaxSize is the size, in bytes, of the largest old test file that is read.
const MaxSize = 16_000_000

// A File is an old test file that was read, and where from.
type File struct {
	*legacy.File
	Rev string // the commit that was named; "" for the work tree

	blamed []git.Blame
}

// Read reads old test files: paths, globs, or REV:PATH, seen from a
// folder. A name that leads to no file is an error, and so is a file that no
// reader knows, or one that is named at two revisions. A file that two names lead
// to is read once.
func Read(ctx context.Context, dir string, names []string) ([]*File, error) {
	var files []*File
	var repo *git.Repo
	open := func() (err error) {
		if repo == nil {
			repo, err = git.Open(ctx, dir)
		}
		return err
	}
	revs := map[string]string{} // of the files that were read, by name
	add := func(f *File) error {
		rev, again := revs[f.Name]
		switch {
		case again && rev != f.Rev:
			return fmt.Errorf("%q is named twice, as it is at two points of its history: migrate one of them, and then the other", f.Name)
		case !again: // two globs may match one file
			revs[f.Name] = f.Rev
			files = append(files, f)
		}
		return nil
	}
	for _, name := range names {
		if rev, file, ok := revision(dir, name); ok {
			if err := open(); err != nil {
				return nil, fmt.Errorf("%q is read from git: %w", name, err)
			}
			f, err := fromCommit(ctx, repo, rev, file)
			if err == nil {
				err = add(f)
			}
			if err != nil {
				return nil, err
			}
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
				f.blame(ctx, repo, dir)
			}
			if err := add(f); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// fromTree reads a file of the work tree, and what it needs of its neighbours.
func fromTree(dir, name string) (*File, error) {
	full := at(dir, name)
	data, err := disk.ReadNamed(full, MaxSize)
	if err != nil {
		return nil, err
	}
	return parse(filepath.ToSlash(name), "", data, besideTree(filepath.Dir(full)))
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
			return nil, errors.New("it is not a regular file")
		case info.Size() > MaxSize:
			return nil, fmt.Errorf("it is larger than %d MB", MaxSize/1_000_000)
		}
		return root.ReadFile(short)
	}
}

// fromCommit reads a file as it was at a commit.
func fromCommit(ctx context.Context, repo *git.Repo, rev, name string) (*File, error) {
	data, err := repo.Show(ctx, rev, name)
	if err != nil {
		return nil, err
	}
	f, err := parse(name, rev, data, gone.Beside(ctx, repo, rev, name))
	if err != nil {
		return nil, err
	}
	// Without a blame the reason for a case is poorer, and that is all.
	f.blamed, _ = repo.Blame(ctx, rev, name, 0, 0)
	return f, nil
}

// parse reads the text of a file, less what looks like a key in it.
func parse(name, rev string, data []byte, beside func(string) ([]byte, error)) (*File, error) {
	f, err := reading.Read(name, data, beside)
	if err != nil {
		return nil, err
	}
	f.Unkey(secret.New(secret.Environment(os.Environ())))
	return &File{File: f, Rev: rev}, nil
}
