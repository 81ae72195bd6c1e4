package provenance

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/engine/git/gittest"
)

// pasts reads the history of a case as "did subject", oldest last.
func pasts(t *testing.T, dir, id, file string, fixtures ...string) (Past, []string) {
	t.Helper()
	p, err := NewReader(dir, []string{"cases"}).Past(context.Background(), id, file, fixtures, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, e := range p.Events {
		told = append(told, e.Did+": "+e.Subject)
	}
	return p, told
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func caseText(id, more string) string {
	return "# a case\nid: " + id + "\nadded: 2025-03-02\nprovenance: incident INC-219 — the refund window was dropped\ninput:\n  text: when can I send it back\n" + more
}

// TestPast builds what happens to cases over the years: authors, renames, a
// merge of two sides that know the file by two names, a squash, a case that
// was deleted and came back under another name, a name that another case took.
func TestPast(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("evals/a.yaml", caseText("a", ""))
	repo.Commit("Ada", "first case")
	repo.Move("evals/a.yaml", "cases/a.yaml")
	repo.Commit("Ben", "move the suite")
	repo.Write("cases/b.yaml", caseText("b", ""))
	repo.Write("cases/fixtures/b.txt", "letter\n")
	repo.Commit("Ada", "case b, for INC-219")

	// Two sides of a merge know the file by two names.
	repo.Git("checkout", "-q", "-b", "side")
	repo.Move("cases/b.yaml", "cases/refund.yaml")
	repo.Commit("Ben", "rename b")
	repo.Git("checkout", "-q", "main")
	repo.Write("cases/b.yaml", caseText("b", "weight: 3\n"))
	repo.Commit("Cy", "b weighs more")
	repo.Merge("side", "merge side")

	// A squash brings three commits as one.
	repo.Git("checkout", "-q", "-b", "work")
	for _, text := range []string{"weight: 4\n", "weight: 5\n", "weight: 6\n"} {
		repo.Write("cases/refund.yaml", caseText("b", text))
		repo.Commit("Dee", "wip")
	}
	repo.Git("checkout", "-q", "main")
	repo.Git("merge", "-q", "--squash", "work")
	repo.Commit("Dee", "raise the weight (#12)\n\n* wip\n* wip\n* wip")

	// Another case takes the old name of b.
	repo.Write("cases/b.yaml", "id: other\nprovenance: INC-4\ninput: {x: nothing in common with the file before}\n")
	repo.Commit("Eve", "another case")

	// a is deleted and comes back under another name.
	repo.Git("rm", "-q", "cases/a.yaml")
	repo.Commit("Eve", "it seems arbitrary")
	repo.Write("cases/fixtures/b.txt", "letter of two lines\nand more\n")
	repo.Commit("Eve", "a longer letter")
	repo.Write("cases/new-a.yaml", caseText("a", "tags: [back]\n"))
	repo.Commit("Ada", "it was INC-219, bring it back")

	p, told := pasts(t, repo.Dir, "b", "cases/refund.yaml", "cases/fixtures/b.txt")
	slices.Sort(told[3:5]) // the two sides come in either order
	expect(t, "b", told, "changed: a longer letter", "changed: raise the weight (#12)", "merged: merge side",
		"changed: b weighs more", "renamed: rename b", "added: case b, for INC-219")
	if e, ok := p.Added(); !ok || e.Author != "Ada" || e.Date.Format("2006-01-02") != "2025-03-04" || p.State != Committed {
		t.Errorf("b was added by %+v, its state is %q", e, p.State)
	}
	if p.Events[1].Body != "* wip\n* wip\n* wip" {
		t.Errorf("the message of the squash is %q", p.Events[1].Body)
	}
	_, told = pasts(t, repo.Dir, "a", "cases/new-a.yaml")
	expect(t, "a", told, "added again: it was INC-219, bring it back", "deleted: it seems arbitrary", "renamed: move the suite", "added: first case")
	_, told = pasts(t, repo.Dir, "other", "cases/b.yaml")
	expect(t, "the case that took the name", told, "added: another case")

	repo.Git("rm", "-q", "cases/new-a.yaml")
	repo.Write("cases/rewritten.yaml", "id: a\nprovenance: INC-219\ninput: {z: all else is new and nothing alike}\n")
	repo.Commit("Eve", "rewrite a")
	_, told = pasts(t, repo.Dir, "a", "cases/rewritten.yaml")
	expect(t, "a, rewritten", told[:2], "renamed: rewrite a", "added again: it was INC-219, bring it back")

	repo.Write("cases/refund.yaml", "dirty\n")
	if p, _ := pasts(t, repo.Dir, "b", "cases/refund.yaml"); p.State != Modified {
		t.Errorf("a file that was edited is %q", p.State)
	}
	repo.Write("cases/refund.yaml", strings.ReplaceAll(caseText("b", "weight: 6\n"), "\n", "\r\n"))
	if p, _ := pasts(t, repo.Dir, "b", "cases/refund.yaml"); p.State != Committed {
		t.Errorf("a file with line ends of Windows is %q", p.State)
	}
	repo.Write("cases/young.yaml", caseText("young", ""))
	if p, told := pasts(t, repo.Dir, "young", "cases/young.yaml"); p.State != Untracked || len(told) != 0 {
		t.Errorf("a file that is not committed is %q, %q", p.State, told)
	}
	if p, told := pasts(t, repo.Dir, "a", "cases/a.yaml"); p.State != Gone || len(told) != 5 {
		t.Errorf("a file that is gone is %q, %q", p.State, told)
	}

	r := NewReader(repo.Dir, []string{"cases"})
	if !r.Had(context.Background(), "cases/a.yaml") || r.Had(context.Background(), "cases/never.yaml") {
		t.Error("git had another file")
	}
}

// TestLost says that a case is found whose file was deleted and not committed,
// or holds another id by now, in the work tree or by a commit, under the name
// that it had or another.
func TestLost(t *testing.T) {
	repo := gittest.New(t)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		repo.Write("cases/"+id+".yaml", caseText(id, "weight: 2\n"))
	}
	repo.Commit("Ada", "first cases")
	repo.Move("cases/b.yaml", "cases/vat/b.yaml")
	repo.Write("cases/vat/b.yaml", caseText("vat-b", "weight: 2\n"))
	repo.Write("cases/c.yaml", caseText("vat-c", "weight: 2\n"))
	repo.Commit("Ben", "name the cases of value added tax")
	repo.Git("rm", "-q", "cases/e.yaml")
	repo.Commit("Ben", "e is gone")
	repo.Write("cases/e.yaml", caseText("f", ""))
	repo.Commit("Ben", "f has its name")
	if err := os.Remove(filepath.Join(repo.Dir, "cases", "a.yaml")); err != nil {
		t.Fatal(err)
	}
	repo.Write("cases/d.yaml", caseText("vat-d", "weight: 2\n"))

	r := NewReader(repo.Dir, []string{"cases"})
	read := func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(repo.Dir, filepath.FromSlash(name)))
	}
	for _, want := range []struct{ id, path, renamed string }{
		{"a", "cases/a.yaml", ""},
		{"b", "cases/vat/b.yaml", "vat-b"},
		{"c", "cases/c.yaml", "vat-c"},
		{"d", "cases/d.yaml", "vat-d"},
		{"e", "cases/e.yaml", ""},
	} {
		lost, ok, err := r.Lost(context.Background(), want.id, read)
		if err != nil || !ok || lost.Path != want.path || lost.Renamed != want.renamed || string(lost.Text) != caseText(want.id, "weight: 2\n") {
			t.Errorf("%s is %q, renamed %q, %v, %v, want %q, %q", want.id, lost.Path, lost.Renamed, ok, err, want.path, want.renamed)
		}
	}
	if lost, ok, err := r.Lost(context.Background(), "never", read); ok || err != nil {
		t.Errorf("a case that never was is %+v, %v", lost, err)
	}
	if lost, ok, err := r.Lost(context.Background(), "f", read); ok || err != nil {
		t.Errorf("a case that is there is lost: %+v, %v", lost, err)
	}
	if p, told := pasts(t, repo.Dir, "a", ""); p.State != Gone || len(told) != 0 {
		t.Errorf("a case without a file is %q, %q", p.State, told)
	}
}

