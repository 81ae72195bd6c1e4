// Package starter writes what a repository needs to begin with docket: a
// commented configuration, a first case with invented outputs, and the lines
// that .gitignore and .gitattributes need.
//
// It refuses to overwrite: a file that is there stays, and of those that git
// reads only lines are added. Each file is written whole or not at all, so that
// the same again completes what was cut short.
package starter

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docket/engine/disk"
)

//go:embed files/docket.yaml
var config string

//go:embed files/case.yaml
var firstCase string

//go:embed files/production.jsonl
var production string

//go:embed files/candidate.jsonl
var candidate string

// maxSize is the size of the largest file that lines are added to.
const maxSize = 16 << 20

// A Step is what became of one file, or of one line of a file.
type Step struct {
	Path string // relative to the folder, with slashes
	Line string // that the file needs; "" for the file itself
	Kept bool   // it was there already
}

// Write puts the files below a folder that exists, as of a day. After an error
// the steps are those that were done before it.
func Write(fsys disk.FS, root string, day time.Time) ([]Step, error) {
	var steps []Step
	for _, f := range []struct{ path, content string }{
		{".docket.yaml", config},
		{"cases/example/example-0001.yaml", strings.ReplaceAll(firstCase, "{{DATE}}", day.Format(time.DateOnly))},
		{"cases/example/outputs/production.jsonl", production},
		{"cases/example/outputs/candidate.jsonl", candidate},
	} {
		step, err := create(fsys, root, f.path, f.content)
		if err != nil {
			return steps, err
		}
		steps = append(steps, step)
	}
	for _, f := range []struct {
		path  string
		lines []string
	}{
		{".gitignore", []string{
			"/.docket/",
			".*.docket-*", // what a crash may leave beside a baseline
			"*.docket-tmp",
			"*.docket-lock",
		}},
		{".gitattributes", []string{"baselines/**/*.jsonl text eol=lf"}},
	} {
		added, err := add(fsys, root, f.path, f.lines)
		if err != nil {
			return steps, err
		}
		steps = append(steps, added...)
	}
	return steps, nil
}

// create writes a file that is not there yet.
func create(fsys disk.FS, root, name, content string) (Step, error) {
	full := filepath.Join(root, filepath.FromSlash(name))
	err := disk.MakeFolders(fsys, root, filepath.Dir(full), 0o755)
	if err == nil {
		err = disk.CreateClean(fsys, full, []byte(content), 0o644)
	}
	if errors.Is(err, fs.ErrExist) {
		return Step{Path: name, Kept: true}, nil
	}
	if err != nil {
		return Step{}, fmt.Errorf("%s was not written; once that is mended, docket init goes on: %w", name, err)
	}
	return Step{Path: name}, nil
}

// add gives a file the lines that it has not got, in one step. Bytes that are
// there stay as they are.
func add(fsys disk.FS, root, name string, lines []string) ([]Step, error) {
	fail := func(err error) ([]Step, error) {
		return nil, fmt.Errorf("%s is as it was; once that is mended, docket init goes on, or add the lines by hand (%s): %w", name, strings.Join(lines, ", "), err)
	}
	full := filepath.Join(root, name)
	lock, err := fsys.Lock(filepath.Join(root, name+disk.LockSuffix))
	if err != nil {
		return fail(err)
	}
	defer lock.Release()
	content, err := disk.Read(fsys, full, maxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	var have []string
	for line := range strings.Lines(string(content)) {
		have = append(have, strings.TrimSpace(line))
	}
	steps := make([]Step, len(lines))
	next := content
	for i, line := range lines {
		steps[i] = Step{Path: name, Line: line, Kept: slices.Contains(have, line)}
		if steps[i].Kept {
			continue
		}
		if len(next) > 0 && next[len(next)-1] != '\n' {
			next = append(next, '\n')
		}
		next = append(append(next, line...), '\n')
	}
	if len(next) == len(content) {
		return steps, nil
	}
	err = disk.Clean(fsys, full)
	if err == nil {
		err = disk.Write(fsys, full, next, 0o644)
	}
	if err != nil {
		return fail(err)
	}
	return steps, nil
}
