// Package git asks git about the history of a repository: who changed a file
// and when, what it held then, which files are gone.
//
// The package refuses to change anything: it writes no index, moves no branch,
// fetches nothing. A repository may be somebody else's, so it also refuses to
// start what the repository's own configuration names: no hook, file-system
// monitor, pager, textconv, external diff, signature check or transport. It
// runs git with arguments that it makes itself, never a shell, for a limited
// time, and reads a limited amount of what git prints.
//
// Names, messages and paths come back as git has them, whatever they hold: see
// package safetext for what a terminal may show.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Limits of one question to git.
const (
	timeLimit   = 60 * time.Second
	outputLimit = 256 << 20 // bytes
)

// The reasons for which there is nothing to ask.
var (
	// ErrNone says that there is no git to ask, or no repository.
	ErrNone = errors.New("there is no git history")
	// ErrMissing says that a repository has no such commit or file.
	ErrMissing = errors.New("not in the repository")
)

// A Repo is a repository, seen from one of its folders. All paths that its
// methods take and return are relative to that folder, with slashes; a file
// elsewhere in the repository begins with "../". It may be used from several
// goroutines.
type Repo struct {
	top     string // the folder of the work tree
	prefix  string // from top to the folder that was asked about; "" or "a/b"
	format  string // of object ids: sha1 or sha256
	shallow bool
	edge    map[string]bool // the commits of a shallow clone whose parents are not there
	alone   bool            // what a person's own configuration says does not count
}

// Open finds the repository in which a folder lies. The error wraps ErrNone
// where it lies in none, where git is not installed, or where git refuses to
// read it because it belongs to another user.
func Open(ctx context.Context, dir string) (*Repo, error) {
	ask := &Repo{top: dir}
	out, err := ask.run(ctx, nil, "rev-parse", "--show-toplevel", "--show-prefix", "--show-object-format", "--is-shallow-repository")
	if err != nil {
		return nil, err
	}
	said := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(said) != 4 || said[0] == "" {
		return nil, fmt.Errorf("%w: what git says of the repository of %s has a form that docket does not know", ErrNone, dir)
	}
	r := &Repo{top: filepath.FromSlash(said[0]), prefix: strings.TrimSuffix(said[1], "/"), format: said[2], shallow: said[3] == "true"}
	if r.shallow {
		r.edge, err = r.readEdge(ctx)
	}
	return r, err
}

// readEdge reads the file in which git keeps the edge of a shallow clone.
func (r *Repo) readEdge(ctx context.Context) (map[string]bool, error) {
	out, err := r.run(ctx, nil, "rev-parse", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(string(out), "\n")
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.top, name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the edge of the shallow clone cannot be read: %w", err)
	}
	edge := map[string]bool{}
	for _, id := range strings.Fields(string(data)) {
		edge[id] = true
	}
	return edge, nil
}

// Shallow reports whether the clone holds only the last commits, so that what
// was before them is not known.
func (r *Repo) Shallow() bool { return r.shallow }

// Head returns the object id of the commit that is checked out; "" where there
// is no commit yet.
func (r *Repo) Head(ctx context.Context) (string, error) {
	out, err := r.run(ctx, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if errors.Is(err, errQuiet) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// inside returns a path as seen from the top of the work tree.
func (r *Repo) inside(name string) (string, error) {
	full := path.Join(r.prefix, name)
	if full == ".." || strings.HasPrefix(full, "../") || path.IsAbs(name) || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("%q lies outside the repository", name)
	}
	return full, nil
}

// outside returns a path of the work tree as seen from the folder that was
// asked about.
func (r *Repo) outside(full string) string {
	from := r.prefix
	up := ""
	for from != "" && from != "." {
		if rest, ok := strings.CutPrefix(full, from+"/"); ok {
			return up + rest
		}
		from, up = path.Dir(from), up+"../"
	}
	return up + full
}

// settings keep a repository's configuration from naming a program that git
// would start, and git from asking anybody anything.
func settings() []string {
	return []string{
		"--no-pager", "--literal-pathspecs", "--no-optional-locks",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.pager=cat",
		"-c", "core.askPass=",
		"-c", "protocol.allow=never",
		"-c", "safe.bareRepository=explicit", // a folder of the work tree may look like one
		"-c", "diff.orderFile=" + os.DevNull,
		"-c", "log.showSignature=false",
		"-c", "log.showRoot=true", // the first commit adds files, too
		"-c", "submodule.recurse=false",
	}
}

// noPrograms is what is said to those of git's commands that know diffs.
func noPrograms() []string { return []string{"--no-ext-diff", "--no-textconv"} }

// environment is docket's own, without the variables that point git to another
// repository than that of the folder: they are set in hooks.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
			"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_EXTERNAL_DIFF", "GIT_PAGER",
			"GIT_CONFIG_PARAMETERS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS":
		default:
			env = append(env, v)
		}
	}
	return append(env, "LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_PAGER=cat")
}

