package origin

import (
	"strings"
	"testing"

	"docket/engine/git/gittest"
)

// TestAFileIsReadOnce: what two names lead to would be two of each test, and what
// stands at two revisions would be blamed on the wrong one.
func TestAFileIsReadOnce(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("test_a.py", "def test_paid():\n    assert classify('paid') == 'paid'\n")
	repo.Commit("Ada", "a test")
	files, err := Read(t.Context(), repo.Dir, []string{"*.py", "test_a.py"})
	if err != nil || len(files) != 1 || len(files[0].Tests) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	from := files[0].Origin(&files[0].Tests[0])
	if len(from.Commits) != 1 || from.Commits[0].Author != "Ada" || from.Commits[0].Subject != "a test" || from.Commits[0].Lines != 2 {
		t.Errorf("%+v", from)
	}
	if _, err := Read(t.Context(), repo.Dir, []string{"HEAD:test_a.py", "test_a.py"}); err == nil || !strings.Contains(err.Error(), "named twice") {
		t.Errorf("at two revisions: %v", err)
	}
}
