package engine_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/merge"
)

// A repo is a git repository with one suite in it, at some folder below its
// root.
type repo struct {
	t    *testing.T
	root string
	dir  string // of the configuration
}

const liveHeader = `{"_config":{"format":1,"suite":"mail","mode":"live","captured":"2026-01-01"}}`

// newRepo makes a repository whose first commit holds a baseline of those
// lines.
func newRepo(t *testing.T, below, attributes string, content string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	r := &repo{t: t, root: root, dir: filepath.Join(root, below)}
	r.git("init", "-q", "-b", "main")
	r.file(".docket.yaml", "version: 1\nsuites:\n  mail: {cases: cases/mail}\n")
	r.file(".gitattributes", attributes)
	r.file(".gitignore", "*.docket-lock\n")
	r.file(r.path(), content)
	r.commit("first")
	return r
}

func (r *repo) path() string { return "baselines/mail/live.jsonl" }

func (r *repo) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@tests.example", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@tests.example")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (r *repo) file(name, content string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit(subject string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", subject)
}

// branches commits one content on main and another on topic, with topic
// checked out last where that is asked for.
func (r *repo) branches(ours, theirs string) {
	r.t.Helper()
	r.git("checkout", "-q", "-b", "topic")
	r.file(r.path(), theirs)
	r.commit("on topic")
	r.git("checkout", "-q", "main")
	r.file(r.path(), ours)
	r.commit("on main")
}

func (r *repo) read() string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(r.path())))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r *repo) merge(o engine.MergeOptions) ([]engine.Merge, error) {
	r.t.Helper()
	p, err := engine.Load(filepath.Join(r.dir, ".docket.yaml"))
	if err != nil {
		r.t.Fatal(err)
	}
	return p.Merge(context.Background(), o)
}

// one merges the one baseline that must be in conflict.
func (r *repo) one(o engine.MergeOptions) engine.Merge {
	r.t.Helper()
	merges, err := r.merge(o)
	if err != nil || len(merges) != 1 {
		r.t.Fatalf("merged %d, %v", len(merges), err)
	}
	return merges[0]
}

func labelled(id, label string) string {
	l := baseline.Line{ID: id, Version: 1, Input: "sha256:aa", Projections: map[string]any{"label": label}, Samples: 5}
	return string(baseline.AppendLine(nil, &l))
}

// content makes a file of the header and lines "id=label", with a line end
// after the last unless it is "…".
func content(header string, cases ...string) string {
	lines := []string{header}
	for _, c := range cases {
		if id, label, ok := strings.Cut(c, "="); ok {
			lines = append(lines, labelled(id, label))
		} else {
			lines = append(lines, c)
		}
	}
	whole := strings.Join(lines, "\n") + "\n"
	return strings.TrimSuffix(whole, "\n…\n")
}

