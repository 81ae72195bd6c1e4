package rehearsal

import (
	"os"
	"testing"

	"docket/engine/projection"
	"docket/engine/source"
)

const sound = "id: a-1\nadded: 2026-01-02\nprovenance: incident INC-1\ninput: {body_file: fixtures/a.txt}\nexpect: {label: paid}\n"

// TestLoad refuses what a suite would refuse, by the paths that the files are to
// have, and leaves nothing behind.
func TestLoad(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	labels, problems := projection.Labels([]string{"paid", "overdue"}, source.Value{}, source.Position{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	files := map[string][]byte{"cases/mail/a.yaml": []byte(sound), "cases/mail/fixtures/a.txt": []byte("A mail.")}
	if problems := Load("cases/mail", files, labels); len(problems) > 0 {
		t.Errorf("what would load: %v", problems)
	}
	files["cases/mail/b.yaml"] = []byte("id: a-1\nadded: 2026-01-02\nprovenance: incident INC-2\ninput: {body_file: fixtures/none.txt}\nexpect: {label: lost}\n")
	found := map[int]string{}
	for _, p := range Load("cases/mail", files, labels) {
		found[p.Line] = p.File
	}
	for _, line := range []int{1, 4, 5} { // the id twice, no such file, no such label
		if found[line] != "cases/mail/b.yaml" {
			t.Errorf("line %d: nothing is found, only %v", line, found)
		}
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
