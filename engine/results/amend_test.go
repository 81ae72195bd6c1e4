package results_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/output"
	"docket/engine/results"
	"docket/engine/run"
)

// TestAmendAddsSamples: what the store had stays, the new samples are behind
// it, and the result says what all of them say together.
func TestAmendAddsSamples(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	r := aRun("r-1")
	r.Results = []run.Result{aResult(1), aResult(2)}
	keep(t, s, r, r.Results...)

	no, zero := false, 0.0
	more := aResult(2)
	for n := 2; n <= 30; n++ { // more rows than one statement inserts
		more.Samples = append(more.Samples, run.Sample{Number: n, Output: output.Output{Text: "another answer"}, Pass: &no, Score: &zero})
	}
	more.Line = []byte(`{"id":"inv-00002","samples":30}`)
	r.Config.Answered = []string{"m-1a", "m-1b"}
	if err := s.Amend(t.Context(), r, []run.Result{more}); err != nil {
		t.Fatal(err)
	}
	r.Results[1] = more
	got, err := whole(t.Context(), s, "r-1")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, got); d != "" {
		t.Error(d)
	}
	found, err := s.Outputs(t.Context(), run.OutputsHash(more.Samples))
	if err != nil || found.Case != "inv-00002" || len(found.Samples) != 30 {
		t.Errorf("the outputs are found as %+v, %v", found, err)
	}
	history, err := s.History(t.Context(), "invoices", "inv-00002")
	if err != nil || len(history) != 1 || *history[0].Pass || *history[0].Score >= 0.1 {
		t.Errorf("the history says %+v, %v", history, err)
	}

	// Somebody who has not seen those samples adds none of the same numbers.
	late := aResult(2)
	late.Samples = append(late.Samples, run.Sample{Number: 2, Output: output.Output{Text: "a second second"}})
	if err := s.Amend(t.Context(), r, []run.Result{late}); err == nil || !strings.Contains(err.Error(), "by another docket meanwhile") {
		t.Errorf("a sample was replaced: %v", err)
	}
	if again, err := whole(t.Context(), s, "r-1"); err != nil || !cmp.Equal(got, again) {
		t.Errorf("a refused amendment changed the run: %v", cmp.Diff(got, again))
	}
	if err := s.Amend(t.Context(), aRun("r-2"), nil); !errors.Is(err, results.ErrNone) {
		t.Errorf("an unknown run: %v", err)
	}
	if err := s.Amend(t.Context(), r, []run.Result{{ID: "inv-7", Outcome: run.Measured}}); !errors.Is(err, results.ErrNone) {
		t.Errorf("an unknown case: %v", err)
	}
}

// TestPurposes: a run that counts false alarms proposes nothing, and is found
// by its purpose.
func TestPurposes(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	for id, purpose := range map[string]run.Purpose{"r-1": run.Compared, "r-2": run.Recapture, "r-3": run.Again} {
		r := aRun(id)
		r.Purpose = purpose
		w, err := s.Begin(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		r.Remark = "why " + id
		if err := w.Finish(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	last, err := s.LastRun(t.Context(), results.Filter{Suite: "invoices", Mode: "live"})
	if err != nil || last.ID != "r-2" || last.Purpose != run.Recapture || last.Remark != "why r-2" {
		t.Errorf("the last run is %+v, %v", last, err)
	}
	again, err := s.Runs(t.Context(), results.Filter{Suite: "invoices", Purpose: run.Again})
	if err != nil || len(again) != 1 || again[0].ID != "r-3" || again[0].Remark != "why r-3" {
		t.Errorf("runs for the false alarms are %+v, %v", again, err)
	}
	if all, err := s.Runs(t.Context(), results.Filter{Suite: "invoices"}); err != nil || len(all) != 3 {
		t.Errorf("all runs are %+v, %v", all, err)
	}
}

// TestAnOlderStoreIsCarriedForward opens a database of the first schema.
func TestAnOlderStoreIsCarriedForward(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	s := openStore(t, path)
	keep(t, s, aRun("r-1"), aResult(1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("ALTER TABLE runs DROP COLUMN purpose; ALTER TABLE runs DROP COLUMN remark; ALTER TABLE runs DROP COLUMN sources; CREATE INDEX results_by_case ON results (\"case\"); PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := openStore(t, path).LastRun(t.Context(), results.Filter{Suite: "invoices", Mode: "live"})
	if err != nil || r.ID != "r-1" || len(r.Results) != 1 || r.Purpose != run.Compared {
		t.Errorf("the run of an older store is %+v, %v", r, err)
	}
}
