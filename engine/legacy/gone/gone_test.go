package gone_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/git"
	"docket/engine/legacy/gone"
	"docket/engine/legacy/reading"
)

// A work is a repository that a test builds.
type work struct {
	t   *testing.T
	dir string
	day int
}

func start(t *testing.T) *work {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests need git")
	}
	w := &work{t: t, dir: t.TempDir()}
	w.git("init", "-q", "-b", "main")
	return w
}

func (w *work) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	day := fmt.Sprintf("2025-04-%02dT12:00:00Z", 1+w.day%28)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_AUTHOR_DATE="+day, "GIT_COMMITTER_DATE="+day)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *work) write(name, text string) {
	w.t.Helper()
	full := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *work) commit(message string) string {
	w.t.Helper()
	w.day++
	w.git("add", "-A")
	w.git("commit", "-q", "-m", message)
	return w.git("rev-parse", "HEAD")
}

const suite = "import { TICKET } from './tickets';\nimport { LATE } from '../shared/testdata';\ntest('keeps it', async () => {\n  expect(await summarise(TICKET, LATE)).toContain('30 days');\n});\ntest('and this', async () => {\n  expect(await summarise('x')).toContain('y');\n});\n"

// history has a suite that is deleted, one that is renamed, one that comes back,
// one that is deleted twice, and a file that is no suite.
func history(t *testing.T) (w *work, deleted string) {
	w = start(t)
	w.write("tests/a.test.ts", suite)
	w.write("tests/tickets.ts", "export const TICKET = 'late';\n")
	w.write("shared/testdata.ts", "export const LATE = 'very late';\n")
	w.write("tests/old.test.js", "it('renamed', () => { expect(a).toBe(1) });\n")
	w.write("tests/back.test.js", "it('back', () => { expect(a).toBe(2) });\n")
	w.write("tests/twice.test.js", "it('twice', () => { expect(a).toBe(3) });\n")
	w.write("tests/README.md", "tests\n")
	w.commit("tests of the summariser")
	w.git("mv", "tests/old.test.js", "tests/new.test.js")
	for _, name := range []string{"tests/back.test.js", "tests/twice.test.js", "tests/README.md"} {
		w.git("rm", "-q", name)
	}
	w.commit("tidy up")
	w.write("tests/back.test.js", "it('back', () => { expect(a).toBe(2) });\n")
	w.write("tests/twice.test.js", "it('twice', () => { expect(a).toBe(4) });\n")
	w.commit("put back what was needed")
	w.git("rm", "-q", "tests/twice.test.js")
	w.commit("twice is gone again")
	w.git("rm", "-q", "tests/a.test.ts", "tests/tickets.ts")
	return w, w.commit("rewrite the prompt\n\nThe tests are of the old one, see INC-219.")
}

func open(t *testing.T, dir string) *git.Repo {
	t.Helper()
	repo, err := git.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func TestFind(t *testing.T) {
	w, deleted := history(t)
	for _, from := range []string{".", "tests", "shared"} {
		list, err := gone.Find(context.Background(), open(t, filepath.Join(w.dir, from)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range list.Files {
			got = append(got, fmt.Sprint(strings.TrimPrefix(strings.TrimPrefix(f.Path, "../"), "tests/"), " ", f.Tests))
		}
		if fmt.Sprint(got) != "[a.test.ts 2 twice.test.js 1]" || list.Shallow || list.Passed != 0 {
			t.Fatalf("seen from %s: %v %+v", from, got, list)
		}
		f := list.Files[0]
		if f.Commit != deleted || f.Author != "Ada" || f.Email != "ada@example.org" || f.Subject != "rewrite the prompt" || !strings.Contains(f.Body, "INC-219") ||
			f.Date.Format("2006-01-02") != "2025-04-06" || f.Language != "typescript" {
			t.Errorf("the deleted file is %+v", f)
		}
	}
}

func TestAShallowCloneSaysSo(t *testing.T) {
	w, _ := history(t)
	clone := filepath.Join(t.TempDir(), "clone")
	w.git("clone", "-q", "--depth", "2", "file://"+w.dir, clone)
	list, err := gone.Find(context.Background(), open(t, clone))
	if err != nil {
		t.Fatal(err)
	}
	if !list.Shallow || len(list.Files) != 1 || list.Files[0].Path != "tests/a.test.ts" {
		t.Errorf("the list is %+v", list)
	}
}

// A file is read as it was, with what stood beside it then, though all of it is
// gone.
func TestBeside(t *testing.T) {
	w, deleted := history(t)
	repo := open(t, w.dir)
	ctx := context.Background()
	data, err := repo.Show(ctx, deleted+"^", "tests/a.test.ts")
	if err != nil {
		t.Fatal(err)
	}
	f, err := reading.Read("tests/a.test.ts", data, gone.Beside(ctx, repo, deleted+"^", "tests/a.test.ts"))
	if err != nil {
		t.Fatal(err)
	}
	in := f.Tests[0].Inputs
	if len(in) != 2 || in[0].Value != "late" || in[1].Value != "very late" {
		t.Errorf("the inputs are %+v", in)
	}
	if _, err := gone.Beside(ctx, repo, deleted, "tests/a.test.ts")("tickets.ts"); err == nil {
		t.Error("a file is read at a commit that does not have it")
	}
	if _, err := gone.Beside(ctx, repo, deleted, "tests/a.test.ts")("../../outside"); err == nil {
		t.Error("a file is read outside of the repository")
	}
	blamed, err := repo.Blame(ctx, deleted+"^", "tests/a.test.ts", 3, 5)
	if err != nil || len(blamed) != 3 || blamed[0].Subject != "tests of the summariser" {
		t.Errorf("the blame is %+v, %v", blamed, err)
	}
}

func TestNoHistory(t *testing.T) {
	w := start(t)
	if _, err := gone.Find(context.Background(), open(t, w.dir)); !errors.Is(err, git.ErrNone) {
		t.Errorf("the error is %v", err)
	}
}
