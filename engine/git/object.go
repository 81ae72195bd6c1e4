package git

import (
	"bytes"
	"context"
	"crypto/sha1" // the name of an object, not a proof of anything
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
)

// Show returns what a file held at a commit, byte for byte as git keeps it. The
// error wraps ErrMissing where there is no such commit, or no such file in it.
func (r *Repo) Show(ctx context.Context, rev, path string) ([]byte, error) {
	if err := commit(rev); err != nil {
		return nil, err
	}
	full, err := r.inside(path)
	if err != nil {
		return nil, err
	}
	return r.run(ctx, nil, "cat-file", "blob", rev+":"+full)
}

// Object returns the bytes of a file by the id under which git keeps them, such
// as that of a Change.
func (r *Repo) Object(ctx context.Context, id string) ([]byte, error) {
	if !objectID(id) {
		return nil, fmt.Errorf("%q is not an object id", id)
	}
	return r.run(ctx, nil, "cat-file", "blob", id)
}

// Tree returns the object ids of all files at or below a folder at a commit, by
// path. A folder that the commit does not have is empty.
func (r *Repo) Tree(ctx context.Context, rev, folder string) (map[string]string, error) {
	if err := commit(rev); err != nil {
		return nil, err
	}
	full, err := r.inside(folder)
	if err != nil {
		return nil, err
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", rev, "--"}
	if full != "." && full != "" {
		args = append(args, full)
	}
	out, err := r.run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	objects := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		// "mode kind object<tab>path"
		meta, name, ok := strings.Cut(entry, "\t")
		if fields := strings.Fields(meta); ok && len(fields) == 3 {
			objects[r.outside(name)] = fields[2]
		}
	}
	return objects, nil
}

// Holds reports whether data is what git keeps under an object id. Line ends of
// Windows, which git may turn into its own when it takes a file in, make no
// difference. No program is asked, unlike with `git status`, which starts the
// filters that a repository's configuration names.
func (r *Repo) Holds(id string, data []byte) bool {
	return r.objectID(data) == id || bytes.Contains(data, []byte("\r\n")) && r.objectID(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))) == id
}

// objectID names bytes as git does.
func (r *Repo) objectID(data []byte) string {
	var h hash.Hash = sha1.New()
	if r.format == "sha256" {
		h = sha256.New()
	}
	h.Write([]byte("blob " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// Commits tells of each abbreviated or whole commit id whether the repository
// has that commit, whatever branch it is on. Several that an abbreviation could
// stand for count as one. What is not hexadecimal is not asked for, and not
// known.
func (r *Repo) Commits(ctx context.Context, ids []string) (map[string]bool, error) {
	known := make(map[string]bool, len(ids))
	var input bytes.Buffer
	var asked []string
	for _, id := range ids {
		if len(id) >= 4 && len(id) <= 64 && strings.Trim(id, "0123456789abcdefABCDEF") == "" {
			asked = append(asked, id)
			input.WriteString(id + "\n")
		}
	}
	if len(asked) == 0 {
		return known, nil
	}
	out, err := r.run(ctx, input.Bytes(), "cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(asked) {
		return nil, fmt.Errorf("git was asked for %d commits and told of %d", len(asked), len(lines))
	}
	for i, line := range lines {
		// "object commit size", "id missing" or "id ambiguous"
		fields := strings.Fields(line)
		known[asked[i]] = len(fields) == 3 && (fields[1] == "commit" || fields[1] == "tag") || len(fields) == 2 && fields[1] == "ambiguous"
	}
	return known, nil
}

// Objects returns the bytes of many files by the ids under which git keeps them.
// Ids that the repository does not have are left out.
func (r *Repo) Objects(ctx context.Context, ids []string) (map[string][]byte, error) {
	var input bytes.Buffer
	for _, id := range ids {
		if objectID(id) {
			input.WriteString(id + "\n")
		}
	}
	objects := map[string][]byte{}
	if input.Len() == 0 {
		return objects, nil
	}
	out, err := r.run(ctx, input.Bytes(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	for len(out) > 0 {
		// "object kind size", the bytes and a line end; or "id missing".
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		out = rest
		fields := strings.Fields(string(head))
		if len(fields) != 3 {
			continue
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size < 0 || size >= len(rest) {
			return nil, fmt.Errorf("the answer of git cat-file has a form that docket does not know: %.60q", head)
		}
		objects[fields[0]], out = rest[:size:size], rest[size+1:]
	}
	return objects, nil
}
