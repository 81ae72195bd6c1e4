package run_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"docket/engine/output"
	"docket/engine/run"
	"docket/engine/system"
)

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