// errQuiet is an exit of git without a word.
var errQuiet = errors.New("git gave no answer")

// run runs git at the top of the work tree and returns what it prints.
func (r *Repo) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	before, env := settings(), environment()
	if r.alone {
		before = append(before, "-c", "safe.directory="+filepath.ToSlash(r.top)) // as Open found it
		env = append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	}
	cmd := exec.CommandContext(limited, "git", append(before, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.top, env, bytes.NewReader(input)
	cmd.WaitDelay = 2 * time.Second
	stdout := &bounded{limit: outputLimit, full: cancel}
	stderr := &bounded{limit: 64 << 10}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case stdout.cut:
		return nil, fmt.Errorf("git %s printed more than %d MB", args[0], outputLimit>>20)
	case limited.Err() != nil:
		return nil, fmt.Errorf("git %s took longer than %s", args[0], timeLimit)
	case err == nil:
		return stdout.buf.Bytes(), nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%w: git is not installed", ErrNone)
	}
	return nil, explain(r.top, args[0], stderr.buf.String(), err)
}

// Ask runs one of git's commands in a folder and returns what it prints, within
// the limits of this package. It is for the packages that ask of something else
// than history: the command must be one that changes nothing. The error wraps
// ErrNone as that of Open does.
func Ask(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return (&Repo{top: dir}).run(ctx, nil, args...)
}

// explain turns what git said before it failed into an error.
func explain(dir, command, said string, err error) error {
	said, _, _ = strings.Cut(strings.TrimSpace(said), "\n")
	said = strings.TrimPrefix(said, "fatal: ")
	var left *exec.ExitError
	switch {
	case strings.Contains(said, "not a git repository"), strings.Contains(said, "must be run in a work tree"), strings.Contains(said, "cannot use bare repository"):
		return fmt.Errorf("%w: %s lies in no repository", ErrNone, dir)
	case strings.Contains(said, "dubious ownership"):
		return fmt.Errorf("%w: the repository belongs to another user; `git config --global --add safe.directory DIR` trusts it", ErrNone)
	case strings.Contains(said, "does not exist in"), strings.Contains(said, "exists on disk, but not in"),
		strings.Contains(said, "no such path"), strings.Contains(said, "Not a valid object name"),
		strings.Contains(said, "bad object"), strings.Contains(said, "unknown revision"), strings.Contains(said, "bad revision"):
		return fmt.Errorf("%w: %q", ErrMissing, said)
	case said == "" && errors.As(err, &left):
		return fmt.Errorf("%w to %s: %w", errQuiet, command, err)
	case said == "":
		return fmt.Errorf("git %s cannot be run: %w", command, err)
	}
	return fmt.Errorf("git %s says: %q", command, said)
}

// revision matches what may stand for a commit: never a flag, a range or a
// path.
var revision = regexp.MustCompile(`^[0-9A-Za-z_][0-9A-Za-z_./~^@{}-]*$`)

// commit checks the name of a commit.
func commit(rev string) error {
	if !revision.MatchString(rev) || strings.Contains(rev, "..") {
		return fmt.Errorf("%q is not the name of one commit", rev)
	}
	return nil
}

// bounded keeps what is written to it up to a limit.
type bounded struct {
	buf   bytes.Buffer
	limit int
	cut   bool
	full  func() // called once there is more
}

// Write implements io.Writer. It takes everything, so that the program is not
// held up, and forgets what is past the limit.
func (b *bounded) Write(p []byte) (int, error) {
	keep := min(len(p), b.limit-b.buf.Len())
	b.buf.Write(p[:keep])
	if keep < len(p) && !b.cut {
		b.cut = true
		if b.full != nil {
			b.full()
		}
	}
	return len(p), nil
}
