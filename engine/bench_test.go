package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/report"
)

// bigSuite is a suite of n cases with four checks each, all projections, and a
// canned answer of about 430 bytes, one YAML file a case. One case in every
// `every` answers otherwise in the outputs of the system "candidate".
func bigSuite(n, every int) (cases []testCase, outputs map[string][]byte) {
	filler := strings.Repeat("The customer was told about the refund window and the agent wrote down what was agreed. ", 4)
	rows := make([]row, 0, n)
	for i := range n {
		id := fmt.Sprintf("case-%06d", i)
		answer := fmt.Sprintf("Invoice %d over 128.40 EUR is overdue. %sReply within 30 days.", 4000+i, filler)
		cases = append(cases, testCase{
			ID:    id,
			Input: map[string]any{"ticket": fmt.Sprintf("What about invoice %d over 128.40 EUR of 2026-08-11?", 4000+i), "locale": "en-GB"},
			Expect: map[string]any{
				"must_contain_fact": []any{map[string]any{"key": "window", "value": "30 days"}},
				"must_not_contain":  []any{"14 days"},
				"must_match":        []any{`invoice|Invoice \d+`},
				"max_words":         90,
			},
			Mock: answer,
		})
		if i%every == 0 {
			answer = strings.Replace(answer, "overdue", "paid", 1)
		}
		rows = append(rows, row{ID: id, Sample: 1, Text: answer, Calls: []any{}})
	}
	var b bytes.Buffer
	for _, r := range rows {
		fmt.Fprintf(&b, `{"id":%q,"sample":%d,"text":%q,"tool_calls":[]}`+"\n", r.ID, r.Sample, r.Text)
	}
	return cases, map[string][]byte{"candidate": b.Bytes()}
}

const bigSettings = "labels: [overdue, paid, disputed]"

// BenchmarkRunSuite runs suites from their files to the stored results, and
// tells the marginal cost of a case: what a case of 10,000 costs beyond the
// fixed cost, from the difference to 1,000.
func BenchmarkRunSuite(b *testing.B) {
	elapsed := map[int]time.Duration{}
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("cases=%d", n), func(b *testing.B) {
			cases, _ := bigSuite(n, 100)
			w := newWorkspace(b, cases, bigSettings, nil)
			var open time.Duration
			for b.Loop() {
				started := time.Now()
				s := w.open("canned")
				open += time.Since(started)
				made, err := s.Run(b.Context(), engine.RunOptions{})
				if err != nil || len(made.Run.Results) != n {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(open.Microseconds())/float64(n*b.N), "µs/case-open")
			elapsed[n] = b.Elapsed() / time.Duration(b.N)
			if n > 1_000 {
				b.ReportMetric(float64((elapsed[n]-elapsed[1_000]).Microseconds())/float64(n-1_000), "µs/case-more")
			}
			b.ReportMetric(float64(elapsed[n].Microseconds())/float64(n), "µs/case")
		})
	}
}

// BenchmarkDiffSuite is docket diff where the run is stored: open the suite,
// read the run from the store and the baseline from disk, compare, report.
func BenchmarkDiffSuite(b *testing.B) {
	for _, c := range []struct{ n, every int }{{10_000, 100}, {100_000, 100}, {100_000, 1}} {
		b.Run(fmt.Sprintf("cases=%d/changed=%d", c.n, c.n/c.every), func(b *testing.B) {
			cases, outputs := bigSuite(c.n, c.every)
			w := newWorkspace(b, cases, bigSettings, outputs)
			w.write("outputs/canned.jsonl", nil)
			if _, err := w.open("canned").Calibrate(b.Context(), engine.RunOptions{Samples: 1}); err != nil {
				b.Fatal(err)
			}
			w.write(".docket.yaml", fmt.Appendf(nil, "version: 1\nsuites:\n  s:\n    cases: cases\n    expires: never\n    system: candidate\n%ssystems:\n  candidate: {kind: outputs, file: outputs/candidate.jsonl, mode: mock}\n", indented(bigSettings)))
			if _, err := w.open("candidate").Run(b.Context(), engine.RunOptions{}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				var took [4]time.Duration
				at := time.Now()
				lap := func(i int) { took[i] = time.Since(at); at = time.Now() }
				s := w.open("candidate")
				lap(0)
				r, made, err := s.Latest(b.Context(), nil)
				if err != nil || made {
					b.Fatalf("made %v, %v", made, err)
				}
				lap(1)
				compared := w.against(s, r)
				lap(2)
				if got := len(compared.Cases); got != c.n/c.every {
					b.Fatalf("%d cases changed, want %d", got, c.n/c.every)
				}
				var out bytes.Buffer
				if err := report.Formats()[0].Write(&out, &report.Report{Diff: compared.Diff}); err != nil {
					b.Fatal(err)
				}
				lap(3)
				for i, what := range []string{"open", "load", "compare", "report"} {
					b.ReportMetric(float64(took[i].Milliseconds()), what+"-ms")
				}
			}
		})
	}
}

// BenchmarkMemory tells the peak memory of a process that runs 1,000 and
// 10,000 cases, as the kernel counts it, and their ratio.
func BenchmarkMemory(b *testing.B) {
	if _, err := os.ReadFile("/proc/self/status"); err != nil {
		b.Skip("the kernel does not tell the peak memory of a process here")
	}
	peaks := map[int]float64{}
	for _, n := range []int{1_000, 10_000} {
		cases, _ := bigSuite(n, 100)
		w := newWorkspace(b, cases, bigSettings, nil)
		child := exec.Command(os.Args[0], "-test.run=^TestMemoryChild$", "-test.v")
		child.Env = append(os.Environ(), childDir+"="+w.dir)
		out, err := child.CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		_, peak, _ := strings.Cut(string(out), "VmHWM:")
		kilobytes, err := strconv.Atoi(strings.Fields(peak)[0])
		if err != nil {
			b.Fatal(err)
		}
		peaks[n] = float64(kilobytes) / 1024
	}
	for b.Loop() {
	}
	b.ReportMetric(peaks[1_000], "MB-1000")
	b.ReportMetric(peaks[10_000], "MB-10000")
	b.ReportMetric(peaks[10_000]/peaks[1_000], "x")
}

const childDir = "DOCKET_MEMORY_CHILD"

// TestMemoryChild is the process that BenchmarkMemory measures; on its own it
// does nothing.
func TestMemoryChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		return
	}
	s := (&workspace{t: t, dir: dir}).open("canned")
	if _, err := s.Run(context.Background(), engine.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", status)
}
