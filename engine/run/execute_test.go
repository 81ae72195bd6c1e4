package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
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

// sorted is what the sink was given, in the order of ids: with several jobs the
// results come as they are done.
func (s *sink) sorted() []string { return slices.Sorted(slices.Values(s.got)) }

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
			first, line = s.sorted(), results(r)
			continue
		}
		if diff := cmp.Diff(first, s.sorted()); diff != "" {
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
	for i, got := range s.sorted() {
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