func TestPastOfAShallowClone(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("cases/a.yaml", caseText("a", ""))
	repo.Commit("Ada", "first case")
	repo.Write("cases/b.yaml", caseText("b", ""))
	repo.Commit("Ben", "second case")
	repo.Write("cases/a.yaml", caseText("a", "weight: 2\n"))
	repo.Commit("Cy", "weigh a")
	clone := t.TempDir()
	repo.Git("clone", "-q", "--depth=2", "file://"+repo.Dir, clone)
	p, told := pasts(t, clone, "a", "cases/a.yaml")
	expect(t, "a", told, "changed: weigh a", "known since: second case")
	if _, ok := p.Added(); ok || !p.Shallow {
		t.Errorf("who added the case is told although it is not known: %+v", p)
	}
	if _, ok, _ := NewReader(clone, []string{"cases"}).Commits(context.Background(), []string{"1234567"}); ok {
		t.Error("a shallow clone says which commits there are")
	}
}

func TestPastWithoutGit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	if p, told := pasts(t, dir, "a", "cases/a.yaml"); p.Blind == "" || told != nil {
		t.Errorf("got %+v", p)
	}
	repo := gittest.New(t)
	if p, _ := pasts(t, repo.Dir, "a", "cases/a.yaml"); !strings.Contains(p.Blind, "nothing is committed") {
		t.Errorf("got %+v", p)
	}
}
