//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A command is one that several processes give at once.
type command struct {
	stdin string
	args  []string
}

// storm has n processes at a time give commands, six each, in turns that begin at
// different ones. Each ends by itself, with what it did or with a sentence; it
// returns how many were refused. Done is told of those that were not, one at a
// time.
func storm(t *testing.T, dir string, n int, commands []command, done func(c command, code int, out string)) (refused int) {
	t.Helper()
	// The time is a guard against a deadlock, not a measure.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var mu sync.Mutex
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
					if testing.Verbose() {
						t.Logf("docket %v: %s", c.args, failed.String())
					}
				case code != codeOK && code != codeChange:
					t.Errorf("docket %v: exit code %d\n%s%s", c.args, code, out.String(), failed.String())
				default:
					done(c, code, out.String())
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return refused
}

// recorded is what all files of decisions of the suite hold.
func recorded(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "baselines/mail/decisions/*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		all.WriteString(read(t, file))
	}
	return all.String()
}

// TestManyAtOnce lets two and eight processes decide, write, run, review and
// prune on one suite at once. Each ends, by itself, with what it did or with a
// sentence that names the other; no decision that was acknowledged is lost; and
// what is left loads.
func TestManyAtOnce(t *testing.T) {
	commands := []command{
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
			acknowledged := map[string]bool{}
			refused := storm(t, dir, n, commands, func(c command, code int, _ string) {
				if c.args[0] == "accept" && code == codeOK {
					acknowledged[c.args[1]] = true
				}
			})
			t.Logf("acknowledged %v, %d commands were refused", acknowledged, refused)
			if len(acknowledged) == 0 {
				t.Error("nothing was decided at all")
			}

			// What is in the journal still is written now; then every id that was
			// acknowledged is on record.
			if s := finish(t, child(dir, nil, "write")); s.code != codeOK && !strings.Contains(s.err, "nothing is decided") {
				t.Fatalf("write: exit code %d\n%s%s", s.code, s.out, s.err)
			}
			all := recorded(t, dir)
			for id := range acknowledged {
				if !strings.Contains(all, `"case":"`+id+`"`) {
					t.Errorf("the decision on %s is lost", id)
				}
			}
			ok(t, finish(t, child(dir, nil, "lint")), codeOK)
		})
	}
}

// TestManyWriteAtOnce lets two and eight processes write at once what one suite
// has of files: lines of the baseline, decisions, cases that go, come back and are
// added, and runs in one store. What was reported as done is there.
func TestManyWriteAtOnce(t *testing.T) {
	commands := []command{
		{"", []string{"run", "--system", "new"}},
		{"caught\nlost\nd no longer asked\nw\ny\nq\n", []string{"prune", "inv-2", "--plain"}},
		{"", []string{"import", "outputs/new.jsonl"}},
		{"", []string{"calibrate", "--system", "old"}},
		{"", []string{"accept", "inv-4", "--reason", "as intended"}},
		{"", []string{"restore", "inv-2", "--reason", "asked again"}},
		{"", []string{"write"}},
		{"", []string{"add", "inv-9", "--input", "in.yaml", "--provenance", "ticket T-9, paid twice"}},
	}
	for _, n := range []int{2, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dir := copySuite(t)
			write(t, filepath.Join(dir, "in.yaml"), "mail: Invoice 1009 over 1.00 EUR\n")
			for _, system := range []string{"old", "new"} {
				path := filepath.Join(dir, "outputs", system+".jsonl")
				write(t, path, read(t, path)+`{"id": "inv-9", "text": "Invoice 1009 over 1.00 EUR. Status: paid"}`+"\n")
			}
			ok(t, finish(t, child(dir, nil, "calibrate", "--system", "old")), codeOK)
			ok(t, finish(t, child(dir, nil, "diff")), codeChange)
			done, runs := map[string]int{}, map[string]bool{}
			refused := storm(t, dir, n, commands, func(c command, code int, out string) {
				if code == codeOK {
					done[c.args[0]]++
				}
				for _, id := range idOfRun.FindAllString(out, -1) {
					if c.args[0] == "run" || c.args[0] == "import" {
						runs[id] = true
					}
				}
			})
			t.Logf("done %v, %d runs, %d commands were refused", done, len(runs), refused)

			if s := finish(t, child(dir, nil, "write")); s.code != codeOK && s.code != codeChange && !strings.Contains(s.err, "nothing is decided") {
				t.Fatalf("write: exit code %d\n%s%s", s.code, s.out, s.err)
			}
			all := recorded(t, dir)
			for command, verdict := range map[string]string{"prune": "retire", "restore": "restore", "accept": "accept"} {
				if have := strings.Count(all, `"verdict":"`+verdict+`"`); done[command] > 0 && have == 0 || command == "restore" && have != done[command] {
					t.Errorf("%s was done %d times, and %d are on record", command, done[command], have)
				}
			}
			if there := exists(filepath.Join(dir, "cases/mail/inv-9.yaml")); done["add"] > 1 || there != (done["add"] == 1) {
				t.Errorf("a case was added %d times, and its file is there: %v", done["add"], there)
			}
			gone := strings.Count(all, `"verdict":"retire"`) - strings.Count(all, `"verdict":"restore"`)
			if there := exists(filepath.Join(dir, "cases/mail/inv-2.yaml")); gone != 0 && gone != 1 || there != (gone == 0) {
				t.Errorf("the case went %d times more than it came back, and its file is there: %v", gone, there)
			}
			stored := runIDs(t, dir)
			for id := range runs {
				if !slices.Contains(stored, id) {
					t.Errorf("run %s was reported and is not in the store", id)
				}
			}
			if s := finish(t, child(dir, nil, "lint")); s.code != codeOK && s.code != codeChange {
				t.Errorf("lint: exit code %d\n%s%s", s.code, s.out, s.err)
			}
		})
	}
}

