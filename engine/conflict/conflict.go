// Package conflict reads from git what it keeps of files in conflict: the
// three versions of each, and who the two sides are.
//
// The package refuses to change anything: it adds nothing to the index, moves
// no branch and writes no file. It runs git with arguments that it makes
// itself, never a shell, and it knows nothing of what the files hold.
package conflict

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// The numbers that git gives to the versions of a file in conflict.
const (
	Base   = 1
	Ours   = 2
	Theirs = 3
)

// A File is a file in conflict.
type File struct {
	Path string // relative to the folder that was asked about, with slashes

	dir     string
	objects map[int]string // by version
}

// ErrNoGit says that there is no git to ask, or no repository.
var ErrNoGit = errors.New("git cannot be asked")

// List returns the files below a folder that git holds to be in conflict,
// sorted by path. The error wraps ErrNoGit where the folder lies in no
// repository or git is not installed.
func List(ctx context.Context, dir string) ([]File, error) {
	out, err := git(ctx, dir, "ls-files", "--unmerged", "-z", "--", ".")
	if err != nil {
		return nil, err
	}
	var files []File
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if entry == "" {
			continue
		}
		// "mode object version<tab>path", one entry for each version.
		meta, path, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 3 || len(fields[2]) != 1 {
			return nil, fmt.Errorf("git lists a file in conflict in a form that is not known: %q", entry)
		}
		if n := len(files); n == 0 || files[n-1].Path != path {
			files = append(files, File{Path: path, dir: dir, objects: map[int]string{}})
		}
		files[len(files)-1].objects[int(fields[2][0]-'0')] = fields[1]
	}
	return files, nil
}

// Has reports whether the file exists in a version.
func (f *File) Has(version int) bool { return f.objects[version] != "" }

// Read returns the bytes of a version as git keeps them; nil where the file
// does not exist in it.
func (f *File) Read(ctx context.Context, version int) ([]byte, error) {
	object, ok := f.objects[version]
	if !ok {
		return nil, nil
	}
	return git(ctx, f.dir, "cat-file", "blob", object)
}

// git runs git in a folder and returns what it prints.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	// No program of the repository's configuration is started, no index is
	// rewritten, and a path is a path and never a pattern.
	args = append([]string{"-c", "core.fsmonitor=false", "--no-pager", "--literal-pathspecs"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%w: it is not installed", ErrNoGit)
	}
	said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	said = strings.TrimPrefix(said, "fatal: ")
	if strings.Contains(said, "not a git repository") {
		return nil, fmt.Errorf("%w: %s lies in no repository", ErrNoGit, dir)
	}
	return nil, fmt.Errorf("git says: %s", said)
}
