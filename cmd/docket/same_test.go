package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSameRunSameBytes calibrates fresh copies of a suite, one case after
// another and many at once, and expects the same file but for dates. What the
// cases and outputs hold is drawn at random.
func TestSameRunSameBytes(t *testing.T) {
	// Each try runs three commands that write to disk; the flag gives more.
	if checks := flag.Lookup("rapid.checks"); checks != nil && checks.Value.String() == checks.DefValue {
		if err := flag.Set("rapid.checks", "20"); err != nil {
			t.Fatal(err)
		}
		defer flag.Set("rapid.checks", checks.DefValue)
	}
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Zäß漢][a-z0-9 _\-\[\]|:]{0,12}[a-z0-9]`), 1, 12, rapid.ID[string]).Draw(t, "ids")
		text := rapid.OneOf(
			rapid.SampledFrom([]string{`{"status": "paid", "items": [{"n": 1}, {"n": 2.50}]}`, "Status: paid", "paid or overdue", "", "Zahlung über 1.234,50 EUR erhalten"}),
			rapid.StringN(0, 40, 80),
		)
		files := map[string]string{".docket.yaml": `
version: 1
suites:
  desk: {cases: cases, system: out, labels: [paid, overdue], projections: {numbers: {n: {path: 'items[0].n', within: 0.1}}}}
systems:
  out: {kind: outputs, file: out.jsonl, model: acorn, params: {top_p: 1.0, temperature: 0.30}}
`}
		var outputs strings.Builder
		for i, id := range ids {
			files[fmt.Sprintf("cases/%d.yaml", i)] = fmt.Sprintf("id: %q\nadded: 2026-01-01\nprovenance: drawn\ninput: {order: A-%d}\nexpect:\n  max_words: 3\n  must_not_contain: [a, \"é\"]\n", id, i)
			for range rapid.IntRange(1, 3).Draw(t, "samples") {
				fmt.Fprintf(&outputs, "{\"id\": %s, \"text\": %s}\n", jsonString(id), jsonString(text.Draw(t, "text")))
			}
		}
		files["out.jsonl"] = outputs.String()
		var first string
		for round, jobs := range []string{"1", "8"} {
			got := calibrated(t, files, jobs, round == 0)
			if round == 0 {
				first = got
			} else if got != first {
				t.Fatalf("with --jobs %s the baseline is\n%s\ninstead of\n%s", jobs, got, first)
			}
		}
	})
}

func jsonString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// calibrated calibrates a suite made of files and returns its baseline without
// dates. It may also compare the same outputs with it.
func calibrated(t *rapid.T, files map[string]string, jobs string, compare bool) string {
	dir, err := os.MkdirTemp("", "docket-same-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := invoke(nil, "calibrate", "--config", filepath.Join(dir, ".docket.yaml"), "--jobs", jobs)
	if s.code != codeOK {
		t.Fatalf("calibrate: exit code %d\n%s%s", s.code, s.out, s.err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "baselines/desk/live.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if compare {
		again := invoke(nil, "diff", "--config", filepath.Join(dir, ".docket.yaml"))
		if again.code != codeOK {
			t.Fatalf("the same outputs have something to decide: exit code %d\n%s%s", again.code, again.out, again.err)
		}
	}
	return withoutDates(string(data))
}

// withoutDates cuts the day of capture and of expiry out of a header.
func withoutDates(baseline string) string {
	for _, key := range []string{`"captured":"`, `"expires":"`} {
		if at := strings.Index(baseline, key); at >= 0 {
			end := at + len(key) + strings.IndexByte(baseline[at+len(key):], '"')
			baseline = baseline[:at] + baseline[end:]
		}
	}
	return baseline
}
