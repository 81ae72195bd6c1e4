package report_test

import (
	"testing"
	"time"

	"docket/engine/report"
	"docket/engine/run"
)

// TestAnsweredSaysWhatWasReal names who answered, and the age of the oldest
// recording.
func TestAnsweredSaysWhatWasReal(t *testing.T) {
	now := time.Date(2026, 8, 23, 9, 0, 0, 0, time.UTC)
	at := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	search := run.Source{Name: "search", Answered: run.Replayed, Oldest: at(12)}
	for _, test := range []struct {
		mode    string
		sources []run.Source
		want    string
	}{
		{"mock", nil, "mock: tests the pipeline, not the model"},
		{"mock", []run.Source{search}, "mock: tests the pipeline, not the model · search replayed, recorded 12 days ago"},
		{"replay", nil, "model replay"},
		{"replay", []run.Source{
			search,
			{Name: "anthropic", Model: true, Answered: run.Replayed, Oldest: at(1)},
			{Name: "openai", Model: true, Answered: run.Replayed, Oldest: at(40)},
		}, "model replayed, recorded 40 days ago · search replayed, recorded 12 days ago"},
		{"replay", []run.Source{{Name: "openai", Model: true, Answered: run.Replayed, Oldest: now}}, "model replayed, recorded today"},
		{"live", []run.Source{search}, "model live · search replayed, recorded 12 days ago"},
		{"live", []run.Source{{Name: "search", Answered: run.Recorded, Oldest: now}, {Name: "openai", Model: true, Answered: run.Recorded, Oldest: now}}, "model live · search recorded"},
		{"", nil, "two files"},
	} {
		if got := report.Answered(test.mode, test.sources, now); got != test.want {
			t.Errorf("%s: %q, want %q", test.mode, got, test.want)
		}
	}
}
