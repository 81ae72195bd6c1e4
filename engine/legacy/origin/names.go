package origin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

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
		return nil, fmt.Errorf("%q is not a valid glob: %w", name, err)
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