// The table D2 of the measured merges of git, each row in a real repository:
// what git leaves in conflict docket resolves by case id, but for one case
// that both sides changed.
func TestWhatGitLeavesInConflict(t *testing.T) {
	six := []string{"a=x", "b=x", "c=x", "d=x", "e=x", "f=x"}
	edit := func(from []string, cases ...string) []string {
		out := slices.Clone(from)
		for _, c := range cases {
			at := slices.IndexFunc(out, func(s string) bool { return s[0] == c[0] })
			if at < 0 {
				out = append(out, c)
				continue
			}
			out[at] = c
		}
		return out
	}
	blanks := func(cases []string) (out []string) {
		for i, c := range cases {
			if i > 0 {
				out = append(out, "")
			}
			out = append(out, c)
		}
		return out
	}
	open := append(slices.Clone(six), "…") // no line end at the end
	tests := []struct {
		name               string
		base, ours, theirs []string
		clean              bool // git merges it alone
		want               []string
		undecided          string
	}{
		{"adjacent lines", six, edit(six, "c=new"), edit(six, "d=new"), false, edit(six, "c=new", "d=new"), ""},
		{"one untouched line between", six, edit(six, "b=new"), edit(six, "d=new"), true, edit(six, "b=new", "d=new"), ""},
		{"the same line differently", six, edit(six, "c=one"), edit(six, "c=two"), false, six, "c"},
		{"both append at the end", six, edit(six, "g=new"), edit(six, "h=new"), false, edit(six, "g=new", "h=new"), ""},
		{"no line end: append, and an edit of the line before the last", open, edit(six, "g=new", "…"), edit(open, "e=new"), false, edit(six, "e=new", "g=new"), ""},
		{"with a line end: the same", six, edit(six, "g=new"), edit(six, "e=new"), true, edit(six, "e=new", "g=new"), ""},
		{"blank lines between", blanks(six), blanks(edit(six, "c=new")), blanks(edit(six, "d=new")), true, blanks(edit(six, "c=new", "d=new")), ""},
		{"removed and edited", six, six[:5], edit(six, "f=new"), false, six, "f"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRepo(t, ".", "*.jsonl text eol=lf\n", content(liveHeader, test.base...))
			r.branches(content(liveHeader, test.ours...), content(liveHeader, test.theirs...))
			if _, err := r.try("merge", "topic"); (err == nil) != test.clean {
				t.Fatalf("git merges it alone: %v, want %v", err == nil, test.clean)
			}
			if test.clean {
				merges, err := r.merge(engine.MergeOptions{})
				if len(merges) != 0 || (err != nil) != strings.Contains(r.read(), "\n\n") {
					t.Errorf("without a conflict: %v, %v", merges, err)
				}
			} else {
				m := r.one(engine.MergeOptions{})
				var undecided []string
				for _, c := range m.Clashes {
					undecided = append(undecided, c.ID)
				}
				if got := strings.Join(undecided, " "); got != test.undecided {
					t.Errorf("undecided %q, want %q", got, test.undecided)
				}
				if m.Sides.Operation != "merge" || m.Sides.Ours != "main" || m.Sides.Theirs != "topic" {
					t.Errorf("the sides are %+v", m.Sides)
				}
				if out := r.git("ls-files", "--unmerged"); out == "" {
					t.Error("the file was staged, which is for a person to do")
				}
			}
			if got, want := r.read(), content(liveHeader, test.want...); got != want {
				t.Errorf("the file holds\n%s\nwant\n%s", got, want)
			}
			r.git("add", r.path())
			r.git("commit", "-q", "--allow-empty", "-m", "merged")
		})
	}
}

func TestAUnionMergeIsRefused(t *testing.T) {
	r := newRepo(t, ".", "*.jsonl merge=union\n", content(liveHeader, "a=x", "b=x"))
	r.branches(content(liveHeader, "a=one", "b=x"), content(liveHeader, "a=two", "b=x"))
	r.git("merge", "topic")
	if _, err := r.merge(engine.MergeOptions{}); err == nil || !strings.Contains(err.Error(), `the id "a" stands on line 2 already`) {
		t.Errorf("got %v", err)
	}
}

func TestEveryStyleOfMarkerAndASecondMerge(t *testing.T) {
	for _, style := range []string{"merge", "diff3", "zdiff3"} {
		t.Run(style, func(t *testing.T) {
			r := newRepo(t, ".", "", content(liveHeader, "a=x", "b=x"))
			r.git("config", "merge.conflictStyle", style)
			r.branches(content(liveHeader, "a=one", "b=x"), content(liveHeader, "a=x", "b=two"))
			if _, err := r.try("merge", "topic"); err == nil {
				t.Fatal("git has no conflict")
			}
			if m := r.one(engine.MergeOptions{}); m.Resolved {
				t.Error("it was resolved before it was merged")
			}
			want := content(liveHeader, "a=one", "b=two")
			if got := r.read(); got != want {
				t.Errorf("the file holds\n%s", got)
			}
			if m := r.one(engine.MergeOptions{}); !m.Resolved {
				t.Error("a second merge does not see the first")
			}
		})
	}
}

