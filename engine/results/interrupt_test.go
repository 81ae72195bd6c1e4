package results_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/results"
	"docket/engine/run"
)

// TestInterruptARunThatWasKilled marks a run that never came to its end, once,
// and no other.
func TestInterruptARunThatWasKilled(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	ctx := t.Context()
	begin := func(id string, kept ...run.Result) *run.Run {
		r := aRun(id)
		r.Config.Answered, r.Config.Samples = nil, 0
		w, err := s.Begin(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range kept {
			if err := w.Put(ctx, result); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return r
	}
	deep := aResult(3)
	deep.Samples[0].Output.Raw = []byte(strings.Repeat("[", 2000) + strings.Repeat("]", 2000))
	killed := begin("r-1", aResult(1), deep)
	all := []run.Result{{ID: aResult(1).ID, Version: 2}, {ID: "never-reached", Version: 4}}
	at := killed.Started.Add(time.Hour)
	if done, err := s.Interrupt(ctx, killed, all, at); err != nil || !done {
		t.Fatalf("it is %v, %v", done, err)
	}
	r, err := s.LastRun(ctx, results.Filter{Suite: "invoices"})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || r.Whole || !r.Finished.Equal(at) || r.Config.Samples != 1 || strings.Join(r.Config.Answered, " ") != "m-1a" {
		t.Errorf("the run is %+v", r)
	}
	var got []string
	for _, result := range r.Results {
		got = append(got, result.ID+" "+string(result.Outcome))
	}
	if want := "inv-00001 measured, inv-00003 measured, never-reached not_run"; strings.Join(got, ", ") != want {
		t.Errorf("its results are %v", got)
	}
	if done, err := s.Interrupt(ctx, killed, all, at); err != nil || done {
		t.Errorf("a second time it is %v, %v", done, err)
	}
	if done, err := s.Interrupt(ctx, begin("r-2"), all, at); err != nil || done {
		t.Errorf("of a run that has nothing it is %v, %v", done, err)
	}
	keep(t, s, aRun("r-3"), aResult(1))
	if done, err := s.Interrupt(ctx, aRun("r-3"), all, at); err != nil || done {
		t.Errorf("of a run that is finished it is %v, %v", done, err)
	}
}
