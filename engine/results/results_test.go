package results_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/engine/baseline"
	"docket/engine/output"
	"docket/engine/results"
	"docket/engine/run"
)

func aRun(id string) *run.Run {
	at := time.Date(2026, 8, 11, 10, 22, 3, 123456789, time.UTC)
	return &run.Run{
		ID: id, Started: at, Finished: at.Add(time.Minute), Whole: true, Services: "replay", Evidence: "sha256:e",
		Config: baseline.Header{Format: baseline.Format, Suite: "invoices", Mode: "live", System: "prod", Model: "m-1", Answered: []string{"m-1a"}, Samples: 1},
	}
}

// whole reads a run back with all its samples.
func whole(ctx context.Context, s *results.Store, id string) (*run.Run, error) {
	r, err := s.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := range r.Results {
		if r.Results[i].Samples, err = s.Samples(ctx, id, r.Results[i].ID); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func aResult(i int) run.Result {
	yes, score := true, 0.5
	latency, tokens, cost := 812.25, int64(310), 0.0012
	return run.Result{
		ID: fmt.Sprintf("inv-%05d", i), Version: 2, Outcome: run.Measured,
		Line: fmt.Appendf(nil, `{"id":"inv-%05d","version":2,"pass":true,"score":0.5,"checks":{},"projections":{"label":"overdue","length":"short","shape":["amount:number","currency:string"]},"samples":1}`, i),
		Samples: []run.Sample{{
			Number: 1, Pass: &yes, Score: &score,
			Output: output.Output{
				Text: fmt.Sprintf("Invoice %d is overdue <since> March; a reminder went out, and the customer has not answered yet.", i), Model: "m-1a",
				ToolCalls: []output.ToolCall{{Name: "lookup", Arguments: []byte(`{"id":1}`)}},
				LatencyMS: &latency, InputTokens: &tokens, OutputTokens: &tokens, CostUSD: &cost,
			},
			Checks: []run.Verdict{{Check: "refund_window", Pass: true, Score: 1}, {Check: "max_words", Pass: false, Score: 0, Message: "72 words, the most is 60"}},
		}},
	}
}

func openStore(t *testing.T, path string) *results.Store {
	t.Helper()
	s, err := results.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func keep(t *testing.T, s *results.Store, r *run.Run, kept ...run.Result) {
	t.Helper()
	w, err := s.Begin(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range kept {
		if err := w.Put(t.Context(), result); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsKeptComesBack keeps results of each kind and reads them again.
func TestWhatIsKeptComesBack(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	measured := aResult(2)
	measured.Samples = append(measured.Samples,
		run.Sample{Number: 2, Error: "HTTP 529"},
		run.Sample{Number: 5, Output: output.Output{Text: "", ToolCalls: []output.ToolCall{}, ToolCallsError: "cut short", Raw: []byte(`{"k":[1]}`), StopReason: "length"}},
	)
	want := aRun("r-1")
	want.Results = []run.Result{
		{ID: "A [x] | 日本 :/", Outcome: run.Missed, Error: "no recording", Samples: []run.Sample{{Number: 1, Error: "no recording"}}},
		measured,
		{ID: "inv-9", Version: 1, Outcome: run.NotRun},
		{ID: "inv-a", Version: 1, Outcome: run.Failed, Error: "HTTP 529", Samples: []run.Sample{{Number: 1, Error: "HTTP 529"}}},
	}
	keep(t, s, want, want.Results...)
	got, err := whole(t.Context(), s, "r-1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	light, err := s.LastRun(t.Context(), results.Filter{Suite: "invoices", Mode: "live"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Results {
		want.Results[i].Samples = nil
	}
	if diff := cmp.Diff(want, light); diff != "" {
		t.Error(diff)
	}
	samples, err := s.Samples(t.Context(), "r-1", measured.ID)
	if err != nil || len(samples) != 3 || samples[2].Number != 5 {
		t.Errorf("samples are %+v, %v", samples, err)
	}
}

func TestOutputsAreFoundByTheirHash(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	keep(t, s, aRun("20260101T000000Z-0001"), aResult(1), aResult(2))
	keep(t, s, aRun("20260101T000000Z-0002"), aResult(2))
	hash := run.OutputsHash(aResult(2).Samples)
	found, err := s.Outputs(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	if found.Run != "20260101T000000Z-0002" || found.Case != aResult(2).ID || run.OutputsHash(found.Samples) != hash {
		t.Errorf("found %+v", found)
	}
	for _, other := range []string{run.OutputsHash(aResult(3).Samples), "", "sha256:zz"} {
		if _, err := s.Outputs(t.Context(), other); !errors.Is(err, results.ErrNone) {
			t.Errorf("outputs %q: %v", other, err)
		}
	}
}

func TestRunsAndHistory(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	no := false
	for i, mode := range []string{"mock", "live", "live"} {
		r := aRun(fmt.Sprint("r-", i))
		r.Config.Mode = mode
		r.Started = r.Started.Add(time.Duration(i) * time.Hour)
		result := aResult(1)
		if i == 1 {
			result.Samples[0].Pass = &no
		}
		keep(t, s, r, result, run.Result{ID: "other", Outcome: run.NotRun})
	}
	other := aRun("r-9")
	other.Config.Suite = "support"
	other.Started = other.Started.Add(-time.Hour)
	keep(t, s, other, aResult(1))
	under, err := s.Begin(t.Context(), &run.Run{ID: "r-3", Started: aRun("").Started.Add(9 * time.Hour), Config: aRun("").Config})
	if err != nil {
		t.Fatal(err)
	}
	if err := under.Put(t.Context(), aResult(1)); err != nil {
		t.Fatal(err)
	}
	if err := under.Close(); err != nil {
		t.Fatal(err)
	}

	ids := func(f results.Filter) (ids []string) {
		t.Helper()
		runs, err := s.Runs(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			ids = append(ids, r.ID)
		}
		return ids
	}
	for _, tt := range []struct {
		filter results.Filter
		want   []string
	}{
		{results.Filter{}, []string{"r-3", "r-2", "r-1", "r-0", "r-9"}},
		{results.Filter{Suite: "invoices", Finished: true}, []string{"r-2", "r-1", "r-0"}},
		{results.Filter{Mode: "live", System: "prod", Limit: 2}, []string{"r-3", "r-2"}},
		{results.Filter{Suite: "unheard of"}, nil},
	} {
		if diff := cmp.Diff(tt.want, ids(tt.filter)); diff != "" {
			t.Errorf("%+v: %s", tt.filter, diff)
		}
	}
	for mode, want := range map[string]string{"": "r-2", "live": "r-2", "mock": "r-0"} {
		if r, err := s.LastRun(t.Context(), results.Filter{Suite: "invoices", Mode: mode}); err != nil || r.ID != want {
			t.Errorf("the last run in mode %q is %v, %v", mode, r, err)
		}
	}
	if _, err := s.LastRun(t.Context(), results.Filter{Suite: "invoices", Mode: "replay"}); !errors.Is(err, results.ErrNone) {
		t.Errorf("a run that is not there: %v", err)
	}
	if _, err := s.Run(t.Context(), "r-8"); !errors.Is(err, results.ErrNone) || !strings.Contains(err.Error(), `the run "r-8" is not in the results store`) {
		t.Errorf("a run that is not there: %v", err)
	}
	// The run that was broken off has what it had, and is not finished.
	broken, err := s.Run(t.Context(), "r-3")
	if err != nil || !broken.Finished.IsZero() || broken.Whole || len(broken.Results) != 1 {
		t.Errorf("the broken run is %+v, %v", broken, err)
	}

	history, err := s.History(t.Context(), "invoices", aResult(1).ID)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, e := range history {
		told = append(told, fmt.Sprint(e.Run, " ", e.Mode, " ", e.Outcome, " ", *e.Pass, " ", *e.Score, " ", e.Config.Model, " ", e.Finished))
	}
	want := []string{"r-3 live measured true 0.5 m-1 false", "r-2 live measured true 0.5 m-1 true", "r-1 live measured false 0.5 m-1 true", "r-0 mock measured true 0.5 m-1 true"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if none, err := s.History(t.Context(), "invoices", "other"); err != nil || len(none) != 0 {
		t.Errorf("a case that was never reached has a history: %v, %v", none, err)
	}
}

// TestResultsAreOnDiskSoon looks from a second store while a run goes on.
func TestResultsAreOnDiskSoon(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	s, other := openStore(t, path), openStore(t, path)
	w, err := s.Begin(t.Context(), aRun("r-1"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Put(t.Context(), aResult(1)); err != nil {
		t.Fatal(err)
	}
	for {
		r, err := other.Run(t.Context(), "r-1")
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) == 1 {
			return
		}
		time.Sleep(20 * time.Millisecond) // go test's own time limit bounds this
	}
}

func TestWriterRefuses(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	if _, err := s.Begin(t.Context(), &run.Run{}); err == nil {
		t.Error("a run without an id is kept")
	}
	keep(t, s, aRun("r-1"))
	if _, err := s.Begin(t.Context(), aRun("r-1")); !errors.Is(err, results.ErrTaken) {
		t.Errorf("a second run of one id: %v", err)
	}
	w, err := s.Begin(t.Context(), aRun("r-2"))
	if err != nil {
		t.Fatal(err)
	}
	w.Put(t.Context(), aResult(1))
	w.Put(t.Context(), aResult(1))
	if err := w.Finish(t.Context(), aRun("r-2")); err == nil {
		t.Error("two results of one case are kept")
	}
	if err := w.Put(t.Context(), aResult(2)); err == nil {
		t.Error("a finished run takes a result")
	}
}

// TestWhatASystemMayAnswer keeps outputs that have no JSON form.
func TestWhatASystemMayAnswer(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "results.db"))
	r := aResult(1)
	nan := math.NaN()
	r.Samples[0].Output.CostUSD = &nan
	r.Samples[0].Output.Raw = []byte("{broken")
	r.Samples[0].Output.ToolCalls[0].Arguments = []byte("nonsense")
	r.Samples[0].Output.Text = "\x00\x1b[2J\xff\u2028"
	keep(t, s, aRun("r-1"), r)
	samples, err := s.Samples(t.Context(), "r-1", r.ID)
	if err != nil {
		t.Fatal(err)
	}
	o := samples[0].Output
	if o.CostUSD != nil || string(o.Raw) != `"{broken"` || string(o.ToolCalls[0].Arguments) != `"nonsense"` || o.Text != "\x00\x1b[2J\ufffd\u2028" {
		t.Errorf("the output is %+v", o)
	}
	if string(r.Samples[0].Output.ToolCalls[0].Arguments) != "nonsense" {
		t.Error("keeping changed the output")
	}
}

func TestAnyTextComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	s := openStore(t, path)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		r := aResult(1)
		r.ID = rapid.StringN(1, 40, 256).Draw(rt, "id")
		r.Samples[0].Output.Text = rapid.String().Draw(rt, "text")
		r.Samples[0].Checks[1].Message = rapid.String().Draw(rt, "message")
		keep(t, s, aRun(fmt.Sprint("r-", n)), r)
		got, err := whole(t.Context(), s, fmt.Sprint("r-", n))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff([]run.Result{r}, got.Results); diff != "" {
			rt.Fatal(diff)
		}
	})
}
