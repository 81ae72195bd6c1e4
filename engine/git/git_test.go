package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/engine/git/gittest"
)

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// brief spells commits as "subject: status path, …".
func brief(commits []Commit) []string {
	var all []string
	for _, c := range commits {
		var changes []string
		for _, change := range c.Changes {
			text := ""
			for _, side := range change.Sides {
				text += string(rune(side.Status))
				if side.Path != change.Path {
					text += "(" + side.Path + ")"
				}
			}
			changes = append(changes, text+" "+change.Path)
		}
		all = append(all, c.Subject+": "+strings.Join(changes, ", "))
	}
	return all
}

const long = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"

func TestLogTellsRenamesAndMerges(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("sub/cases/a.yaml", long)
	repo.Write("sub/other.txt", "x\n")
	repo.Commit("Ada", "add a")
	repo.Git("checkout", "-q", "-b", "side")
	repo.Move("sub/cases/a.yaml", "sub/cases/b.yaml")
	repo.Commit("Ben", "rename a to b")
	repo.Git("checkout", "-q", "main")
	repo.Write("sub/cases/a.yaml", long+"nine\n")
	repo.Commit("Cy", "a ninth line\n\nbecause of INC-9\nand more")
	repo.Write("sub/other.txt", "y\n")
	repo.Commit("Cy", "elsewhere")
	repo.Merge("side", "merge side")
	repo.Git("rm", "-q", "sub/cases/b.yaml")
	gone := repo.Commit("Ben", "delete b")

	r := open(t, filepath.Join(repo.Dir, "sub"))
	commits, err := r.Log(context.Background(), "HEAD", "cases")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"delete b: D cases/b.yaml",
		"merge side: R(cases/a.yaml)M cases/b.yaml",
		"rename a to b: R(cases/a.yaml) cases/b.yaml",
		"a ninth line: M cases/a.yaml",
		"add a: A cases/a.yaml",
	}
	got := brief(commits)
	slices.Sort(got[2:4]) // the two sides come in either order
	slices.Sort(want[2:4])
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if c := commits[1]; len(c.Parents) != 2 {
		t.Errorf("the merge has the parents %v", c.Parents)
	}
	for _, c := range commits {
		if c.Subject == "a ninth line" && (c.Author != "Cy" || c.Email != "cy@example.com" || c.Body != "because of INC-9\nand more" || c.Date.Format("2006-01-02") != "2025-03-04") {
			t.Errorf("the commit reads %+v", c)
		}
	}
	deleted, err := r.Deleted(context.Background(), "HEAD", "cases")
	if err != nil || !slices.Equal(brief(deleted), want[:1]) {
		t.Errorf("deleted are %v, %v", brief(deleted), err)
	}
	data, err := r.Object(context.Background(), deleted[0].Changes[0].Sides[0].Object)
	if err != nil || string(data) != long+"nine\n" {
		t.Errorf("the deleted file held %q, %v", data, err)
	}
	data, err = r.Show(context.Background(), gone+"^", "cases/b.yaml")
	if err != nil || string(data) != long+"nine\n" {
		t.Errorf("before it was deleted it held %q, %v", data, err)
	}
	if _, err = r.Show(context.Background(), gone, "cases/b.yaml"); !errors.Is(err, ErrMissing) {
		t.Errorf("a file that is gone: %v", err)
	}
}

func TestFollowSeesARenameFromElsewhere(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("evals/a.yaml", long)
	repo.Commit("Ada", "add a")
	repo.Move("evals/a.yaml", "sub/cases/a.yaml")
	moved := repo.Commit("Ben", "move the cases")
	r := open(t, filepath.Join(repo.Dir, "sub"))
	commits, err := r.Follow(context.Background(), "HEAD", "cases/a.yaml")
	want := []string{"move the cases: R(../evals/a.yaml) cases/a.yaml", "add a: A ../evals/a.yaml"}
	if err != nil || !slices.Equal(brief(commits), want) {
		t.Errorf("got %q, %v", brief(commits), err)
	}
	touched, err := r.Touched(context.Background(), moved)
	if err != nil || !slices.Equal(brief([]Commit{touched}), want[:1]) {
		t.Errorf("got %q, %v", brief([]Commit{touched}), err)
	}
	if _, err := r.Follow(context.Background(), "HEAD", "../evals/a.yaml"); err != nil {
		t.Errorf("a path above the folder and within the repository: %v", err)
	}
	if _, err := r.Follow(context.Background(), "HEAD", "../../x"); err == nil {
		t.Error("a path outside the repository was taken")
	}
}

