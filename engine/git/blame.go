package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Blame tells which commit wrote one line of a file.
type Blame struct {
	Line    int // counted from 1
	Commit  string
	Author  string
	Email   string
	Date    time.Time // of the author
	Subject string
	Path    string // of the file in that commit
	Text    string // without its line end
	// Unrecorded says that the commit is the edge of a shallow clone, so that it
	// is only the oldest one that is known to have the line.
	Unrecorded bool
}

// Blame tells of the lines first to last of a file at a commit who wrote them;
// last 0 stands for the last line, first 0 for the first. It looks at the
// commit and never at the work tree, where a repository's configuration may ask
// for programs: see Tree and Holds for whether the file is another there.
func (r *Repo) Blame(ctx context.Context, rev, path string, first, last int) ([]Blame, error) {
	if err := commit(rev); err != nil {
		return nil, err
	}
	full, err := r.inside(path)
	if err != nil {
		return nil, err
	}
	args := append([]string{"blame", "--line-porcelain", "--encoding=UTF-8"}, noPrograms()...)
	if first > 0 || last > 0 {
		lines := strconv.Itoa(max(first, 1)) + ","
		if last > 0 {
			lines += strconv.Itoa(last)
		}
		args = append(args, "-L", lines)
	}
	args = append(args, rev, "--", full)
	out, err := r.run(ctx, nil, args...)
	if err != nil && strings.Contains(err.Error(), "could not open object name list") {
		// A person who has blame.ignoreRevsFile set for all repositories can blame in
		// those alone that have the file.
		alone := *r
		alone.alone = true
		out, err = alone.run(ctx, nil, args...)
	}
	if err != nil {
		return nil, err
	}
	lines, err := parseBlame(string(out))
	for i := range lines {
		lines[i].Path = r.outside(lines[i].Path)
		lines[i].Unrecorded = r.edge[lines[i].Commit]
	}
	return lines, err
}

// parseBlame reads what git blame --line-porcelain prints: for each line a head
// "commit line-then line-now [lines]", its fields, and the text after a tab.
func parseBlame(out string) ([]Blame, error) {
	var all []Blame
	var b Blame
	head := true
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
		if out == "" {
			break
		}
		if head {
			fields := strings.Fields(line)
			if len(fields) < 3 || !objectID(fields[0]) {
				return nil, fmt.Errorf("the answer of git blame has a form that docket does not know: %.60q", line)
			}
			number, err := strconv.Atoi(fields[2])
			if err != nil {
				return nil, fmt.Errorf("the answer of git blame has a form that docket does not know: %.60q", line)
			}
			b, head = Blame{Commit: fields[0], Line: number}, false
			continue
		}
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			b.Text = text
			all, head = append(all, b), true
			continue
		}
		switch name, value, _ := strings.Cut(line, " "); name {
		case "author":
			b.Author = value
		case "author-mail":
			b.Email = strings.TrimSuffix(strings.TrimPrefix(value, "<"), ">")
		case "author-time":
			if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
				b.Date = time.Unix(seconds, 0).UTC()
			}
		case "summary":
			b.Subject = value
		case "filename":
			b.Path = unquote(value)
		}
	}
	return all, nil
}

// unquote reads a path that git put in quotes because of what it holds. One
// that is no quoted text stays as it is.
func unquote(name string) string {
	if !strings.HasPrefix(name, `"`) {
		return name
	}
	if plain, err := strconv.Unquote(name); err == nil {
		return plain
	}
	return name
}
