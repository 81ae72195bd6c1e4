package pruning_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/pruning"
	"docket/engine/suggestion"
	"docket/engine/suite"
)

// desk is a suite of a library's desk, and one of its branches, which shares a
// letter with it.
func desk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".docket.yaml":              "version: 1\nsuites:\n  desk: {cases: cases/desk, system: s, fixtures: shared}\n  branch: {cases: cases/branch, system: s, fixtures: shared}\nsystems:\n  s: {kind: canned}\n",
		"cases/desk/a.yaml":         "id: desk-1\nprovenance: incident INC-219 — a reader was told 14 days\ninput: {letter_file: fixtures/a.txt}\nexpect:\n  must_contain_fact:\n    - key: window\n      value: 30 days\n",
		"cases/desk/b.yaml":         "id: desk-2   # the second\nprovenance: ticket DESK-2\ninput: {question: \"When?\"}\nexpect:\n  max_words: 60\n  must_contain_fact:\n    - key: hours\n      value: \"17:30\"\n",
		"cases/desk/c.yaml":         "id: desk-3\nprovenance: ticket DESK-3\ninput: {letter_file: fixtures/a.txt, other_file: both.txt}\nexpect:\n  must_contain_fact:\n    - key: hours\n      value: \"17:30\"\n    - key: phone\n      value: \"0123\"\n  max_words: 80\n",
		"cases/desk/fixtures/a.txt": "a letter\n",
		"shared/both.txt":           "of both\n",
		"cases/branch/x.yaml":       "id: x\nprovenance: ticket B-1\ninput: {letter_file: both.txt}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	lines := map[string][]byte{}
	for _, id := range []string{"desk-1", "desk-2", "desk-3"} {
		line := baseline.Line{ID: id, Version: 1, Input: "sha256:i", Samples: 1}
		lines[id] = baseline.AppendLine(nil, &line)
	}
	header := baseline.Header{Format: 1, Suite: "desk", Mode: "mock", Captured: "2026-01-02"}
	if _, err := baseline.Create(disk.OS{}, dir, &header, lines); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, dir string, ids ...string) *pruning.Pruning {
	t.Helper()
	config, err := suite.LoadConfig(filepath.Join(dir, suite.ConfigFile))
	if err != nil {
		t.Fatal(err)
	}
	load := func(name string) *suite.Suite {
		s, problems, err := config.Open(name)
		if err = errors.Join(err, problems.Err()); err != nil {
			t.Fatal(err)
		}
		return s
	}
	own := load("desk")
	history, err := decision.Read(disk.OS{}, dir, "desk")
	if err != nil {
		t.Fatal(err)
	}
	proposals, err := pruning.Named(own, ids, suggestion.Found{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := pruning.Open(pruning.Config{
		FS: disk.OS{}, Root: dir, By: "Ada", Suite: own, Others: []*suite.Suite{load("branch")}, History: history, Proposals: proposals,
		Now: func() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func there(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatMustBeSaidBeforeAVerdict(t *testing.T) {
	p := open(t, desk(t), "desk-*")
	for _, tc := range []struct {
		id   string
		v    pruning.Verdict
		text string
		want string // "" for no objection
	}{
		{"desk-1", pruning.Retire, "no longer so", "stems from INC-219: type its name"},
		{"desk-1", pruning.Retire, "INC-2190 is no longer so", "type its name"},
		{"desk-1", pruning.Retire, "inc-219 is of the old form", ""},
		{"desk-2", pruning.Retire, "old", "in a few words"},
		{"desk-2", pruning.Retire, "never asked again", ""},
		{"desk-2", pruning.Keep, " ", "needs a reason"},
		{"desk-2", pruning.Mend, "test", "says nothing"},
		{"desk-2", pruning.Mend, "ticket DESK-2", "that it has"},
		{"desk-2", pruning.Mend, "ticket DESK-22", ""},
		{"desk-2", pruning.Merge, "desk-3", "say behind desk-3 why"},
		{"desk-2", pruning.Merge, "desk-2 it is the same", "into itself"},
		{"desk-2", pruning.Merge, "nobody knows", "begin with the id"},
		{"desk-2", pruning.Merge, "desk-3 asks it all", ""},
		{"nobody", pruning.Retire, "not there at all", "no case"},
	} {
		err := p.Check(tc.id, tc.v, tc.text)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s %s %q: got %v, want %q", tc.v, tc.id, tc.text, err, tc.want)
		}
	}
	must(t, p.Decide("desk-2", pruning.Merge, "desk-3 asks it all"))
	if err := p.Check("desk-3", pruning.Retire, "never asked again"); err == nil || !strings.Contains(err.Error(), "is merged into this one") {
		t.Errorf("got %v", err)
	}
	must(t, p.Decide("desk-2", pruning.Retire, "never asked again"))
	if err := p.Check("desk-3", pruning.Merge, "desk-2 the same"); err == nil || !strings.Contains(err.Error(), "goes itself") {
		t.Errorf("got %v", err)
	}
}

func TestOneStepDoesAllThatIsDecided(t *testing.T) {
	dir := desk(t)
	p := open(t, dir, "desk-1", "desk-2")
	must(t, p.Decide("desk-1", pruning.Keep, "INC-219 must not come back"))
	must(t, p.Decide("desk-2", pruning.Merge, "desk-3 asks it all"))
	must(t, p.Decide("desk-3", pruning.Mend, "ticket DESK-33 # of May"))
	if id, err := p.Undo(); id != "desk-3" || err != nil {
		t.Fatalf("undone: %q, %v", id, err)
	}
	must(t, p.Close())

	p = open(t, dir, "desk-1") // what is decided comes along
	if got := p.Proposal("desk-2").Asked; got != "decided before" || len(p.Proposals) != 2 {
		t.Errorf("the queue is %+v", p.Proposals)
	}
	plan, err := p.Plan()
	must(t, err)
	if plan.Left != 2 || len(plan.Merged) != 1 || strings.Join(plan.Merged[0].Conflicts, "; ") != "max_words: 80 stays, 60 is not taken over" {
		t.Errorf("the plan is %+v", plan)
	}
	_, done, err := p.Write()
	must(t, err)
	if there(dir, "cases/desk/b.yaml") || !there(dir, "cases/desk/a.yaml") || len(done.Kept) != 1 || len(done.Retired) != 1 {
		t.Errorf("done: %+v", done)
	}
	text, err := os.ReadFile(filepath.Join(dir, "cases/desk/c.yaml"))
	must(t, err)
	if !strings.Contains(string(text), "merged from desk-2: ticket DESK-2") {
		t.Errorf("the other case is\n%s", text)
	}

	p = open(t, dir, "desk-1")
	if len(p.Decided()) != 0 || len(p.Notes()) != 0 {
		t.Errorf("after the step %v is decided, %q", p.Decided(), p.Notes())
	}
	if past, ok := p.History.Kept("desk-1"); !ok || past.Reason != "INC-219 must not come back" {
		t.Errorf("kept: %+v, %v", past, ok)
	}
	if past, ok := p.History.Retired("desk-2"); !ok || past.Into != "desk-3" || past.Reason != "asks it all" {
		t.Errorf("retired: %+v, %v", past, ok)
	}
}

func TestFixturesGoWithTheLastCaseThatReadsThem(t *testing.T) {
	dir := desk(t)
	p := open(t, dir, "desk-1", "desk-3")
	files, stay, modes := p.Leaves("desk-1")
	if len(files) != 1 || len(stay) != 1 || len(modes) != 1 {
		t.Errorf("alone it leaves with %q, without %q, of %q", files, stay, modes)
	}
	must(t, p.Decide("desk-1", pruning.Retire, "INC-219 is of the old form"))
	must(t, p.Decide("desk-3", pruning.Retire, "the letters are gone"))
	plan, done, err := p.Write()
	must(t, err)
	if there(dir, "cases/desk/fixtures/a.txt") || !there(dir, "shared/both.txt") || len(done.Removed) != 3 {
		t.Errorf("removed %q", done.Removed)
	}
	if len(plan.Stay) != 1 || plan.Stay[0] != "shared/both.txt" {
		t.Errorf("stay %q", plan.Stay)
	}
}

func TestAnEditedCaseIsNotRetired(t *testing.T) {
	dir := desk(t)
	p := open(t, dir, "desk-2")
	must(t, p.Decide("desk-2", pruning.Retire, "never asked again"))
	path := filepath.Join(dir, "cases/desk/b.yaml")
	text, err := os.ReadFile(path)
	must(t, errors.Join(err, os.WriteFile(path, append(text, "# edited\n"...), 0o644)))
	plan, err := p.Plan()
	must(t, err)
	if len(plan.Stale) != 1 || !plan.Empty() {
		t.Errorf("the plan is %+v", plan)
	}
	if _, _, err := p.Write(); err == nil || !there(dir, "cases/desk/b.yaml") {
		t.Errorf("written: %v", err)
	}
	must(t, p.Close())
	if notes := open(t, dir, "desk-2").Notes(); len(notes) != 1 || !strings.Contains(notes[0], "stale") {
		t.Errorf("notes %q", notes)
	}
}

// TestAStepWhoseJournalStayedOpenIsNotDoneTwice is a crash between the step and
// the closing of the journal.
func TestAStepWhoseJournalStayedOpenIsNotDoneTwice(t *testing.T) {
	dir := desk(t)
	p := open(t, dir, "desk-*")
	must(t, p.Decide("desk-2", pruning.Retire, "never asked again"))
	must(t, p.Decide("desk-1", pruning.Keep, "it is needed"))
	journal := filepath.Join(dir, ".docket/journal/desk/prune.jsonl")
	text, err := os.ReadFile(journal)
	must(t, err)
	_, _, err = p.Write()
	must(t, err)
	must(t, errors.Join(p.Close(), os.WriteFile(journal, text, 0o600)))
	p = open(t, dir, "desk-1")
	if len(p.Decided()) != 0 || len(p.Notes()) != 0 {
		t.Errorf("%q stand, %q", p.Decided(), p.Notes())
	}
}

func TestASecondReviewerReads(t *testing.T) {
	dir := desk(t)
	open(t, dir, "desk-1")
	if held := open(t, dir, "desk-1").ReadOnly(); !strings.Contains(held, "at work here already") {
		t.Errorf("got %q", held)
	}
}

func TestNamed(t *testing.T) {
	p := open(t, desk(t), "desk-1")
	for name, want := range map[string]int{"desk-?": 3, "cases/desk/[ab].yaml": 2, "c.yaml": 1, "desk-3": 1} {
		if got, err := pruning.Named(p.Suite, []string{name}, suggestion.Found{}); err != nil || len(got) != want {
			t.Errorf("%s: %d cases, %v", name, len(got), err)
		}
	}
	if _, err := pruning.Named(p.Suite, []string{"desk-1", "desk_2"}, suggestion.Found{}); err == nil || !strings.Contains(err.Error(), "did you mean desk-2?") {
		t.Errorf("got %v", err)
	}
}

func TestAgainst(t *testing.T) {
	p := open(t, desk(t), "desk-*")
	var got []string
	for _, o := range p.Against("desk-1") {
		got = append(got, o.Word+": "+o.Text)
	}
	if told := strings.Join(got, "\n"); told != "incident: stems from INC-219\nonly fact: the only case with the fact window" {
		t.Errorf("got %s", told)
	}
	if got := p.Against("desk-2"); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	must(t, p.Decide("desk-3", pruning.Retire, "the letters are gone"))
	if got := p.Against("desk-2"); len(got) != 2 || !strings.Contains(got[0].Text, "the only case with the fact hours, once desk-3 goes") {
		t.Errorf("while the other goes: %v", got)
	}
}
