//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/disk"
	"docket/engine/journal"
)

// child returns a command line that runs in a process of its own.
func child(dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("docket", args...)
	cmd.Dir = dir
	cmd.Env = append(withoutDocketVariables(os.Environ()), env...)
	return cmd
}

// withoutDocketVariables drops what would change what docket does.
func withoutDocketVariables(env []string) []string {
	var kept []string
	for _, set := range env {
		switch name, _, _ := strings.Cut(set, "="); name {
		case "CI", "NO_COLOR", "TERM", "COLORTERM", "CLICOLOR_FORCE", "DOCKET_THEME":
		default:
			kept = append(kept, set)
		}
	}
	return append(kept, "DOCKET_HINTS=off") // a test is nobody's first screen
}

// finish waits for a command and returns what it printed and its exit code.
func finish(t *testing.T, cmd *exec.Cmd) said {
	t.Helper()
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	err := cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return said{out.String(), failed.String(), cmd.ProcessState.ExitCode()}
}

// TestInterruptKeepsWhatFinished interrupts a run whose last case hangs.
func TestInterruptKeepsWhatFinished(t *testing.T) {
	dir := copySuite(t)
	write(t, filepath.Join(dir, ".docket.yaml"), `
version: 1
suites:
  mail: {cases: cases/mail, system: slow, labels: [paid, overdue], expires: never}
systems:
  slow: {kind: exec, command: [fakesystem, wait]}
`)
	write(t, filepath.Join(dir, "cases/mail/slow.yaml"), `
id: zz-odd
added: 2026-01-01
provenance: written for the tests
input: {mail: never answered}
`)
	mark := filepath.Join(dir, ".docket", "asked")
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		os.MkdirAll(filepath.Dir(mark), 0o700)
		os.Remove(mark)
		cmd := child(dir, []string{"FAKESYSTEM_MARK=" + mark}, "run")
		var out, failed bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &failed
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, mark)
		cmd.Process.Signal(sig)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != codeInterrupted {
			t.Fatalf("%v: exit code %d, want %d\n%s%s", sig, code, codeInterrupted, out.String(), failed.String())
		}
		for _, want := range []string{"5 cases: 4 measured, 0 failed, 1 not run", "interrupted: what finished is kept"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: %q is not in\n%s", sig, want, out.String())
			}
		}
	}

	// calibrate writes no baseline of half a suite.
	os.Remove(mark)
	cmd := child(dir, []string{"FAKESYSTEM_MARK=" + mark}, "calibrate")
	var failed bytes.Buffer
	cmd.Stderr = &failed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, mark)
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != codeInterrupted || !strings.Contains(failed.String(), "no baseline was written") {
		t.Errorf("calibrate: exit code %d\n%s", code, failed.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "baselines/mail/live.jsonl")); err == nil {
		t.Error("an interrupted calibration wrote a baseline")
	}
}

// waitFor waits for a file. The time is a guard, not a measure.
func waitFor(t *testing.T, path string) {
	t.Helper()
	for range 2000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not appear", path)
}

// TestTwoWriters holds what another docket would hold, and expects the second
// to be refused and told why.
func TestTwoWriters(t *testing.T) {
	dir := copySuite(t)
	ok(t, finish(t, child(dir, nil, "calibrate", "--system", "old")), codeOK)
	files, err := tree(dir)
	if err != nil {
		t.Fatal(err)
	}

	// Another review is open.
	path := filepath.Join(dir, journal.Name("mail", "live"))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := disk.OS{}.Lock(path + disk.LockSuffix)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"accept", "inv-1", "--reason", "ok"}, {"reject", "inv-1", "--reason", "ok"}, {"write"}} {
		s := finish(t, child(dir, nil, args...))
		if s.code != codeWrong || !isOneSentence(s.err) || !strings.Contains(s.err, fmt.Sprintf("another docket, process %d, is at work here", os.Getpid())) {
			t.Errorf("%v: exit code %d\n%s%s", args, s.code, s.out, s.err)
		}
	}
	// Looking is not writing.
	ok(t, finish(t, child(dir, nil, "diff")), codeChange)
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}

	// Another write is under way.
	ok(t, finish(t, child(dir, nil, "accept", "inv-1", "--reason", "ok")), codeOK)
	base, err := baseline.Path(dir, "mail", "live")
	if err != nil {
		t.Fatal(err)
	}
	writer, err := baseline.Lock(disk.OS{}, base)
	if err != nil {
		t.Fatal(err)
	}
	if s := finish(t, child(dir, nil, "write")); s.code != codeWrong || !isOneSentence(s.err) || !strings.Contains(s.err, "is at work here") {
		t.Errorf("write beside another: exit code %d\n%s%s", s.code, s.out, s.err)
	}
	now, err := tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name := range now {
		if strings.HasSuffix(name, disk.LockSuffix) {
			delete(now, name)
		}
	}
	if d := difference(files, now); d != "" {
		t.Errorf("a refused write changed files: %s", d)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	ok(t, finish(t, child(dir, nil, "write")), codeOK)
}

