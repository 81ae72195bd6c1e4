package tuitest

import (
	"slices"
	"testing"
	"time"
)

// Report gives a benchmark the percentiles of what single keys took, in
// microseconds a unit.
func Report(b *testing.B, took []time.Duration, unit string) {
	b.Helper()
	slices.Sort(took)
	micros := func(p int) float64 { return float64(took[min(len(took)*p/100, len(took)-1)].Nanoseconds()) / 1000 }
	b.ReportMetric(micros(50), "p50-us/"+unit)
	b.ReportMetric(micros(99), "p99-us/"+unit)
	b.ReportMetric(micros(100), "max-us/"+unit)
}