var idOfRun = regexp.MustCompile(`\b\d{8}T\d{6}Z-[0-9a-f]{4,}\b`)

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

// TestManyMergeAtOnce lets two and eight processes settle one conflict of git
// while others decide and write: the file becomes what one of them alone makes of
// it.
func TestManyMergeAtOnce(t *testing.T) {
	commands := []command{
		{"", []string{"merge"}},
		{"", []string{"merge"}},
		{"", []string{"accept", "inv-1", "--reason", "as intended"}},
		{"", []string{"write"}},
	}
	for _, n := range []int{2, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dir := copySuite(t)
			if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
			git := func(args ...string) {
				t.Helper()
				cmd := exec.Command("git", args...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
					"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@tests.example", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@tests.example")
				if out, err := cmd.CombinedOutput(); err != nil && args[0] != "merge" {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			decide := func(id string) {
				t.Helper()
				ok(t, finish(t, child(dir, nil, "accept", id, "--reason", "as intended")), codeOK)
				if s := finish(t, child(dir, nil, "write")); s.code != codeOK && s.code != codeChange {
					t.Fatal(s)
				}
				git("add", "baselines")
				git("commit", "-q", "-m", id)
			}
			git("init", "-q", "-b", "main")
			write(t, filepath.Join(dir, ".gitignore"), ".docket/\n*.docket-lock\n")
			ok(t, finish(t, child(dir, nil, "calibrate", "--system", "old")), codeOK)
			git("add", "-A")
			git("commit", "-q", "-m", "the suite")
			ok(t, finish(t, child(dir, nil, "diff")), codeChange)
			git("checkout", "-q", "-b", "topic")
			decide("inv-4")
			git("checkout", "-q", "main")
			decide("inv-3")
			git("merge", "-q", "topic")
			path := filepath.Join(dir, "baselines/mail/live.jsonl")
			if !strings.Contains(read(t, path), "<<<<<<<") {
				t.Fatal("git has no conflict")
			}
			alone := t.TempDir()
			if err := os.CopyFS(alone, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			ok(t, finish(t, child(alone, nil, "merge")), codeOK)
			want := read(t, filepath.Join(alone, "baselines/mail/live.jsonl"))

			merged := 0
			refused := storm(t, dir, n, commands, func(c command, code int, _ string) {
				if c.args[0] == "merge" && code == codeOK {
					merged++
				}
			})
			t.Logf("merged %d times, %d commands were refused", merged, refused)
			got := read(t, path)
			if merged == 0 || got != want && !strings.Contains(recorded(t, dir), `"case":"inv-1"`) {
				t.Errorf("merged %d times:\n%s\nwant\n%s", merged, got, want)
			}
			if s := finish(t, child(dir, nil, "lint")); s.code != codeOK {
				t.Errorf("lint: exit code %d\n%s%s", s.code, s.out, s.err)
			}
		})
	}
}
