package measure_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/engine/baseline"
	"docket/engine/label"
	"docket/engine/measure"
	"docket/engine/output"
	"docket/engine/projection"
	"docket/engine/run"
	"docket/engine/source"
)

// TestGivenVerdicts folds what another tool judged: verdicts count, a score
// without one fails nothing, and what was not judged is not there.
func TestGivenVerdicts(t *testing.T) {
	labels, err := label.New(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	set, problems := projection.Compile(source.Value{}, labels)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	yes, no, half, most := true, false, 0.5, 0.75
	sample := func(n int, given ...run.Given) run.Sample {
		return run.Sample{Number: n, Output: output.Output{Text: "x"}, Given: given}
	}
	samples := []run.Sample{
		sample(1, run.Given{Check: "t:a", Pass: &yes}, run.Given{Check: "t:b", Score: &half}, run.Given{Check: "t:c"}),
		sample(2, run.Given{Check: "t:a", Pass: &no, Score: &half, Message: "why"}, run.Given{Check: "t:b", Score: &most}),
		sample(3, run.Given{Check: "t:b", Score: &most}),
		sample(4),
	}
	instrument := &measure.Instrument{Projections: set}
	for range 2 { // measured again, the same
		line, err := instrument.Case(t.Context(), &measure.Subject{ID: "a", Version: 1}, samples)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]baseline.Check{
			"t:a": {Tally: baseline.Tally{Passed: 1, Of: 2}, Low: 0.5, High: 1},
			"t:b": {Tally: baseline.Tally{Passed: 3, Of: 3}, Low: 0.5, High: 0.75},
		}
		if diff := cmp.Diff(want, line.Checks); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(&baseline.Tally{Passed: 1, Of: 2}, line.Pass); diff != "" || *line.Score != 0.75 {
			t.Error(diff, *line.Score)
		}
		if diff := cmp.Diff([]run.Verdict{{Check: "t:a", Score: 0.5, Message: "why"}}, samples[1].Checks); diff != "" {
			t.Error(diff)
		}
	}
	alone, err := instrument.Case(t.Context(), &measure.Subject{ID: "a", Version: 1}, samples[2:])
	if err != nil {
		t.Fatal(err)
	}
	if alone.Pass != nil || len(alone.Checks) != 1 {
		t.Errorf("a score alone gives the verdict %v, checks %v", alone.Pass, alone.Checks)
	}
}
