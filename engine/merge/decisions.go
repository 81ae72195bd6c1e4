package merge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/conflict"
	"docket/engine/decision"
	"docket/engine/disk"
)

// A Kept is a file of decisions that both sides of a merge wrote
// under one name, and what became of it: each side's is kept whole.
type Kept struct {
	Path  string // holds our side's, relative to the configuration
	Moved string // holds their side's
}

// Decisions settles decision files in conflict, which only those can be
// that an older docket named after their run and a number alone: each is written
// once and never changed, so two of one name are two reviews of one stored run
// on two branches. Ours keeps the name and theirs gets one as they are given
// now. A file that somebody changed by hand on one side is left alone.
func Decisions(ctx context.Context, fsys disk.FS, dir string, suites []string) ([]Kept, error) {
	listed, err := conflict.List(ctx, dir)
	if errors.Is(err, conflict.ErrNoGit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var kept []Kept
	for i := range listed {
		f := &listed[i]
		parts := strings.Split(f.Path, "/")
		isOurs := len(parts) == 4 && parts[0] == baseline.Folder && parts[2] == "decisions" && strings.HasSuffix(f.Path, ".jsonl") &&
			slices.Contains(suites, parts[1])
		if !isOurs || f.Has(conflict.Base) || !f.Has(conflict.Ours) || !f.Has(conflict.Theirs) {
			continue
		}
		one, err := keepBoth(ctx, fsys, dir, f)
		if err != nil {
			return nil, err
		}
		kept = append(kept, one)
	}
	return kept, nil
}

func keepBoth(ctx context.Context, fsys disk.FS, dir string, f *conflict.File) (Kept, error) {
	// The name comes from git, and so from whoever made the commit.
	id, n, ok := decision.ParseFileName(path.Base(f.Path))
	if !ok {
		return Kept{}, fmt.Errorf("%q is in conflict and is not named as docket names decisions: settle it by hand", f.Path)
	}
	ours, err := f.Read(ctx, conflict.Ours)
	if err != nil {
		return Kept{}, err
	}
	theirs, err := f.Read(ctx, conflict.Theirs)
	if err != nil {
		return Kept{}, err
	}
	file := filepath.Join(dir, filepath.FromSlash(f.Path))
	now, err := disk.Read(disk.OS{}, file, baseline.MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Kept{}, fmt.Errorf("read a file of decisions: %w", err)
	}
	if now != nil && !baseline.InConflict(now) && !bytes.Equal(now, ours) && !bytes.Equal(now, theirs) {
		return Kept{}, fmt.Errorf("%s is in conflict and holds no conflict markers any more, so somebody resolved it by hand: `git add %s` keeps it, `git checkout --merge -- %s` begins again", f.Path, f.Path, f.Path)
	}
	// Theirs first: until both are on disk, the conflict stays visible.
	moved, err := place(fsys, filepath.Dir(file), id, n, theirs)
	if err != nil {
		return Kept{}, err
	}
	if err := disk.Write(fsys, file, ours, 0o644); err != nil {
		return Kept{}, err
	}
	return Kept{Path: f.Path, Moved: disk.Relative(dir, moved)}, nil
}

// place puts data into a file that no other content can have the name of, and
// returns its path; a file that holds the data already will do.
func place(fsys disk.FS, folder, id string, n int, data []byte) (string, error) {
	for ; ; n++ {
		name, err := decision.NewName(id, n, data)
		if err != nil {
			return "", err
		}
		file := filepath.Join(folder, name)
		err = disk.Create(fsys, file, data, 0o644)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		there, err := disk.Read(disk.OS{}, file, baseline.MaxSize)
		if err != nil {
			return "", fmt.Errorf("read a file of decisions: %w", err)
		}
		if bytes.Equal(there, data) {
			return file, nil
		}
	}
}
