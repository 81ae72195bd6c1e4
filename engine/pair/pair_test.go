package pair_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/diff"
	"docket/engine/disk"
	"docket/engine/interchange"
	"docket/engine/pair"
)

// two writes an old and a new file, and reads them as a pair.
func two(t *testing.T, before, after string) (*pair.Pair, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"old": before, "new": after} {
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return pair.Read(t.Context(), filepath.Join(dir, "old.jsonl"), filepath.Join(dir, "new.jsonl"), interchange.Options{}, nil)
}

const (
	before = `{"id":"a","text":"{\"status\":\"paid\",\"amount\":12.5}"}` + "\n" + `{"id":"b","text":"{\"status\":\"overdue\",\"amount\":7}"}` + "\n" + `{"id":"c","text":"{\"status\":\"paid\",\"amount\":9}"}` + "\n"
	after  = `{"id":"b","text":"{\"status\":\"overdue\",\"amount\":7}"}` + "\n" + `{"id":"a","text":"{\"status\":\"overdue\",\"amount\":12.5}"}` + "\n" + `{"id":"d","error":"down"}` + "\n"
)

// TestCasesPairByIdAlone, whatever their order, and the label is guessed from
// the outputs.
func TestCasesPairByIdAlone(t *testing.T) {
	p, err := two(t, before, after)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]diff.Status{"a": diff.Changed, "c": diff.Gone, "d": diff.Error} {
		found := false
		for _, c := range p.Diff.Cases {
			found = found || c.ID == id && c.Status == want
		}
		if !found {
			t.Errorf("case %s is not %s: %+v", id, want, p.Diff.Cases)
		}
	}
	if p.Diff.Summary.Statuses[diff.Same] != 1 || p.New.Failed != 1 {
		t.Errorf("%+v, %d failed", p.Diff.Summary.Statuses, p.New.Failed)
	}
	if notes := strings.Join(p.Notes(), "\n"); !strings.Contains(notes, "guessed from the outputs") || !strings.Contains(notes, "status") {
		t.Errorf("the notes are\n%s", notes)
	}
}

// TestWhatBeginsIsReadBack: the baseline that is made of the old file belongs to
// these two files, says what was guessed, and is refused for two others.
func TestWhatBeginsIsReadBack(t *testing.T) {
	p, err := two(t, before, after)
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(t.TempDir(), "out")
	for range 2 { // the second time it is there
		if err := p.Begin(disk.OS{}, root); err != nil {
			t.Fatal(err)
		}
	}
	base, err := p.Base(root)
	if err != nil || len(base.Lines) != 3 {
		t.Fatalf("%+v, %v", base, err)
	}
	if _, err := p.Compare(base); err != nil {
		t.Error(err)
	}
	if one, other := p.Run().ID, p.Run().ID; one != other {
		t.Errorf("the run has two ids: %s, %s", one, other)
	}
	others, err := two(t, after, before)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := others.Base(root); err == nil || !strings.Contains(err.Error(), "was not made of these two files") {
		t.Errorf("the baseline of other files was taken: %v", err)
	}
	if p.Folder() == others.Folder() {
		t.Errorf("two pairs share the folder %s", p.Folder())
	}
}