func TestWhatAPersonResolvedIsNotReplaced(t *testing.T) {
	r := newRepo(t, ".", "", content(liveHeader, "a=x", "b=x"))
	r.branches(content(liveHeader, "a=one", "b=x"), content(liveHeader, "a=x", "b=two"))
	if _, err := r.try("merge", "topic"); err == nil {
		t.Fatal("git has no conflict")
	}
	marked := r.read()
	byHand := content(liveHeader, "a=by hand", "b=two")
	r.file(r.path(), byHand)
	if _, err := r.merge(engine.MergeOptions{}); err == nil || !strings.Contains(err.Error(), "somebody resolved it by hand") {
		t.Errorf("got %v", err)
	}
	if r.read() != byHand {
		t.Error("what a person wrote is gone")
	}
	// Added with its markers in: git knows of no conflict any more.
	r.file(r.path(), marked)
	r.git("add", r.path())
	_, err := r.merge(engine.MergeOptions{})
	if err == nil || !strings.Contains(err.Error(), "git checkout --merge -- "+r.path()) {
		t.Fatalf("got %v", err)
	}
	r.git("checkout", "--merge", "--", r.path())
	r.one(engine.MergeOptions{})
	if got, want := r.read(), content(liveHeader, "a=one", "b=two"); got != want {
		t.Errorf("after the command that the error names the file holds\n%s", got)
	}
}

func TestARecaptureOnOneBranchNeedsAPerson(t *testing.T) {
	recaptured := strings.Replace(liveHeader, "2026-01-01", "2026-02-02", 1)
	r := newRepo(t, ".", "", content(liveHeader, "a=x", "b=x"))
	r.branches(content(liveHeader, "a=one", "b=x"), content(recaptured, "a=x", "b=two"))
	if _, err := r.try("merge", "topic"); err == nil {
		t.Fatal("git has no conflict")
	}
	marked := r.read()
	if _, err := r.merge(engine.MergeOptions{}); err == nil || !strings.Contains(err.Error(), "differ in captured, so their side captured it anew") {
		t.Errorf("got %v", err)
	}
	if r.read() != marked {
		t.Error("the file was written all the same")
	}
	r.one(engine.MergeOptions{Header: baseline.TakeTheirs})
	if got, want := r.read(), content(recaptured, "a=one", "b=two"); got != want {
		t.Errorf("the file holds\n%s", got)
	}
}

func TestInARebaseTheSidesAreNamedAsGitNamesThem(t *testing.T) {
	r := newRepo(t, "evals", "", content(liveHeader, "a=x", "b=x"))
	r.branches(content(liveHeader, "a=x", "b=main"), content(liveHeader, "a=mine", "b=x"))
	r.git("checkout", "-q", "topic")
	if _, err := r.try("rebase", "main"); err == nil {
		t.Fatal("git has no conflict")
	}
	m := r.one(engine.MergeOptions{Suite: "mail", Mode: "live"})
	if m.Sides.Operation != "rebase" || m.Sides.Ours != "main" || !strings.HasSuffix(m.Sides.Theirs, "(on topic)") {
		t.Errorf("the sides are %+v", m.Sides)
	}
	if m.Merged.FromOurs != 1 || m.Merged.FromTheirs != 1 {
		t.Errorf("merged %+v", m.Merged)
	}
	r.git("add", "-A")
	r.git("rebase", "--continue")
	if got, want := r.read(), content(liveHeader, "a=mine", "b=main"); got != want {
		t.Errorf("after the rebase the file holds\n%s", got)
	}
}

func TestInAWorktree(t *testing.T) {
	r := newRepo(t, "evals", "", content(liveHeader, "a=x", "b=x"))
	r.branches(content(liveHeader, "a=main", "b=x"), content(liveHeader, "a=x", "b=topic"))
	tree := filepath.Join(t.TempDir(), "tree")
	r.git("worktree", "add", "-q", tree, "topic")
	w := &repo{t: t, root: tree, dir: filepath.Join(tree, "evals")}
	if _, err := w.try("merge", "main"); err == nil {
		t.Fatal("git has no conflict")
	}
	m := w.one(engine.MergeOptions{})
	if m.Sides.Ours != "topic" || m.Sides.Theirs != "main" {
		t.Errorf("the sides are %+v", m.Sides)
	}
	if got, want := w.read(), content(liveHeader, "a=main", "b=topic"); got != want {
		t.Errorf("the file holds\n%s", got)
	}
	if merges, err := r.merge(engine.MergeOptions{}); err != nil || len(merges) != 0 {
		t.Errorf("the other tree: %v, %v", merges, err)
	}
}

