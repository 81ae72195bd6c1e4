package results_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/engine/results"
)

func TestTalliesCountWhatModelsDid(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	day := time.Date(2026, 8, 11, 10, 22, 3, 0, time.UTC)
	for i, mode := range []string{"live", "replay", "mock", "live"} {
		r := aRun(fmt.Sprintf("20260811T10220%dZ-7f3a", i))
		r.Config.Mode = mode
		r.Started = day.AddDate(0, 0, i)
		passes, fails := aResult(1), aResult(2)
		no := i != 1
		fails.Samples[0].Pass = &no
		unjudged := aResult(3)
		unjudged.Samples[0].Pass = nil
		keep(t, s, r, passes, fails, unjudged)
	}
	other := aRun("20260811T102209Z-7f3a")
	other.Config.Suite = "another"
	keep(t, s, other, aResult(1))
	got, err := s.Tallies(t.Context(), "invoices")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]results.Tally{
		"inv-00001": {Case: "inv-00001", Judged: 3, First: day, Last: day.AddDate(0, 0, 3)},
		"inv-00002": {Case: "inv-00002", Judged: 3, Failed: 1, First: day, Last: day.AddDate(0, 0, 3), LastFailed: day.AddDate(0, 0, 1)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