func ok(t *testing.T, s said, code int) {
	t.Helper()
	if s.code != code {
		t.Fatalf("exit code %d, want %d\n%s%s", s.code, code, s.out, s.err)
	}
}

// TestKill kills docket with SIGKILL at random points of deciding and writing.
// Whatever the point: the baseline is the old one or the new one, no decision
// that was acknowledged is lost, and the next write completes.
func TestKill(t *testing.T) {
	dir := copySuite(t)
	ok(t, finish(t, child(dir, nil, "calibrate", "--system", "old")), codeOK)
	path := filepath.Join(dir, "baselines/mail/live.jsonl")
	old := read(t, path)
	ok(t, finish(t, child(dir, nil, "diff")), codeChange) // stores the run that is decided on

	// How long the commands take undisturbed, for the range of points.
	begun := time.Now()
	ok(t, finish(t, child(dir, nil, "accept", "inv-1", "inv-4", "--reason", "as intended")), codeOK)
	acceptTime := time.Since(begun)
	begun = time.Now()
	ok(t, finish(t, child(dir, nil, "write")), codeOK)
	writeTime := time.Since(begun)
	wanted := read(t, path)

	random := rand.New(rand.NewPCG(2, 7))
	deadline := time.Now().Add(5 * time.Second)
	killed := map[string]int{}
	for round := 0; time.Now().Before(deadline); round++ {
		restore(t, dir, path, old)

		// Deciding.
		s, died := killAt(t, child(dir, nil, "accept", "inv-1", "inv-4", "--reason", "as intended"), between(random, acceptTime))
		if died {
			killed["accept"]++
		}
		acknowledged := strings.Contains(s.out, "next: docket write mail")
		if got := read(t, path); got != old {
			t.Fatalf("round %d: accept changed the baseline", round)
		}
		after := finish(t, child(dir, nil, "diff"))
		ok(t, after, codeChange)
		both := strings.Contains(after.out, "2 decided and not yet written")
		if acknowledged && !both {
			t.Fatalf("round %d: decisions that were acknowledged are lost\n%s\n%s", round, s.out, after.out)
		}
		if !both && !strings.Contains(after.out, "0 decided and not yet written") {
			t.Fatalf("round %d: a group was decided in part\n%s", round, after.out)
		}
		if !both {
			ok(t, finish(t, child(dir, nil, "accept", "inv-1", "inv-4", "--reason", "as intended")), codeOK)
		}

		// Writing.
		if _, died = killAt(t, child(dir, nil, "write"), between(random, writeTime)); died {
			killed["write"]++
		}
		switch got := read(t, path); got {
		case old, wanted:
		default:
			t.Fatalf("round %d: a third baseline:\n%s", round, got)
		}
		s = finish(t, child(dir, nil, "write"))
		if s.code != codeOK && !(s.code == codeWrong && strings.Contains(s.err, "nothing is decided")) {
			t.Fatalf("round %d: the next write did not complete: exit code %d\n%s%s", round, s.code, s.out, s.err)
		}
		if got := read(t, path); got != wanted {
			t.Fatalf("round %d: after the next write the baseline is\n%s", round, got)
		}
		recorded := 0
		files, err := filepath.Glob(filepath.Join(dir, "baselines/mail/decisions/*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			recorded += strings.Count(read(t, file), `"verdict":"accept"`)
		}
		if recorded != 2 {
			t.Fatalf("round %d: %d decisions are on record, want 2", round, recorded)
		}
		ok(t, finish(t, child(dir, nil, "lint")), codeOK)
	}
	t.Logf("killed: %v", killed)
}

func restore(t *testing.T, dir, path, old string) {
	t.Helper()
	for _, gone := range []string{"baselines/mail/decisions", ".docket/journal"} {
		if err := os.RemoveAll(filepath.Join(dir, gone)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, path, old)
}

func between(random *rand.Rand, whole time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(whole + whole/5)))
}

// killAt starts a command and kills it after a while. It reports whether the
// command was still at work.
func killAt(t *testing.T, cmd *exec.Cmd, after time.Duration) (said, bool) {
	t.Helper()
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	died := err != nil && cmd.ProcessState.ExitCode() == -1
	return said{out.String(), failed.String(), cmd.ProcessState.ExitCode()}, died
}
