package results_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"docket/engine/results"
	"docket/engine/run"
)

func BenchmarkKeep(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("results=%d", n), func(b *testing.B) {
			var made []run.Result
			for i := range n {
				made = append(made, aResult(i))
			}
			turn := 0
			for b.Loop() {
				b.StopTimer()
				turn++
				path := filepath.Join(b.TempDir(), fmt.Sprint(turn, ".db"))
				b.StartTimer()
				s, err := results.Open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				w, err := s.Begin(b.Context(), aRun("r-1"))
				if err != nil {
					b.Fatal(err)
				}
				for _, r := range made {
					if err := w.Put(b.Context(), r); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Finish(b.Context(), aRun("r-1")); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				s.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/result")
		})
	}
}

func BenchmarkLastRun(b *testing.B) {
	path := filepath.Join(b.TempDir(), "results.db")
	if err := fillStore(path, "r-1", 10_000); err != nil {
		b.Fatal(err)
	}
	s, err := results.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if r, err := s.LastRun(b.Context(), results.Filter{Suite: "invoices"}); err != nil || len(r.Results) != 10_000 {
			b.Fatal(err)
		}
	}
}
