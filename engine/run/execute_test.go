package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/engine/baseline"
	"docket/engine/output"
	"docket/engine/run"
	"docket/engine/suite"
	"docket/engine/system"
)

// answering is a system that is one function.
type answering func(ctx context.Context, r system.Request) (output.Output, error)

func (a answering) Answer(ctx context.Context, r system.Request) (output.Output, error) {
	return a(ctx, r)
}

// stored is a system that already has its samples.
type stored struct {
	answering
	samples map[string][]int
}

func (s stored) Samples(id string) []int { return s.samples[id] }

func echo(_ context.Context, r system.Request) (output.Output, error) {
	return output.Output{Text: fmt.Sprint(r.ID, " ", r.Sample), Model: "m-" + r.ID[:1]}, nil
}

// sink keeps what it is given, as text.
type sink struct {
	got  []string
	fail int // the put that fails, from 1; 0 for none
}

func (s *sink) Put(ctx context.Context, r run.Result) error {
	if s.fail == len(s.got)+1 {
		return errors.New("the disk is full")
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.got = append(s.got, tell(r))
	return nil
}

// tell writes a result in one line.
func tell(r run.Result) string {
	text := fmt.Sprintf("%s v%d %s", r.ID, r.Version, r.Outcome)
	if r.Error != "" {
		text += " (" + r.Error + ")"
	}
	for _, s := range r.Samples {
		text += fmt.Sprintf(" %d:%s", s.Number, s.Output.Text+s.Error)
		if s.Pass != nil {
			text += "✓"
		}
	}
	return text + " " + string(r.Line)
}

func results(r *run.Run) []string {
	var all []string
	for _, result := range r.Results {
		all = append(all, tell(result))
	}
	return all
}

// join measures a case by putting its texts in a row.
func join(_ context.Context, p run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
	line := p.Case.ID + "="
	pass := true
	for i := range samples {
		line += samples[i].Output.Text + ";"
		samples[i].Pass = &pass
	}
	return []byte(line), samples, nil
}

func cases(ids ...string) []run.Planned {
	var all []run.Planned
	for _, id := range ids {
		all = append(all, run.Planned{Case: &suite.Case{ID: id, Version: 1}})
	}
	return all
}

func TestResultsInTheOrderOfIDs(t *testing.T) {
	s := &sink{}
	progress := []int{}
	plan := run.Plan{
		Cases: cases("b", "a", "c"), System: answering(echo), Samples: 2, Measure: join, Sink: s,
		Config:   baseline.Header{Suite: "invoices", Mode: "live"},
		Progress: func(done, total int) { progress = append(progress, done, total) },
	}
	r, err := run.Execute(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a v1 measured 1:a 1✓ 2:a 2✓ a=a 1;a 2;",
		"b v1 measured 1:b 1✓ 2:b 2✓ b=b 1;b 2;",
		"c v1 measured 1:c 1✓ 2:c 2✓ c=c 1;c 2;",
	}
	if diff := cmp.Diff(want, s.got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{1, 3, 2, 3, 3, 3}, progress); diff != "" {
		t.Error(diff)
	}
	// The samples are the sink's now.
	if got := results(r)[0]; got != "a v1 measured a=a 1;a 2;" {
		t.Errorf("the run holds %q", got)
	}
	if !r.Whole || r.Interrupted || r.Config.Suite != "invoices" || r.Config.Samples != 2 || r.Finished.Before(r.Started) {
		t.Errorf("the run is %+v", r)
	}
	if diff := cmp.Diff([]string{"m-a", "m-b", "m-c"}, r.Config.Answered); diff != "" {
		t.Error(diff)
	}
	if !regexp.MustCompile(`^\d{8}T\d{6}Z-[0-9a-f]{4}$`).MatchString(r.ID) {
		t.Errorf("the run's id is %s", r.ID)
	}
	if plan.Cases[0].Case.ID != "b" {
		t.Error("the plan's own cases were sorted")
	}
}

func TestIDs(t *testing.T) {
	at := time.Date(2026, 8, 11, 12, 22, 3, 0, time.FixedZone("", 2*60*60))
	if id := run.NewID(at); !strings.HasPrefix(id, "20260811T102203Z-") || len(id) != 21 {
		t.Errorf("the id is %s", id)
	}
}

// TestJobsChangeNothing runs a system that fails, panics and takes its time at
// random, with one job and with many.
func TestJobsChangeNothing(t *testing.T) {
	var planned []run.Planned
	for i := range 300 {
		planned = append(planned, run.Planned{Case: &suite.Case{ID: fmt.Sprintf("case-%03d", (i*7)%300), Version: i % 3}, Skip: i%11 == 0})
	}
	answer := func(_ context.Context, r system.Request) (output.Output, error) {
		time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
		switch number := int(r.ID[5]+r.ID[6]+r.ID[7]) + r.Sample; {
		case number%9 == 0:
			return output.Output{}, fmt.Errorf("HTTP 529 for sample %d", r.Sample)
		case number%10 == 0:
			panic("no such luck")
		}
		return echo(context.Background(), r)
	}
	var first []string
	var line []string
	for _, jobs := range []int{0, 1, 8, 64} {
		s := &sink{}
		r, err := run.Execute(t.Context(), run.Plan{Cases: planned, System: answering(answer), Samples: 3, Jobs: jobs, Measure: join, Sink: s})
		if err != nil {
			t.Fatal(err)
		}
		if r.Whole || r.Interrupted {
			t.Errorf("whole %v, interrupted %v: cases were filtered out", r.Whole, r.Interrupted)
		}
		if first == nil {
			first, line = s.got, results(r)
			continue
		}
		if diff := cmp.Diff(first, s.got); diff != "" {
			t.Errorf("%d jobs: %s", jobs, diff)
		}
		if diff := cmp.Diff(line, results(r)); diff != "" {
			t.Errorf("%d jobs: %s", jobs, diff)
		}
	}
}

// TestWhatFails costs its case and no other.
func TestWhatFails(t *testing.T) {
	s := &sink{}
	answer := func(ctx context.Context, r system.Request) (output.Output, error) {
		switch r.ID {
		case "panic":
			panic("a wire came loose")
		case "mistake":
			var none []int
			_ = none[r.Sample]
		case "missed":
			return output.Output{}, fmt.Errorf("%w of this request", system.ErrMissed)
		case "wordless":
			return output.Output{}, errors.New("")
		}
		if r.Sample == 2 || r.ID == "error" {
			return output.Output{}, fmt.Errorf("down at %d", r.Sample)
		}
		return echo(ctx, r)
	}
	measure := func(ctx context.Context, p run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		switch p.Case.ID {
		case "unjudged":
			return nil, nil, errors.New("the program of check x crashed")
		case "upset":
			panic("a check fell over")
		}
		return join(ctx, p, samples)
	}
	planned := cases("error", "fine", "missed", "mistake", "panic", "unjudged", "upset", "wordless")
	r, err := run.Execute(t.Context(), run.Plan{Cases: planned, System: answering(answer), Samples: 3, Jobs: 2, Measure: measure, Sink: s})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"error v1 error (down at 1) 1:down at 1 2:down at 2 3:down at 3 ",
		"fine v1 measured 1:fine 1✓ 2:down at 2 3:fine 3✓ fine=fine 1;fine 3;",
		"missed v1 missed (no recording of this request) 1:no recording of this request 2:no recording of this request 3:no recording of this request ",
		"mistake v1 error (the system broke down: a mistake in the code of the system) ",
		"panic v1 error (the system broke down: a wire came loose) ",
		"unjudged v1 error (the program of check x crashed) 1:unjudged 1 2:down at 2 3:unjudged 3 ",
		"upset v1 error (the output could not be judged: a check fell over) 1:upset 1 2:down at 2 3:upset 3 ",
		"wordless v1 error (the system failed and did not say why) ",
	}
	for i, got := range s.got {
		if !strings.HasPrefix(got, want[i]) {
			t.Errorf("result %d is\n\t%s\nwant\n\t%s", i, got, want[i])
		}
	}
	if !r.Whole {
		t.Error("a run with failures reached every case all the same")
	}
}

