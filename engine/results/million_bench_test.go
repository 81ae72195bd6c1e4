package results_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"docket/engine/comparison"
	"docket/engine/results"
)

// cases and past are how many results the store of BenchmarkMillion holds: runs
// of one suite, each over all its cases.
const cases, past = 1400, 715

// BenchmarkMillion asks a store of a million results what people ask: what
// became of a case, how two systems compare. It also writes one more run into
// it.
func BenchmarkMillion(b *testing.B) {
	path := filepath.Join(b.TempDir(), "results.db")
	s, err := results.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	fillMillion(b, path)

	b.Run("history of a case", func(b *testing.B) {
		for b.Loop() {
			if found, err := s.History(b.Context(), "invoices", "inv-00700"); err != nil || len(found) != past {
				b.Fatal(len(found), err)
			}
		}
	})
	b.Run("two systems compared", func(b *testing.B) {
		for b.Loop() {
			var sides []comparison.Side
			for _, id := range []string{"run-0001", "run-0002"} {
				r, err := s.Run(b.Context(), id)
				if err != nil {
					b.Fatal(err)
				}
				took, err := s.Took(b.Context(), id)
				if err != nil || len(took) != cases {
					b.Fatal(len(took), err)
				}
				sides = append(sides, comparison.Side{Name: id, Run: r, Took: took})
			}
			if _, err := comparison.Compare("invoices", sides, comparison.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("a run of 1,000 written", func(b *testing.B) {
		turn := 0
		for b.Loop() {
			turn++
			r := aRun(fmt.Sprint("new-", turn))
			w, err := s.Begin(b.Context(), r)
			if err != nil {
				b.Fatal(err)
			}
			for i := range 1000 {
				if err := w.Put(b.Context(), aResult(i)); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Finish(b.Context(), r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// fillMillion puts results and samples into a store by SQL alone, which takes
// seconds where runs would take minutes.
func fillMillion(b *testing.B, path string) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(OFF)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		fmt.Sprintf(`CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < %d) SELECT i FROM n`, max(cases, past)-1),
		fmt.Sprintf(`INSERT INTO runs (id, suite, system, mode, services, started, finished, whole, interrupted, recorded, evidence, config)
			SELECT printf('run-%%04d', i), 'invoices', printf('system-%%d', i %% 7), 'live', '',
				strftime('%%Y-%%m-%%dT%%H:%%M:%%S', '2024-01-01', i || ' days') || '.000000000Z', '2026-08-11T10:22:03.000000000Z', 1, 0, 0, '',
				CAST('{"_config":{"format":1,"suite":"invoices","mode":"live","model":"m-1","samples":1}}' AS BLOB) FROM n WHERE i < %d`, past),
		fmt.Sprintf(`INSERT INTO results (run, "case", version, outcome, pass, score, line)
			SELECT printf('run-%%04d', r.i), printf('inv-%%05d', c.i), 1, 'measured', (r.i + c.i) %% 9 > 0, 0.5,
				CAST(printf('{"id":"inv-%%05d","version":1,"input":"sha256:i","pass":true,"score":0.5,"checks":{},"projections":{"label":"overdue"},"unstable":{},"samples":1}', c.i) AS BLOB)
			FROM n AS r, n AS c WHERE r.i < %d AND c.i < %d`, past, cases),
		`INSERT INTO samples (run, "case", sample, output, latency_ms, input_tokens, output_tokens, cost_usd, pass, score)
			SELECT run, "case", 1, CAST('{"text":"overdue"}' AS BLOB), 800, 310, 44, 0.0012, pass, score FROM results`,
	} {
		if _, err := db.ExecContext(b.Context(), statement); err != nil {
			b.Fatal(err)
		}
	}
}
