package provenance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/git/gittest"
)

// history fills a repository with so many commits, of which a third touch one
// of the cases, and the others code.
func history(b *testing.B, commits, cases int) string {
	b.Helper()
	repo := gittest.New(b)
	random := rand.New(rand.NewPCG(1, 2))
	var script strings.Builder
	text := func(i, weight int) string {
		return fmt.Sprintf("id: case-%d\nprovenance: incident INC-%d, the refund window was dropped\ninput: {text: letter %d}\nweight: %d\n", i, i, i, weight+1)
	}
	data := func(s string) string { return fmt.Sprintf("data %d\n%s\n", len(s), s) }
	for n := range commits {
		fmt.Fprintf(&script, "commit refs/heads/main\ncommitter Ada <ada@example.com> %d +0000\n%s", 1_600_000_000+3600*n, data(fmt.Sprintf("change %d\n\nwith a second paragraph", n)))
		switch i := random.IntN(cases); {
		case n < cases:
			fmt.Fprintf(&script, "M 100644 inline cases/case-%d.yaml\n%s", n, data(text(n, 0)))
		case n%3 == 0:
			fmt.Fprintf(&script, "M 100644 inline cases/case-%d.yaml\n%s", i, data(text(i, n)))
		default:
			fmt.Fprintf(&script, "M 100644 inline src/d%d/f%d.go\n%s", n%40, n%300, data(fmt.Sprintf("package x // %d\n", n)))
		}
	}
	repo.Feed(script.String(), "fast-import", "--quiet")
	repo.Git("reset", "--quiet", "--hard", "main")
	return repo.Dir
}

// BenchmarkPast reads the history of cases in a repository of 5,000 commits and
// 500 cases: of the first, for which git is asked, and of each one after it.
// The goal is 300 ms for a pane that is complete.
func BenchmarkPast(b *testing.B) {
	const cases = 500
	dir := history(b, 5_000, cases)
	past := func(r *Reader, i int) {
		id := fmt.Sprintf("case-%d", i%cases)
		p, err := r.Past(context.Background(), id, "cases/"+id+".yaml", nil, func(name string) ([]byte, error) {
			return os.ReadFile(filepath.Join(dir, name))
		})
		if err != nil || len(p.Events) == 0 || p.State != Committed {
			b.Fatalf("%s: %+v, %v", id, p, err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			past(NewReader(dir, []string{"cases"}), 7)
		}
	})
	b.Run("next", func(b *testing.B) {
		r := NewReader(dir, []string{"cases"})
		past(r, 0)
		i := 0
		for b.Loop() {
			i++
			past(r, i)
		}
	})
}