// TestStoredSamples runs a system that has its samples: all there are, or fewer.
func TestStoredSamples(t *testing.T) {
	s := stored{samples: map[string][]int{"a": {1, 2, 5}, "b": {3}}, answering: func(ctx context.Context, r system.Request) (output.Output, error) {
		if r.ID == "none" {
			return output.Output{}, errors.New("there is no line for this case")
		}
		return echo(ctx, r)
	}}
	for samples, want := range map[int][]string{
		0: {"a v1 measured a=a 1;a 2;a 5;", "b v1 measured b=b 3;", "none v1 error (there is no line for this case) "},
		2: {"a v1 measured a=a 1;a 2;", "b v1 measured b=b 3;", "none v1 error (there is no line for this case) "},
	} {
		r, err := run.Execute(t.Context(), run.Plan{Cases: cases("a", "b", "none"), System: s, Samples: samples, Measure: join})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, results(r)); diff != "" {
			t.Error(diff)
		}
		if most := max(samples, 2); samples == 0 && r.Config.Samples != 3 || samples == 2 && r.Config.Samples != most {
			t.Errorf("the header says %d samples", r.Config.Samples)
		}
	}
}

// TestInterrupt keeps what has finished, and does not wait for what hangs.
func TestInterrupt(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		never := make(chan struct{})
		t.Cleanup(func() { close(never) })
		s := &sink{}
		answer := func(ctx context.Context, r system.Request) (output.Output, error) {
			if r.ID >= "d" {
				cancel()
				if r.Sample == 1 {
					<-never // heeds no context
				}
				<-ctx.Done()
				return output.Output{}, ctx.Err()
			}
			return echo(ctx, r)
		}
		r, err := run.Execute(ctx, run.Plan{Cases: cases("a", "b", "c", "d", "e", "f"), System: answering(answer), Samples: 2, Jobs: jobs, Measure: join, Sink: s})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"a v1 measured a=a 1;a 2;", "b v1 measured b=b 1;b 2;", "c v1 measured c=c 1;c 2;",
			"d v1 not_run ", "e v1 not_run ", "f v1 not_run ",
		}
		got := results(r)
		if jobs > 1 {
			// Another job may have been too late with one of the first.
			got = append(want[:3:3], got[3:]...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d jobs: %s", jobs, diff)
		}
		if r.Whole || !r.Interrupted || len(s.got) != 6 {
			t.Errorf("whole %v, interrupted %v, %d results kept", r.Whole, r.Interrupted, len(s.got))
		}
	}
}

func TestInterruptedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := run.Execute(ctx, run.Plan{Cases: cases("a", "b"), System: answering(echo), Measure: join})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a v1 not_run ", "b v1 not_run "}, results(r)); diff != "" || !r.Interrupted {
		t.Error(diff)
	}
}

func TestSinkFails(t *testing.T) {
	s := &sink{fail: 2}
	r, err := run.Execute(t.Context(), run.Plan{Cases: cases("a", "b", "c"), System: answering(echo), Measure: join, Sink: s})
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || r == nil {
		t.Errorf("Execute gives %v, %v", r, err)
	}
	if len(s.got) != 1 {
		t.Errorf("%d results kept after the sink failed", len(s.got))
	}
}

func TestPlanThatCannotBeRun(t *testing.T) {
	if r, err := run.Execute(t.Context(), run.Plan{Cases: cases("a")}); err == nil || r != nil {
		t.Errorf("Execute gives %v, %v", r, err)
	}
	r, err := run.Execute(t.Context(), run.Plan{System: answering(echo), Measure: join})
	if err != nil || !r.Whole || len(r.Results) != 0 {
		t.Errorf("a run without cases gives %+v, %v", r, err)
	}
}

// TestMemoryStaysFlat has the first case wait for the last that may start.
func TestMemoryStaysFlat(t *testing.T) {
	var started atomic.Int64
	gate := make(chan struct{})
	var planned []run.Planned
	for i := range 5000 {
		planned = append(planned, run.Planned{Case: &suite.Case{ID: fmt.Sprintf("%04d", i)}})
	}
	var once atomic.Bool
	answer := func(ctx context.Context, r system.Request) (output.Output, error) {
		if r.ID == "0000" {
			<-gate
		} else if started.Add(1) == 900 && once.CompareAndSwap(false, true) {
			time.AfterFunc(50*time.Millisecond, func() { close(gate) })
		}
		return output.Output{Text: "x"}, nil
	}
	var seen int64
	measure := func(_ context.Context, p run.Planned, samples []run.Sample) ([]byte, []run.Sample, error) {
		if p.Case.ID == "0000" {
			seen = started.Load()
		}
		return nil, samples, nil
	}
	if _, err := run.Execute(t.Context(), run.Plan{Cases: planned, System: answering(answer), Jobs: 4, Measure: measure}); err != nil {
		t.Fatal(err)
	}
	if seen > 1100 {
		t.Errorf("%d cases were begun while the first was under way", seen)
	}
}

