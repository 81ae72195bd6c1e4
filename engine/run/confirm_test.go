package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/engine/output"
	"docket/engine/run"
	"docket/engine/suite"
	"docket/engine/system"
)

// differs wants two more samples of every case whose id says that it differs.
func differs(p run.Planned, _ []byte) int {
	if strings.Contains(p.Case.ID, "differs") {
		return 2
	}
	return 0
}

func TestConfirmAddsSamples(t *testing.T) {
	answer := func(ctx context.Context, r system.Request) (output.Output, error) {
		switch {
		case r.ID == "differs-one" && r.Sample == 2, r.ID == "differs-down" && r.Sample > 1, r.ID == "failed":
			return output.Output{}, fmt.Errorf("down at %d", r.Sample)
		}
		return echo(ctx, r)
	}
	s := &sink{}
	r, err := run.Execute(t.Context(), run.Plan{
		Cases: cases("differs", "differs-down", "differs-one", "failed", "same"), System: answering(answer), Measure: join, Sink: s, Confirm: differs,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"differs v1 measured 1:differs 1✓ 2:differs 2✓ 3:differs 3✓ differs=differs 1;differs 2;differs 3;",
		"differs-down v1 error (it differs, and of 2 further samples to confirm that none succeeded: down at 3) 1:differs-down 1✓ 2:down at 2 3:down at 3 ",
		"differs-one v1 measured 1:differs-one 1✓ 2:down at 2 3:differs-one 3✓ differs-one=differs-one 1;differs-one 3;",
		"failed v1 error (down at 1) 1:down at 1 ",
		"same v1 measured 1:same 1✓ same=same 1;",
	}
	if d := cmp.Diff(want, s.got); d != "" {
		t.Error(d)
	}
	if r.Config.Samples != 1 {
		t.Errorf("the header says %d samples of a run that takes one", r.Config.Samples)
	}
}

// TestConfirmFromStoredSamples takes what is left of the samples that a system
// has, and no more.
func TestConfirmFromStoredSamples(t *testing.T) {
	s := stored{samples: map[string][]int{"differs": {1, 2, 5, 6}, "differs-none": {1}, "differs-two": {3, 4}}, answering: echo}
	r, err := run.Execute(t.Context(), run.Plan{
		Cases: cases("differs", "differs-none", "differs-two"), System: s, Samples: 1, Measure: join, Confirm: differs,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"differs v1 measured differs=differs 1;differs 2;differs 5;",
		"differs-none v1 measured differs-none=differs-none 1;",
		"differs-two v1 measured differs-two=differs-two 3;differs-two 4;",
	}
	if d := cmp.Diff(want, results(r)); d != "" {
		t.Error(d)
	}
}

// TestConfirmIsTheSameWithJobs confirms a third of the cases of a system that
// fails at random places, with one job and with many.
func TestConfirmIsTheSameWithJobs(t *testing.T) {
	var planned []run.Planned
	for i := range 200 {
		id := fmt.Sprintf("case-%03d", i)
		if i%3 == 0 {
			id = fmt.Sprintf("differs-%03d", i)
		}
		planned = append(planned, run.Planned{Case: &suite.Case{ID: id, Version: 1}})
	}
	answer := func(_ context.Context, r system.Request) (output.Output, error) {
		time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
		if (len(r.ID)*7+int(r.ID[len(r.ID)-1])+r.Sample)%5 == 0 {
			return output.Output{}, errors.New("HTTP 529")
		}
		return echo(context.Background(), r)
	}
	var first []string
	for _, jobs := range []int{1, 4, 32} {
		s := &sink{}
		if _, err := run.Execute(t.Context(), run.Plan{Cases: planned, System: answering(answer), Jobs: jobs, Measure: join, Sink: s, Confirm: differs}); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s.sorted()
		}
		if d := cmp.Diff(first, s.sorted()); d != "" {
			t.Errorf("%d jobs: %s", jobs, d)
		}
	}
}

// TestInterruptWhileConfirming: a case of which a further sample is missing has
// not all its samples, and keeps its line.
func TestInterruptWhileConfirming(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	answer := func(ctx context.Context, r system.Request) (output.Output, error) {
		if r.ID == "b-differs" && r.Sample == 3 {
			cancel()
			<-ctx.Done()
			return output.Output{}, ctx.Err()
		}
		return echo(ctx, r)
	}
	s := &sink{}
	r, err := run.Execute(ctx, run.Plan{Cases: cases("a-differs", "b-differs", "c"), System: answering(answer), Measure: join, Sink: s, Confirm: differs})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a-differs v1 measured 1:a-differs 1✓ 2:a-differs 2✓ 3:a-differs 3✓ a-differs=a-differs 1;a-differs 2;a-differs 3;",
		"b-differs v1 not_run ",
		"c v1 not_run ",
	}
	if d := cmp.Diff(want, s.got); d != "" {
		t.Error(d)
	}
	if !r.Interrupted || r.Whole {
		t.Errorf("interrupted %v, whole %v", r.Interrupted, r.Whole)
	}
}

// TestSamplesBefore adds to samples that were taken earlier: the numbers go on,
// and all are measured together.
func TestSamplesBefore(t *testing.T) {
	before := []run.Sample{{Number: 1, Output: output.Output{Text: "old 1"}}, {Number: 4, Error: "down"}}
	planned := run.Planned{Case: &suite.Case{ID: "a", Version: 1}, Before: before}
	s := &sink{}
	if _, err := run.Execute(t.Context(), run.Plan{Cases: []run.Planned{planned}, System: answering(echo), Samples: 2, Jobs: 2, Measure: join, Sink: s}); err != nil {
		t.Fatal(err)
	}
	want := []string{"a v1 measured 1:old 1✓ 4:down 5:a 5✓ 6:a 6✓ a=old 1;a 5;a 6;"}
	if d := cmp.Diff(want, s.got); d != "" {
		t.Error(d)
	}
	if before[0].Pass != nil {
		t.Error("the samples given were changed")
	}
}
