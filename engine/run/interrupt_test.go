package run_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/engine/output"
	"docket/engine/run"
	"docket/engine/suite"
	"docket/engine/system"
)

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

// A watched sink tells when it has so many results.
type watched struct {
	want int
	have atomic.Int64
	full chan struct{}
}

func (w *watched) Put(context.Context, run.Result) error {
	if w.have.Add(1) == int64(w.want) {
		close(w.full)
	}
	return nil
}

// TestASlowCaseHoldsNothingBack has the first case wait until the sink has all
// the others: what is done is kept at once, and nothing piles up behind it.
func TestASlowCaseHoldsNothingBack(t *testing.T) {
	var planned []run.Planned
	for i := range 5000 {
		planned = append(planned, run.Planned{Case: &suite.Case{ID: fmt.Sprintf("%04d", i)}})
	}
	s := &watched{want: 4999, full: make(chan struct{})}
	answer := func(ctx context.Context, r system.Request) (output.Output, error) {
		if r.ID == "0000" {
			select {
			case <-s.full:
			case <-time.After(time.Minute):
				t.Errorf("while one case was under way the sink got %d of the others", s.have.Load())
			}
		}
		return output.Output{Text: r.ID}, nil
	}
	r, err := run.Execute(t.Context(), run.Plan{Cases: planned, System: answering(answer), Jobs: 4, Measure: join, Sink: s})
	if err != nil {
		t.Fatal(err)
	}
	if first := tell(r.Results[0]); first != "0000 v0 measured 0000=0000;" || !r.Whole {
		t.Errorf("the first result is %s", first)
	}
}
