package results_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/output"
	"docket/engine/results"
	"docket/engine/run"
)

// TestPrune lets the outputs of old runs go, but for those that a baseline
// names, and never a result.
func TestPrune(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	s, err := results.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	day := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	hashes := map[string]string{}
	for i, name := range []string{"old", "middle", "new"} {
		r := aRun("r-" + name)
		r.Started = day.AddDate(0, 0, i)
		w, err := s.Begin(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"a", "b"} {
			samples := []run.Sample{{Number: 1, Output: output.Output{Text: strings.Repeat(name+id+" ", 10_000)}}}
			hashes[name+id] = run.OutputsHash(samples)
			if err := w.Put(t.Context(), run.Result{ID: id, Outcome: run.Measured, Line: aResult(1).Line, Samples: samples}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	has := func(key string) bool {
		t.Helper()
		_, err := s.Outputs(t.Context(), hashes[key])
		if err != nil && !errors.Is(err, results.ErrNone) {
			t.Fatal(err)
		}
		return err == nil
	}
	retention := results.Retention{Before: day.AddDate(0, 0, 1), Keep: map[string]bool{hashes["olda"]: true}}
	dry, err := s.Prune(t.Context(), retention, true)
	if err != nil || dry.Cases != 1 || dry.Kept != 1 || !has("oldb") {
		t.Fatalf("a dry run says %+v (%v), and the outputs are there: %v", dry, err, has("oldb"))
	}
	s.Close() // what is beside the file in the journal of SQLite is in it then
	size := sizeOf(t, path)
	if s, err = results.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pruned, err := s.Prune(t.Context(), retention, false)
	if err != nil || pruned != dry {
		t.Fatalf("pruned %+v (%v), want what the dry run said, %+v", pruned, err, dry)
	}
	for key, want := range map[string]bool{"olda": true, "oldb": false, "middlea": true, "newb": true} {
		if has(key) != want {
			t.Errorf("the outputs of %s are there: %v, want %v", key, has(key), want)
		}
	}
	// By size: the oldest go first, until the rest fits.
	pruned, err = s.Prune(t.Context(), results.Retention{MaxBytes: pruned.Left / 5 * 2}, false)
	if err != nil || pruned.Cases != 3 || has("middleb") || !has("newa") || !has("newb") {
		t.Errorf("by size %+v (%v): middleb %v, newa %v, newb %v", pruned, err, has("middleb"), has("newa"), has("newb"))
	}
	history, err := s.History(t.Context(), aRun("").Config.Suite, "b")
	if err != nil || len(history) != 3 || history[2].Line == nil {
		t.Errorf("%d results are left of case b (%v), want all 3", len(history), err)
	}
	s.Close()
	if now := sizeOf(t, path); now >= size {
		t.Errorf("the file takes %d bytes, and took %d before", now, size)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
