//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/engine/results"
)

// A stallingVendor is a fake vendor of a model that answers mails of which the
// number is below a bound, and keeps the others waiting.
type stallingVendor struct {
	*httptest.Server
	mu     sync.Mutex
	asked  map[string]int // by mail
	answer int            // mails below this are answered
}

func newStallingVendor(t *testing.T) *stallingVendor {
	v := &stallingVendor{asked: map[string]int{}}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, rest, _ := strings.Cut(string(body), "mail number ")
		mail, _, _ := strings.Cut(rest, ".")
		v.mu.Lock()
		v.asked[mail]++
		waits := mail >= fmt.Sprintf("%02d", v.answer)
		v.mu.Unlock()
		if waits {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		vendorAnswers(w, body, 1)
	}))
	t.Cleanup(v.Close)
	return v
}

// answers sets the bound and forgets what was asked.
func (v *stallingVendor) answers(below int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.answer, v.asked = below, map[string]int{}
}

func (v *stallingVendor) askedOf(mail string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked[mail]
}

// TestAKilledRunIsResumed kills a live run with -9 while calls are under way, and
// then the run that goes on with it, and pays for no case twice that the store
// has.
func TestAKilledRunIsResumed(t *testing.T) {
	const cases = 30
	vendor := newStallingVendor(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".docket.yaml"), `
version: 1
suites:
  mail: {cases: cases/mail, system: prod, labels: [paid, overdue], expires: never}
systems:
  prod: {kind: openai, model: m-1, prompt: p.md, url: "`+vendor.URL+`/v1"}
`)
	write(t, filepath.Join(dir, "p.md"), "Read {{.mail}}.")
	for i := range cases {
		write(t, filepath.Join(dir, "cases/mail", fmt.Sprintf("%02d.yaml", i)), fmt.Sprintf(`
id: mail-%02d
provenance: written for the tests
input: {mail: mail number %02d}
`, i, i))
	}
	// kill starts a command, lets the vendor answer some mails, and ends the
	// process at once when the store has them all while others are under way.
	kill := func(answered int, args ...string) {
		t.Helper()
		vendor.answers(answered)
		cmd := child(dir, nil, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitStored(t, dir, answered)
		cmd.Process.Kill()
		cmd.Wait()
	}
	kill(12, "run", "--mode", "live", "--jobs", "4")
	id := runIDs(t, dir)[0]

	kill(20, "run", "--mode", "live", "--resume", "--jobs", "4")
	for i := range 12 {
		if n := vendor.askedOf(fmt.Sprintf("%02d", i)); n != 0 {
			t.Errorf("mail %d was in the store and was asked for %d times more", i, n)
		}
	}

	// What is there is what a diff and a further run go on from.
	said := finish(t, child(dir, nil, "diff", "--mode", "live"))
	if said.code != codeWrong || !strings.Contains(said.err, "no baseline") {
		t.Errorf("diff: exit code %d\n%s%s", said.code, said.out, said.err)
	}
	vendor.answers(cases)
	said = finish(t, child(dir, nil, "run", "--mode", "live", "--resume", "--jobs", "4"))
	if said.code != 0 || !strings.Contains(said.out, "run "+id) || !strings.Contains(said.out, fmt.Sprintf("%d cases: %d measured, 0 failed, 0 not run", cases, cases)) {
		t.Errorf("resumed to its end: exit code %d\n%s%s", said.code, said.out, said.err)
	}
	for i := range cases {
		if n, want := vendor.askedOf(fmt.Sprintf("%02d", i)), 0; i < 20 && n != want || i >= 20 && n != 1 {
			t.Errorf("mail %d was asked for %d times at the end", i, n)
		}
	}
	if ids := runIDs(t, dir); len(ids) != 1 {
		t.Errorf("there are %d runs", len(ids))
	}
	if left, _ := os.ReadDir(filepath.Join(dir, ".docket", "runs")); len(left) != 0 {
		t.Errorf("%d locks are left", len(left))
	}
}

// TestARunUnderWayIsLeftAlone looks at a suite, and goes on with its run, while
// another process makes it.
func TestARunUnderWayIsLeftAlone(t *testing.T) {
	vendor := newStallingVendor(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".docket.yaml"), `
version: 1
suites:
  mail: {cases: cases/mail, system: prod, labels: [paid, overdue], expires: never}
systems:
  prod: {kind: openai, model: m-1, prompt: p.md, url: "`+vendor.URL+`/v1"}
`)
	write(t, filepath.Join(dir, "p.md"), "Read {{.mail}}.")
	for i := range 2 {
		write(t, filepath.Join(dir, "cases/mail", fmt.Sprintf("%02d.yaml", i)), fmt.Sprintf("id: mail-%02d\nprovenance: a test\ninput: {mail: mail number %02d}\n", i, i))
	}
	vendor.answers(1)
	cmd := child(dir, nil, "run", "--mode", "live")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	waitStored(t, dir, 1)
	said := finish(t, child(dir, nil, "run", "--mode", "live", "--resume"))
	if said.code != codeWrong || !strings.Contains(said.err, "has no run with mode live to go on with") {
		t.Errorf("exit code %d\n%s%s", said.code, said.out, said.err)
	}
	cmd.Process.Kill()
	cmd.Wait()

	// Two go on with what was killed: one of them is told to wait.
	first := child(dir, nil, "run", "--mode", "live", "--resume")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer first.Wait()
	defer first.Process.Kill()
	for range 2000 {
		if vendor.askedOf("01") == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	said = finish(t, child(dir, nil, "run", "--mode", "live", "--resume"))
	if said.code != codeWrong || !strings.Contains(said.err, "is going on with run ") || vendor.askedOf("01") != 2 {
		t.Errorf("exit code %d\n%s%s", said.code, said.out, said.err)
	}
}

// waitStored waits until the last run has so many results of cases that were
// measured.
func waitStored(t *testing.T, dir string, want int) {
	t.Helper()
	path := filepath.Join(dir, ".docket", "results.db")
	waitFor(t, path)
	s, err := results.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	have := 0
	for range 2000 {
		have = 0
		runs, err := s.Runs(t.Context(), results.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		if len(runs) > 0 {
			r, err := s.Run(t.Context(), runs[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Results {
				if len(r.Results[i].Line) > 0 {
					have++
				}
			}
		}
		if have >= want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the store has %d results, want %d", have, want)
}

// runIDs are the ids of all runs, the newest first.
func runIDs(t *testing.T, dir string) []string {
	t.Helper()
	s, err := results.Open(t.Context(), filepath.Join(dir, ".docket", "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runs, err := s.Runs(t.Context(), results.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}