func TestOutputsHash(t *testing.T) {
	number := func(f float64) *float64 { return &f }
	base := func() []run.Sample {
		return []run.Sample{
			{Number: 1, Output: output.Output{Text: "ab", ToolCalls: []output.ToolCall{{Name: "f", Arguments: []byte(`{"b":1,"a":"<"}`)}}}},
			{Number: 2, Output: output.Output{Text: "c"}},
		}
	}
	want := run.OutputsHash(base())
	for name, change := range map[string]func(s []run.Sample) []run.Sample{
		"latency":  func(s []run.Sample) []run.Sample { s[0].Output.LatencyMS = number(3); return s },
		"raw":      func(s []run.Sample) []run.Sample { s[0].Output.Raw = []byte("{}"); return s },
		"verdicts": func(s []run.Sample) []run.Sample { s[0].Score = number(1); return s },
		"spelling": func(s []run.Sample) []run.Sample {
			s[0].Output.ToolCalls[0].Arguments = []byte(`{"a": "\u003c", "b":1.0}`)
			return s
		},
		"a failed sample": func(s []run.Sample) []run.Sample { return append(s, run.Sample{Number: 3, Error: "down"}) },
	} {
		if got := run.OutputsHash(change(base())); got != want {
			t.Errorf("%s changes the hash", name)
		}
	}
	for name, change := range map[string]func(s []run.Sample){
		"text":            func(s []run.Sample) { s[1].Output.Text = "d" },
		"where text ends": func(s []run.Sample) { s[0].Output.Text, s[1].Output.Text = "a", "bc" },
		"number":          func(s []run.Sample) { s[1].Number = 3 },
		"no calls":        func(s []run.Sample) { s[1].Output.ToolCalls = []output.ToolCall{} },
		"a call's name":   func(s []run.Sample) { s[0].Output.ToolCalls[0].Name = "g" },
		"an argument":     func(s []run.Sample) { s[0].Output.ToolCalls[0].Arguments = []byte(`{"b":2,"a":"<"}`) },
		"unparsable":      func(s []run.Sample) { s[1].Output.ToolCallsError = "x" },
	} {
		s := base()
		change(s)
		if run.OutputsHash(s) == want {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

// BenchmarkCalls makes 300 calls of 20 ms in 16 jobs, and reports how much
// longer that takes than calls and jobs alone would, and how many were in
// flight.
func BenchmarkCalls(b *testing.B) {
	const calls, jobs, each = 300, 16, 20 * time.Millisecond
	var ids []string
	for i := range calls {
		ids = append(ids, fmt.Sprintf("case-%03d", i))
	}
	ideal := each * calls / jobs
	var now, most atomic.Int64
	answer := func(ctx context.Context, r system.Request) (output.Output, error) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(each)
		now.Add(-1)
		return output.Output{Text: "x"}, nil
	}
	for b.Loop() {
		if _, err := run.Execute(b.Context(), run.Plan{Cases: cases(ids...), System: answering(answer), Jobs: jobs, Measure: join}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(ideal), "x-ideal")
	b.ReportMetric(float64(most.Load()), "in-flight")
}

// BenchmarkRunner runs 10,000 cases past a system that costs nothing.
func BenchmarkRunner(b *testing.B) {
	var ids []string
	for i := range 10_000 {
		ids = append(ids, fmt.Sprintf("case-%05d", i))
	}
	planned := cases(ids...)
	for _, jobs := range []int{1, 16} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			for b.Loop() {
				if _, err := run.Execute(b.Context(), run.Plan{Cases: planned, System: answering(echo), Jobs: jobs, Measure: join}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(ids)), "µs/case")
		})
	}
}
