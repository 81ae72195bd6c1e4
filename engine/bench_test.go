package engine_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/report"
)

// bigSuite is a suite of n cases with four checks each, all projections, and a
// canned answer of about 430 bytes, one YAML file a case, and a file of outputs
// in which one case in `every` answers otherwise; 0 is none.
func bigSuite(n, every int) (cases []testCase, outputs []byte) {
	filler := strings.Repeat("The customer was told about the refund window and the agent wrote down what was agreed. ", 4)
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
		if every > 0 && i%every == 0 {
			answer = strings.Replace(answer, "overdue", "paid", 1)
		}
		outputs = fmt.Appendf(outputs, `{"id":%q,"text":%q,"tool_calls":[]}`+"\n", id, answer)
	}
	return cases, outputs
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

// diffCases is how many cases BenchmarkDiffSuite has. 100,000 take minutes to
// write, one file each.
var diffCases = flag.Int("cases", 20_000, "cases of BenchmarkDiffSuite")

// BenchmarkDiffSuite is docket diff where the run is stored: open the suite,
// read the run from the store and the baseline from disk, compare, report. It
// tells what each step took.
func BenchmarkDiffSuite(b *testing.B) {
	n := *diffCases
	cases, old := bigSuite(n, 0)
	_, few := bigSuite(n, 100)
	_, all := bigSuite(n, 1)
	w := newWorkspace(b, cases, bigSettings, map[string][]byte{"old": old, "few": few, "all": all})
	w.calibrate("old")
	for _, c := range []struct {
		system  string
		changed int
	}{{"few", n / 100}, {"all", n}} {
		b.Run(fmt.Sprintf("changed=%d", c.changed), func(b *testing.B) {
			if _, err := w.open(c.system).Run(b.Context(), engine.RunOptions{}); err != nil {
				b.Fatal(err)
			}
			var took [4]time.Duration
			for b.Loop() {
				at := time.Now()
				lap := func(i int) {
					took[i] += time.Since(at)
					at = time.Now()
				}
				s := w.open(c.system)
				lap(0)
				r, made, err := s.Latest(b.Context(), nil)
				if err != nil || made {
					b.Fatalf("a run was made: %v, %v", made, err)
				}
				lap(1)
				compared := w.against(s, r)
				lap(2)
				if got := len(compared.Cases); got != c.changed {
					b.Fatalf("%d cases changed, want %d", got, c.changed)
				}
				var out bytes.Buffer
				if err := report.Formats()[0].Write(&out, &report.Report{Diff: compared.Diff}); err != nil {
					b.Fatal(err)
				}
				lap(3)
			}
			for i, what := range []string{"open", "load", "compare", "report"} {
				b.ReportMetric(float64(took[i].Milliseconds())/float64(b.N), what+"-ms")
			}
		})
	}
}

// BenchmarkFiles compares two files of 20,000 outputs with no suite.
func BenchmarkFiles(b *testing.B) {
	const n = 20_000
	_, old := bigSuite(n, 0)
	_, few := bigSuite(n, 100)
	w := newWorkspace(b, nil, "", map[string][]byte{"old": old, "few": few})
	path := func(name string) string { return filepath.Join(w.dir, "outputs", name+".jsonl") }
	for b.Loop() {
		if _, err := engine.Files(b.Context(), path("old"), path("few")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(2*n), "µs/output")
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