func TestNamesAndMessagesThatAreHard(t *testing.T) {
	repo := gittest.New(t)
	names := []string{"cases/:odd\n\"name\".yaml", "cases/-flag.yaml", "cases/*.yaml", "cases/日本語.yaml"}
	for _, name := range names {
		repo.Write(name, "id: "+name+long)
	}
	message := "\x1b[31mred\x1b[0m :100644 fake\n\n:100644 100644 a b M\nwith \x01 and \u202e"
	id := repo.Commit("Ada", message)
	r := open(t, repo.Dir)
	commits, err := r.Log(context.Background(), "HEAD", "cases")
	if err != nil || len(commits) != 1 || len(commits[0].Changes) != len(names) {
		t.Fatalf("got %+v, %v", commits, err)
	}
	if c := commits[0]; c.Subject+"\n\n"+c.Body != message || c.ID != id {
		t.Errorf("the message reads %q, %q", c.Subject, c.Body)
	}
	for _, name := range names {
		if _, err := r.Show(context.Background(), "HEAD", name); err != nil {
			t.Errorf("show %q: %v", name, err)
		}
		if commits, err := r.Follow(context.Background(), "HEAD", name); err != nil || len(commits) != 1 {
			t.Errorf("follow %q: %v, %v", name, brief(commits), err)
		}
		if lines, err := r.Blame(context.Background(), "HEAD", name, 2, 3); err != nil || len(lines) != 2 || lines[0].Path != name || lines[0].Line != 2 {
			t.Errorf("blame %q: %+v, %v", name, lines, err)
		}
	}
	tree, err := r.Tree(context.Background(), "HEAD", "cases")
	if err != nil || len(tree) != len(names) || !r.Holds(tree[names[3]], []byte("id: "+names[3]+long)) || r.Holds(tree[names[3]], []byte("id")) {
		t.Errorf("the tree is %v, %v", tree, err)
	}
	for _, rev := range []string{"", "--output=x", "-p", "a..b", "HEAD b", "HEAD:x", "HEAD\n"} {
		if _, err := r.Log(context.Background(), rev, "cases"); err == nil {
			t.Errorf("the commit %q was taken", rev)
		}
	}
}

