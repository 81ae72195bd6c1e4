package diff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/projection"
	"docket/engine/run"
)

// masters writes two baselines of n lines of about 410 bytes, of which one in
// every `every` lines differs in its label, and returns their paths.
func masters(b *testing.B, n, every int) (old, new string) {
	b.Helper()
	dir := b.TempDir()
	old, new = filepath.Join(dir, "old.jsonl"), filepath.Join(dir, "new.jsonl")
	header := baseline.AppendHeader(nil, &baseline.Header{Format: 1, Suite: "s", Mode: "live"})
	write := func(path string, label func(i int) string) {
		data := append([]byte{}, header...)
		data = append(data, '\n')
		for i := range n {
			l := line(fmt.Sprintf("case-%06d", i), func(l *baseline.Line) {
				l.Projections["label"] = label(i)
				l.Projections["length"] = "short"
				l.Projections["entities"] = []any{"4417", "EUR"}
			})
			data = append(baseline.AppendLine(data, l), '\n')
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	write(old, func(int) string { return "overdue" })
	write(new, func(i int) string {
		if i%every == 0 {
			return "paid"
		}
		return "overdue"
	})
	return old, new
}

// readBoth is the floor: the bytes of both files, and nothing else.
func readBoth(b *testing.B, old, new string) time.Duration {
	b.Helper()
	started := time.Now()
	for _, path := range []string{old, new} {
		if _, err := os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(started)
}

func parse(b *testing.B, path string) *baseline.File {
	b.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	f, err := baseline.Parse(path, data)
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkCompareMasters compares two baselines of 100,000 lines, files to
// summary. With 1% changed it is measured against reading both files, with
// every line changed against parsing every line of both.
func BenchmarkCompareMasters(b *testing.B) {
	const n = 100_000
	for _, c := range []struct {
		name  string
		every int
	}{{"1percent", 100}, {"all", 1}} {
		b.Run(c.name, func(b *testing.B) {
			old, new := masters(b, n, c.every)
			var floor, total time.Duration
			for b.Loop() {
				b.StopTimer()
				if c.every == 1 {
					floor += parseAll(b, old, new)
				} else {
					floor += readBoth(b, old, new)
				}
				b.StartTimer()
				started := time.Now()
				before, after := parse(b, old), parse(b, new)
				r := &run.Run{Whole: true, Config: after.Header, Results: make([]run.Result, len(after.Lines))}
				for i, l := range after.Lines {
					r.Results[i] = run.Result{ID: l.ID, Outcome: run.Measured, Line: l.Bytes}
				}
				d, err := diff.Compare(before, r, diff.Options{Comparer: projection.Default(), Today: today})
				if err != nil {
					b.Fatal(err)
				}
				total += time.Since(started)
				if got := d.Summary.Statuses[diff.Changed]; got != n/c.every {
					b.Fatalf("%d changed, want %d", got, n/c.every)
				}
			}
			b.ReportMetric(total.Seconds()/floor.Seconds(), "x-floor")
		})
	}
}

// parseAll reads both files and parses each of their lines.
func parseAll(b *testing.B, old, new string) time.Duration {
	b.Helper()
	started := time.Now()
	for _, path := range []string{old, new} {
		f := parse(b, path)
		for _, l := range f.Lines {
			if _, err := baseline.ParseLine(l.Bytes); err != nil {
				b.Fatal(err)
			}
		}
	}
	return time.Since(started)
}
