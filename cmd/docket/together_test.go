//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestManyAtOnce lets two and eight processes decide, write, run, review and
// prune on one suite at once. Each ends, by itself, with what it did or with a
// sentence that names the other; no decision that was acknowledged is lost; and
// what is left loads.
func TestManyAtOnce(t *testing.T) {
	commands := []struct {
		stdin string
		args  []string
	}{
		{"", []string{"accept", "inv-1", "--reason", "as intended"}},
		{"", []string{"write"}},
		{"", []string{"accept", "inv-4", "--reason", "as intended"}},
		{"", []string{"run"}},
		{"q\n", []string{"review", "--plain"}},
		{"q\n", []string{"prune", "--plain"}},
		{"", []string{"diff"}},
		{"", []string{"reject", "inv-1", "--reason", "on second thoughts"}},
	}
	for _, n := range []int{2, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dir := copySuite(t)
			ok(t, finish(t, child(dir, nil, "calibrate", "--system", "old")), codeOK)
			ok(t, finish(t, child(dir, nil, "diff")), codeChange) // stores the run that is decided on

			// The time is a guard against a deadlock, not a measure.
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			var mu sync.Mutex
			acknowledged, refused := map[string]bool{}, 0
			var all sync.WaitGroup
			for worker := range n {
				all.Go(func() {
					for i := range 6 {
						c := commands[(worker+i)%len(commands)]
						cmd := exec.CommandContext(ctx, "docket", c.args...)
						template := child(dir, nil)
						cmd.Dir, cmd.Env, cmd.Stdin = template.Dir, template.Env, strings.NewReader(c.stdin)
						var out, failed bytes.Buffer
						cmd.Stdout, cmd.Stderr = &out, &failed
						err := cmd.Run()
						var exited *exec.ExitError
						code := cmd.ProcessState.ExitCode()
						mu.Lock()
						switch {
						case ctx.Err() != nil:
							t.Errorf("docket %v does not end", c.args)
						case err != nil && !errors.As(err, &exited):
							t.Error(err)
						case code == codeWrong && !isOneSentence(failed.String()):
							t.Errorf("docket %v: exit code %d\n%s%s", c.args, code, out.String(), failed.String())
						case code == codeWrong:
							refused++
						case code != codeOK && code != codeChange:
							t.Errorf("docket %v: exit code %d\n%s%s", c.args, code, out.String(), failed.String())
						case c.args[0] == "accept" && code == codeOK:
							acknowledged[c.args[1]] = true
						}
						mu.Unlock()
					}
				})
			}
			all.Wait()
			if t.Failed() {
				return
			}
			t.Logf("acknowledged %v, %d commands were refused", acknowledged, refused)
			if len(acknowledged) == 0 {
				t.Error("nothing was decided at all")
			}

			// What is in the journal still is written now; then every id that was
			// acknowledged is on record.
			if s := finish(t, child(dir, nil, "write")); s.code != codeOK && !strings.Contains(s.err, "nothing is decided") {
				t.Fatalf("write: exit code %d\n%s%s", s.code, s.out, s.err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "baselines/mail/decisions/*.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			var recorded strings.Builder
			for _, file := range files {
				recorded.WriteString(read(t, file))
			}
			for id := range acknowledged {
				if !strings.Contains(recorded.String(), `"case":"`+id+`"`) {
					t.Errorf("the decision on %s is lost", id)
				}
			}
			ok(t, finish(t, child(dir, nil, "lint")), codeOK)
		})
	}
}