func TestWhereThereIsNoHistory(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	if _, err := Open(ctx, dir); !errors.Is(err, ErrNone) {
		t.Errorf("a folder without a repository: %v", err)
	}
	repo := gittest.New(t)
	if head, err := open(t, repo.Dir).Head(ctx); err != nil || head != "" {
		t.Errorf("a repository without a commit: %q, %v", head, err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(ctx, repo.Dir); !errors.Is(err, ErrNone) {
		t.Errorf("without git: %v", err)
	}
}

func TestShallowClone(t *testing.T) {
	ctx := context.Background()
	repo := gittest.New(t)
	repo.Write("cases/a.yaml", long)
	repo.Commit("Ada", "add a")
	repo.Write("cases/b.yaml", long)
	repo.Commit("Ben", "add b")
	repo.Write("cases/a.yaml", long+"nine\n")
	repo.Commit("Cy", "change a")
	clone := t.TempDir()
	repo.Git("clone", "-q", "--depth=2", "file://"+repo.Dir, clone)
	r := open(t, clone)
	commits, err := r.Log(ctx, "HEAD", "cases/a.yaml")
	if err != nil || !r.Shallow() || len(commits) != 2 || commits[0].Unrecorded || !commits[1].Unrecorded {
		t.Errorf("got %+v, %v", commits, err)
	}
	lines, err := r.Blame(ctx, "HEAD", "cases/a.yaml", 0, 0)
	if err != nil || len(lines) != 9 || !lines[0].Unrecorded || lines[8].Unrecorded || lines[8].Text != "nine" {
		t.Errorf("got %+v, %v", lines, err)
	}
	if open(t, repo.Dir).Shallow() {
		t.Error("a whole repository is called shallow")
	}
}

func TestCommits(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("a", "b")
	id := repo.Commit("Ada", "add")
	known, err := open(t, repo.Dir).Commits(context.Background(), []string{id, id[:7], strings.ToUpper(id[:9]), "0123456789", "--batch", "HEAD", "abc"})
	if err != nil || !known[id] || !known[id[:7]] || !known[strings.ToUpper(id[:9])] || known["0123456789"] || known["--batch"] || known["HEAD"] || known["abc"] {
		t.Errorf("got %v, %v", known, err)
	}
}

// TestNoProgramIsStarted asks everything of a repository whose configuration
// and attributes name programs wherever git knows a place for one.
func TestNoProgramIsStarted(t *testing.T) {
	ctx := context.Background()
	repo := gittest.New(t)
	repo.Write("a.yaml", long)
	repo.Write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
	repo.Commit("Ada", "add")
	repo.Write("a.yaml", long+"nine\n")
	repo.Commit("Ada", "change")
	marker := filepath.Join(t.TempDir(), "started")
	evil := filepath.Join(t.TempDir(), "evil.sh")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch "+marker+"\ncat\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.askPass", "core.sshCommand", "core.editor", "diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "gpg.program", "pager.log", "pager.blame", "alias.log"} {
		repo.Git("config", key, evil)
	}
	repo.Git("config", "log.showSignature", "true")
	repo.Write(".git/hooks/post-index-change", "#!/bin/sh\ntouch "+marker+"\n")
	repo.Write("a.yaml", "dirty\n")
	r := open(t, repo.Dir)
	ask := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Stat(marker); err == nil {
			t.Fatalf("%s started a program", what)
		}
	}
	_, err := r.Head(ctx)
	ask("Head", err)
	_, err = r.Log(ctx, "HEAD", "a.yaml")
	ask("Log", err)
	_, err = r.Follow(ctx, "HEAD", "a.yaml")
	ask("Follow", err)
	_, err = r.Deleted(ctx, "HEAD")
	ask("Deleted", err)
	_, err = r.Blame(ctx, "HEAD", "a.yaml", 0, 0)
	ask("Blame", err)
	_, err = r.Show(ctx, "HEAD", "a.yaml")
	ask("Show", err)
	tree, err := r.Tree(ctx, "HEAD", ".")
	ask("Tree", err)
	if len(tree) != 2 {
		t.Errorf("the tree is %v", tree)
	}
	_, err = r.Touched(ctx, "HEAD")
	ask("Touched", err)
	_, err = r.Commits(ctx, []string{"abcdef0"})
	ask("Commits", err)
}

func TestCancelled(t *testing.T) {
	r := open(t, gittest.New(t).Dir)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Head(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTheFirstCommitAdds files, whatever a person's git is set to show.
func TestTheFirstCommitAdds(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("a.yaml", long)
	repo.Commit("Ada", "add a")
	repo.Git("config", "log.showRoot", "false")
	commits, err := open(t, repo.Dir).Log(context.Background(), "HEAD", "a.yaml")
	if got := brief(commits); err != nil || !slices.Equal(got, []string{"add a: A a.yaml"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func FuzzParseLog(f *testing.F) {
	id := strings.Repeat("a", 40)
	zeros := strings.Repeat("0", 40)
	f.Add(id + "\x00\x00n\x00e\x002025-03-02T09:00:00Z\x00d\x00s\x00b\x00\x00\n:000000 100644 " + zeros + " " + id + " A\x00p\x00")
	f.Add(id + "\x00\x00n\x00e\x00d\x00d\x00s\x00b\x00::100644 100644 100644 " + id + " " + id + " " + id + " RM\x00p\x00q\x00q\x00")
	f.Add(id + "\x00:")
	f.Fuzz(func(_ *testing.T, out string) { _, _ = parseLog(out) })
}

func FuzzParseBlame(f *testing.F) {
	f.Add(strings.Repeat("a", 40) + " 1 1 1\nauthor A\nauthor-time 12\nfilename \"a\\303\\244\"\n\ttext\n")
	f.Fuzz(func(_ *testing.T, out string) { _, _ = parseBlame(out) })
}
