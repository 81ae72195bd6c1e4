package decision

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"docket/engine/disk"
	"docket/engine/disk/disktest"
)

// TestTwoBranchesGiveNoTwoFilesOneName: two people review one stored run, each
// on a branch. What they decided differently stands in files of different
// names, and what they decided alike in one file of one content, so that git
// has nothing to merge.
func TestTwoBranchesGiveNoTwoFilesOneName(t *testing.T) {
	review := func(items ...Item) (string, string) {
		m := disktest.NewMemory("/r")
		suite(t, m, "/r")
		outcome, err := Apply(request(m, "/r", items...))
		if err != nil {
			t.Fatal(err)
		}
		data, err := disk.Read(m, outcome.File, maxSize)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Base(outcome.File), string(data)
	}
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	one, content := review(item(f, "a", Accept))
	other, _ := review(item(f, "b", Accept))
	alike, same := review(item(f, "a", Accept))
	if one == other {
		t.Errorf("two reviews share the name %s", one)
	}
	if one != alike || content != same {
		t.Errorf("one review has two files: %s, %s", one, alike)
	}
}

// TestNamesOfAnOlderDocketAreRead, and counted on from.
func TestNamesOfAnOlderDocketAreRead(t *testing.T) {
	m := disktest.NewMemory("/r")
	suite(t, m, "/r")
	f := open(t, m, "/r")
	first, err := Apply(request(m, "/r", item(f, "a", Accept)))
	if err != nil {
		t.Fatal(err)
	}
	old, err := FileName(run, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Rename(first.File, filepath.Join(filepath.Dir(first.File), old)); err != nil {
		t.Fatal(err)
	}
	if got := recordedAs(t, m, "/r"); got != "a=accept" {
		t.Fatalf("read is %q", got)
	}
	again, err := Apply(request(m, "/r", item(f, "a", Accept)))
	if err != nil || again.File != "" {
		t.Errorf("what is on record was recorded again: %s, %v", again.File, err)
	}
	second, err := Apply(request(m, "/r", item(f, "b", Reject)))
	if _, n, ok := ParseFileName(filepath.Base(second.File)); err != nil || !ok || n != 4 {
		t.Errorf("the next one is %s, %v", second.File, err)
	}
	if _, err := m.Lstat(first.File); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the first name came back: %v", err)
	}
}

func TestParseFileName(t *testing.T) {
	for name, ok := range map[string]bool{
		"20260811T102203Z-7f3a-1.jsonl": true, "20260811T102203Z-7f3a-12-5b0c91d2.jsonl": true,
		"20260811T102203Z-7f3a-0.jsonl": false, "20260811T102203Z-7f3a-1-5b0c91d.jsonl": false,
		"20260811T102203Z-7f3a-1-5B0C91D2.jsonl": false, "20260811T102203Z-7f3a.jsonl": false, "../20260811T102203Z-7f3a-1.jsonl": false,
	} {
		if of, _, got := ParseFileName(name); got != ok || ok && of != run {
			t.Errorf("%s: %v, of %q", name, got, of)
		}
	}
	if _, err := NewName("today", 1, nil); err == nil {
		t.Error("a run id of another form was taken")
	}
}
