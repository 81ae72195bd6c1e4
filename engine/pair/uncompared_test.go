package pair

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/interchange"
)

// TestFieldsThatNothingCompares names a choice that changed beside the label, and
// neither prose nor what is the same.
func TestFieldsThatNothingCompares(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, changed bool) string {
		var b strings.Builder
		for i := range 60 {
			approved, severity := i%3 == 0, "low"
			if changed && i < 12 {
				approved = !approved
			}
			if changed && i == 40 {
				severity = "high"
			}
			answer := fmt.Sprintf(`{"category": %q, "approved": %v, "detail": {"severity": %q}, "note": "case %d as %s has it", "same": true}`,
				[]string{"refund", "delivery", "account"}[i%3], approved, severity, i, name)
			fmt.Fprintf(&b, "{\"id\": \"c-%d\", \"text\": %q}\n", i, answer)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p, err := Read(context.Background(), write("old.jsonl", false), write("new.jsonl", true), interchange.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.guess.Label != "category" {
		t.Fatalf("the label is %q", p.guess.Label)
	}
	said := strings.Join(p.Notes(), "\n")
	if want := "not compared, and different: approved (12 cases) and detail.severity (1 case); in a suite"; !strings.Contains(said, want) {
		t.Errorf("the notes are\n%s\nand do not say %q", said, want)
	}
}
