package run_test

import (
	"slices"
	"testing"
	"time"

	"docket/engine/run"
)

// TestTheOldestRecordingCounts adds who answered in a run and in its
// continuation.
func TestTheOldestRecordingCounts(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 8, n, 0, 0, 0, 0, time.UTC) }
	r := &run.Run{}
	r.AddSources([]run.Source{{Name: "search", Answered: run.Replayed, Oldest: day(11)}, {Name: "openai", Model: true, Answered: run.Live}})
	r.AddSources([]run.Source{{Name: "search", Answered: run.Replayed, Oldest: day(9)}, {Name: "openai", Answered: run.Live}})
	r.AddSources([]run.Source{{Name: "search", Answered: run.Replayed, Oldest: day(10)}, {Name: "search", Answered: run.Recorded, Oldest: day(12)}})
	want := []run.Source{
		{Name: "search", Answered: run.Replayed, Oldest: day(9)},
		{Name: "openai", Model: true, Answered: run.Live},
		{Name: "openai", Answered: run.Live},
		{Name: "search", Answered: run.Recorded, Oldest: day(12)},
	}
	if !slices.Equal(r.Sources, want) {
		t.Errorf("got %v, want %v", r.Sources, want)
	}
}
