package engine_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/diff"
	"docket/engine/report"
	"docket/engine/results"
)

// scale is the largest size of BenchmarkScale. With 100,000 cases it takes two
// minutes, most of which go into writing a file for each case.
var scale = flag.Int("scale", 10_000, "the most cases of BenchmarkScale: 1000, 10000 or 100000")

// BenchmarkScale takes suites of growing size, with five samples a case, along
// the way of a change: a first baseline, a run in which every tenth case
// answers otherwise, the comparison, the page, the decisions and the write, the
// history of a case. It tells what each step takes of a case in microseconds,
// and how much more a case costs than at a tenth of the size: 1 is linear.
func BenchmarkScale(b *testing.B) {
	before := map[string]float64{}
	for n := 1_000; n <= *scale; n *= 10 {
		b.Run("cases="+strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				steps := alongAChange(b, n)
				var a, z float64
				for _, s := range steps {
					each := float64(s.took.Microseconds()) / float64(n)
					b.ReportMetric(each, "µs/case-"+s.name)
					a, z = a+before[s.name], z+each
					before[s.name] = each
				}
				if a > 0 {
					b.ReportMetric(z/a, "x-growth")
				}
				b.ReportMetric(peakMemory(), "MB-peak")
			}
		})
	}
}

type step struct {
	name string
	took time.Duration
}

func alongAChange(b *testing.B, n int) (steps []step) {
	b.StopTimer()
	cases, old := bigSuite(n, 0)
	_, new := bigSuite(n, 10)
	w := newWorkspace(b, cases, bigSettings, map[string][]byte{"old": sampled(old, 5), "new": sampled(new, 5)})
	b.StartTimer()

	at := time.Now()
	lap := func(name string) {
		steps = append(steps, step{name, time.Since(at)})
		at = time.Now()
	}
	w.calibrate("old")
	lap("calibrate")
	w.compare("new", engine.RunOptions{Samples: 5})
	lap("run")
	s := w.open("new")
	r, made, err := s.Latest(b.Context(), nil)
	if err != nil || made {
		b.Fatalf("a run was made: %v, %v", made, err)
	}
	c := w.against(s, r)
	lap("diff")
	page, err := s.Page(b.Context(), c.Diff, c.run, c.base)
	must(b, err)
	html := slices.IndexFunc(report.Formats(), func(f report.Format) bool { return f.Name == "html" })
	must(b, report.Formats()[html].Write(io.Discard, &report.Report{
		Diff: c.Diff, Now: time.Now(), Trend: page.Trend(),
		Beside: func(c *diff.Case) report.Beside { return page.Beside(b.Context(), c) },
	}))
	must(b, page.Close())
	lap("page")
	if outcome := w.decideAtOnce(c); outcome.Receipt.Replaced != n/10 {
		b.Fatalf("%d lines were replaced", outcome.Receipt.Replaced)
	}
	lap("write")
	all, err := s.Project.Timelines(b.Context(), results.Span{Suite: s.Name, Case: "case-000000"})
	if err != nil || len(all) != 1 {
		b.Fatalf("%d histories: %v", len(all), err)
	}
	lap("history")
	return steps
}

// sampled repeats each line of outputs.
func sampled(outputs []byte, samples int) []byte {
	all := make([]byte, 0, len(outputs)*samples)
	for line := range bytes.Lines(outputs) {
		all = append(all, bytes.Repeat(line, samples)...)
	}
	return all
}

// peakMemory is the most memory that the process ever had, in megabytes, as the
// kernel counts it; 0 where it does not.
func peakMemory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	if _, err := fmt.Sscan(peak, &kilobytes); err != nil {
		return 0
	}
	return kilobytes / 1024
}
