// Package conflict reads from git what it keeps of files in conflict: the
// three versions of each, and who the two sides are.
//
// The package refuses to change anything: it adds nothing to the index, moves
// no branch and writes no file. It asks git through package git, with arguments
// that it makes itself, and it knows nothing of what the files hold.
package conflict

import (
	"context"
	"fmt"
	"strings"

	"docket/engine/git"
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
var ErrNoGit = git.ErrNone

// List returns the files below a folder that git holds to be in conflict,
// sorted by path. The error wraps ErrNoGit where the folder lies in no
// repository or git is not installed.
func List(ctx context.Context, dir string) ([]File, error) {
	out, err := git.Ask(ctx, dir, "ls-files", "--unmerged", "-z", "--", ".")
	if err != nil {
		return nil, err
	}
	return parseListing(dir, string(out))
}

// parseListing reads what git prints of files in conflict below a folder.
func parseListing(dir, out string) ([]File, error) {
	var files []File
	for entry := range strings.SplitSeq(out, "\x00") {
		if entry == "" {
			continue
		}
		// "mode object version<tab>path", one entry for each version.
		meta, path, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if !ok || path == "" || len(fields) != 3 || len(fields[2]) != 1 || fields[2] < "1" || fields[2] > "3" || !isObject(fields[1]) {
			return nil, fmt.Errorf("git lists a file in conflict in a form that docket does not know: %q", entry)
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
	return git.Ask(ctx, f.dir, "cat-file", "blob", object)
}
