package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/decision"
	"docket/engine/disk"
	"docket/engine/disk/disktest"
	"docket/engine/pruning"
	"docket/engine/run"
	"docket/engine/suggestion"
)

// shelf is a project of n cases about a library, in a folder of its own, with
// a store of runs over four months in which every case passed, but for those
// that fail is asked about.
func shelf(t testing.TB, n, runs int, fail func(id string, run int) bool) *Project {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put(".docket.yaml", "version: 1\nsuites: {shelf: {cases: cases/shelf, system: s}}\nsystems: {s: {kind: canned}}\n")
	ids := make([]string, n)
	for i := range n {
		ids[i] = fmt.Sprintf("loan-%04d", i)
		why, fact := fmt.Sprintf("ticket LIB-%d — a reader asked", i), "days"
		switch i {
		case 3:
			why = "incident INC-219 — a reader was told 14 days"
		case 5:
			fact = "refund_window"
		}
		put("cases/shelf/"+ids[i]+".yaml", fmt.Sprintf("id: %s\nadded: 2025-04-02\nprovenance: %s\ninput: {question: \"For how long may reader %d of house %d borrow book %d in week %d of the year?\"}\nexpect:\n  must_contain_fact:\n    - {key: %s, value: \"%d\"}\n", ids[i], why, i, i*7, i*13, i%52, fact, i))
	}
	p, err := Load(filepath.Join(dir, ".docket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	store, err := p.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for k := range runs {
		started := time.Date(2026, 7, 1, 9, 0, k, 0, time.UTC).AddDate(0, 0, k*120/max(runs-1, 1))
		r := &run.Run{ID: run.NewID(started), Started: started, Finished: started, Whole: true, Config: baseline.Header{Format: 1, Suite: "shelf", Mode: "live", System: "s"}}
		w, err := store.Begin(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			pass := fail == nil || !fail(id, k)
			line := baseline.Line{ID: id, Version: 1, Samples: 1, Checks: map[string]baseline.Check{"days": {Tally: baseline.Tally{Passed: map[bool]int{true: 1}[pass], Of: 1}}}}
			err = errors.Join(err, w.Put(t.Context(), run.Result{ID: id, Version: 1, Outcome: run.Measured, Line: baseline.AppendLine(nil, &line), Samples: []run.Sample{{Number: 1, Pass: &pass}}}))
		}
		if err = errors.Join(err, w.Finish(t.Context(), r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestThreeOfTwentyMustStay proposes twenty of sixty cases. That three of them
// matter is said nowhere but in what docket can find: an incident, a fact that
// no other case has, a regression that was caught last month.
func TestThreeOfTwentyMustStay(t *testing.T) {
	p := shelf(t, 60, 24, func(id string, run int) bool { return id == "loan-0007" && run == 18 })
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("loan-%04d", i))
	}
	v, err := p.Prune(t.Context(), "", PruneOptions{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var against []string
	for _, proposal := range v.Proposals {
		for _, o := range v.Against(proposal.ID) {
			against = append(against, proposal.ID+" "+o.Text)
		}
	}
	want := []string{"loan-0003 stems from INC-219", "loan-0005 the only case with the fact refund_window", "loan-0007 failed in 1 of 24 runs, last on 2026-10-02"}
	if !slices.Equal(against, want) {
		t.Errorf("against: %q\nwant %q", against, want)
	}
	story, err := v.Why(t.Context(), "loan-0007")
	if err != nil || len(story.Caught) != 1 || !slices.Equal(story.Caught[0].Checks, []string{"days"}) {
		t.Errorf("caught: %+v, %v", story, err)
	}
	for id, text := range map[string]string{"loan-0003": "nobody asks any more", "loan-0000": "old"} {
		if err := v.Decide(id, pruning.Retire, text); err == nil {
			t.Errorf("%s is retired since %q", id, text)
		}
	}

	own, err := p.Prune(t.Context(), "shelf", PruneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if len(own.Proposals) != 58 || own.Found.Incidents != 1 {
		t.Errorf("docket proposes %d, and leaves out %+v", len(own.Proposals), own.Found)
	}
}

// TestTheNextCommandCompletesARetirement cuts a retirement short behind its
// intent, and looks at what loading the project makes of it.
func TestTheNextCommandCompletesARetirement(t *testing.T) {
	p := shelf(t, 3, 0, nil)
	data, err := os.ReadFile(filepath.Join(p.Dir, "cases/shelf/loan-0001.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d := decision.Decision{At: time.Unix(1e9, 0).UTC(), Mode: decision.Everything, Case: "loan-0001", Verdict: decision.Retire, Reason: "r", CaseFile: &decision.Kept{Path: "cases/shelf/loan-0001.yaml", Data: data}}
	cut := false
	faults := &disktest.Faults{FS: disk.OS{}, Plan: func(c disktest.Call) disktest.Fault {
		cut = cut || c.Op == "Remove" && strings.HasSuffix(c.Path, "loan-0001.yaml")
		return disktest.Fault{Crash: cut}
	}}
	r := decision.Retirement{FS: faults, Root: p.Dir, Suite: "shelf", Run: "20261130T100000Z-aaaa", Decisions: []decision.Decision{d}}
	if _, err := r.Apply(); !errors.Is(err, disktest.ErrCrashed) || !strings.Contains(err.Error(), "the next command of docket completes it") {
		t.Fatalf("got %v", err)
	}
	notes, err := p.Settle()
	if err != nil || len(notes) != 1 || notes[0] != "a step that was cut short is completed: retired loan-0001" {
		t.Errorf("notes %q, %v", notes, err)
	}
	if _, err := os.Lstat(filepath.Join(p.Dir, "cases/shelf/loan-0001.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file: %v", err)
	}
	if notes, err := p.Settle(); len(notes) != 0 || err != nil {
		t.Errorf("again: %q, %v", notes, err)
	}
	_, done, err := p.Restore(t.Context(), p.Names(), "loan-0001", "")
	if err != nil || !slices.Equal(done.Created, []string{"cases/shelf/loan-0001.yaml"}) {
		t.Errorf("restored: %+v, %v", done, err)
	}
}

// BenchmarkPrune opens docket's own suggestions on a thousand cases with forty
// runs each, from the files on; the goal is a second.
func BenchmarkPrune(b *testing.B) {
	p := shelf(b, 1000, 40, nil)
	for b.Loop() {
		v, err := p.Prune(context.Background(), "", PruneOptions{Options: suggestion.Options{Heavy: true}})
		if err != nil || len(v.Proposals) != 1000 {
			b.Fatal(len(v.Proposals), err)
		}
		if err := v.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
