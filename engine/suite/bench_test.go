package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"docket/engine/suite"
	"gopkg.in/yaml.v3"
)

func tenThousand(b *testing.B) (dir string, n int) {
	b.Helper()
	n = 10_000
	tree := map[string]string{suite.ConfigFile: small}
	for i := range n {
		tree[fmt.Sprintf("cases/s/%02d/case-%05d.yaml", i%100, i)] = fmt.Sprintf(`id: case-%05d
added: 2025-04-02
provenance: incident INC-%d — refund window dropped from summary, agent quoted 14 days
input:
  ticket_id: TICKET_%d
  body: The customer asks whether the refund window is 14 or 30 days, and when %d.00 EUR will be paid back.
  locale: en-GB
expect:
  must_contain_fact:
    - key: refund_window
      value: "30 days"
  must_not_contain_pii: true
  max_words: 60
  structure: three_sections
scoring: deterministic
weight: 3
version: 2
`, i, i, i, i)
	}
	return files(b, tree), n
}

// BenchmarkOpen10000 reads a suite of one file a case. What docket adds to the
// YAML reader is the difference to BenchmarkFloor10000.
func BenchmarkOpen10000(b *testing.B) {
	dir, n := tenThousand(b)
	c := load(b, dir)
	b.ReportAllocs()
	for b.Loop() {
		s, problems, err := c.Open("s")
		if err != nil || len(problems) > 0 || len(s.Cases) != n {
			b.Fatal(err, problems)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/case")
}

// BenchmarkFloor10000 only reads the same files and gives them to yaml.v3, on
// one processor.
func BenchmarkFloor10000(b *testing.B) {
	dir, n := tenThousand(b)
	b.ReportAllocs()
	for b.Loop() {
		names, err := filepath.Glob(filepath.Join(dir, "cases", "s", "*", "*.yaml"))
		if err != nil || len(names) != n {
			b.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			var node yaml.Node
			if err := yaml.Unmarshal(data, &node); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/case")
}