func TestOtherOperationsAndShapesOfConflict(t *testing.T) {
	start := func(t *testing.T) *repo {
		r := newRepo(t, ".", "", content(liveHeader, "a=x", "b=x"))
		r.branches(content(liveHeader, "a=one", "b=x"), content(liveHeader, "a=x", "b=two"))
		return r
	}
	want := content(liveHeader, "a=one", "b=two")
	t.Run("cherry-pick", func(t *testing.T) {
		r := start(t)
		if _, err := r.try("cherry-pick", "topic"); err == nil {
			t.Fatal("git has no conflict")
		}
		if m := r.one(engine.MergeOptions{}); m.Sides.Operation != "cherry-pick" || !strings.HasSuffix(m.Sides.Theirs, "(on topic)") || r.read() != want {
			t.Errorf("%+v\n%s", m.Sides, r.read())
		}
	})
	t.Run("stash pop", func(t *testing.T) {
		r := start(t)
		r.git("checkout", "-q", "topic~1")
		r.file(r.path(), content(liveHeader, "a=x", "b=two"))
		r.git("stash", "-q")
		r.git("checkout", "-q", "main")
		if _, err := r.try("stash", "pop"); err == nil {
			t.Fatal("git has no conflict")
		}
		if m := r.one(engine.MergeOptions{}); m.Sides.Ours != "main" || m.Sides.Theirs != "Stashed changes" || r.read() != want {
			t.Errorf("%+v\n%s", m.Sides, r.read())
		}
	})
	t.Run("deleted on one side", func(t *testing.T) {
		r := start(t)
		r.git("rm", "-q", r.path())
		r.git("commit", "-q", "-m", "without it")
		if _, err := r.try("merge", "topic"); err == nil {
			t.Fatal("git has no conflict")
		}
		if _, err := r.merge(engine.MergeOptions{}); err == nil || !strings.Contains(err.Error(), `was deleted on one side ("main") and changed on the other ("topic")`) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("added on both sides", func(t *testing.T) {
		r := start(t)
		r.git("checkout", "-q", "--orphan", "other")
		r.file(r.path(), content(liveHeader, "b=x", "c=x"))
		r.commit("another beginning")
		if _, err := r.try("merge", "--allow-unrelated-histories", "main"); err == nil {
			t.Fatal("git has no conflict")
		}
		m := r.one(engine.MergeOptions{})
		if m.Merged.Lines != 3 || len(m.Clashes) != 0 || r.read() != content(liveHeader, "a=one", "b=x", "c=x") {
			t.Errorf("%+v\n%s", m.Merged, r.read())
		}
	})
	t.Run("no repository", func(t *testing.T) {
		r := start(t)
		if err := os.RemoveAll(filepath.Join(r.root, ".git")); err != nil {
			t.Fatal(err)
		}
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(r.root))
		if _, err := r.merge(engine.MergeOptions{}); err == nil || !strings.Contains(err.Error(), "--base, --ours and --theirs") {
			t.Errorf("got %v", err)
		}
	})
}

func TestTwoReviewsMergeInGitWithoutAPerson(t *testing.T) {
	var base []string
	for i := range 220 {
		base = append(base, fmt.Sprintf("inv-%04d=x", i))
	}
	ours, theirs := slices.Clone(base), slices.Clone(base)
	for i := range 23 {
		ours[i*9] = fmt.Sprintf("inv-%04d=ours", i*9)
		theirs[i*9+1] = fmt.Sprintf("inv-%04d=theirs", i*9+1)
	}
	r := newRepo(t, ".", "", content(liveHeader, base...))
	r.branches(content(liveHeader, ours...), content(liveHeader, theirs...))
	if _, err := r.try("merge", "topic"); err == nil {
		t.Fatal("git has no conflict")
	}
	m := r.one(engine.MergeOptions{})
	if c := m.Merged; len(c.Conflicts) != 0 || c.FromOurs != 23 || c.FromTheirs != 23 || c.Untouched != 174 {
		t.Errorf("%+v", c)
	}
	r.git("add", r.path())
	r.git("commit", "-q", "-m", "merged")
	if _, err := baseline.Read(disk.OS{}, filepath.Join(r.dir, r.path())); err != nil {
		t.Error(err)
	}
}

func TestMergeAsGitsDriver(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base := write("base", content(liveHeader, "a=x", "b=x"))
	ours := write("ours", content(liveHeader, "a=one", "b=one"))
	theirs := write("theirs", content(liveHeader, "a=x", "b=two"))
	m, err := merge.Files(base, ours, theirs, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Clashes) != 1 || m.Clashes[0].ID != "b" || len(m.Clashes[0].Parts) != 1 {
		t.Fatalf("clashes %+v", m.Clashes)
	}
	if p := m.Clashes[0].Parts[0]; p != (merge.Part{Of: "label", Base: "x", Ours: "one", Theirs: "two"}) {
		t.Errorf("it says %+v", p)
	}
	if err := m.WriteTo(ours); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(ours)
	if want := content(liveHeader, "a=one", "b=x"); string(data) != want {
		t.Errorf("got\n%s", data)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 {
		t.Errorf("files are left over: %v", entries)
	}
	empty := write("empty", "")
	if _, err := merge.Files(empty, ours, theirs, ""); err != nil {
		t.Errorf("without a base: %v", err)
	}
	if _, err := merge.Files(base, empty, theirs, ""); err == nil {
		t.Error("an empty side was merged")
	}
}

// bothWrite makes a conflict over a file that both branches began.
func (r *repo) bothWrite(name string) {
	r.git("checkout", "-q", "-b", "topic")
	r.file(name, "theirs\n")
	r.commit("theirs")
	r.git("checkout", "-q", "main")
	r.file(name, "ours\n")
	r.commit("ours")
	if _, err := r.try("merge", "topic"); err == nil {
		r.t.Fatal("git has no conflict")
	}
}

// TestAFileThatIsNoDecisionsIsNotMoved: a name that git has may hold anything,
// and is not put into another.
func TestAFileThatIsNoDecisionsIsNotMoved(t *testing.T) {
	r := newRepo(t, "evals", "", content(liveHeader, "a=x"))
	const name = "baselines/mail/decisions/\x1b]0;owned\a-1.jsonl"
	r.bothWrite(name)
	p, err := engine.Load(filepath.Join(r.dir, ".docket.yaml"))
	must(t, err)
	_, err = p.MergeDecisions(t.Context(), "")
	fails(t, err, "not named as docket names decisions", `\x1b]0;owned\a-1.jsonl`)
	if strings.ContainsRune(err.Error(), 0x1b) {
		t.Errorf("%q holds the escape", err)
	}
	if files, err := os.ReadDir(filepath.Join(r.dir, "baselines/mail/decisions")); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

func TestTwoReviewsOfOneRunKeepBothFilesOfDecisions(t *testing.T) {
	r := newRepo(t, "evals", "", content(liveHeader, "a=x", "b=x"))
	const first, second, third = "baselines/mail/decisions/20260811T102203Z-7f3a-1.jsonl", "baselines/mail/decisions/20260811T102203Z-7f3a-2.jsonl", "baselines/mail/decisions/20260811T102203Z-7f3a-1-ed9c86a6.jsonl"
	has := func(name string) string {
		data, _ := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
		return string(data)
	}
	r.git("checkout", "-q", "-b", "topic")
	r.file(first, "theirs\n")
	r.commit("theirs")
	r.git("checkout", "-q", "main")
	r.file(first, "ours\n")
	r.file(second, "a later one\n")
	r.commit("ours")
	if _, err := r.try("merge", "topic"); err == nil {
		t.Fatal("git has no conflict")
	}
	p, err := engine.Load(filepath.Join(r.dir, ".docket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time finds it done
		kept, err := p.MergeDecisions(context.Background(), "")
		if err != nil || len(kept) != 1 || kept[0] != (merge.Kept{Path: first, Moved: third}) {
			t.Fatalf("got %+v, %v", kept, err)
		}
		if has(first) != "ours\n" || has(second) != "a later one\n" || has(third) != "theirs\n" {
			t.Errorf("the files hold %q, %q, %q", has(first), has(second), has(third))
		}
	}
	r.file(first, "by hand\n")
	if _, err := p.MergeDecisions(context.Background(), "mail"); err == nil || has(first) != "by hand\n" {
		t.Errorf("what a person wrote: %v, %q", err, has(first))
	}
}
