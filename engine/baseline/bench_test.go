package baseline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/engine/disk"
)

// The figures of the design are ratios within one run, so that they mean the
// same on every machine: each benchmark measures both sides, in turns.

const manyLines = 100_000

// many makes the lines of a large baseline, 411 bytes each; every hundredth is
// different in another edition.
func many(edition string) []Line {
	lines := make([]Line, manyLines)
	for i := range lines {
		label := "overdue"
		if i%100 == 0 {
			label = edition
		}
		lines[i] = Line{
			ID: fmt.Sprintf("invoice-%06d", i), Version: 1,
			Input: "sha256:" + strings.Repeat("a", 16), Expect: "sha256:" + strings.Repeat("b", 16),
			Pass: &Tally{5, 5}, Score: ptr(1.0),
			Checks: map[string]Check{"refund_window": {Tally{5, 5}, 1, 1}},
			Projections: map[string]any{
				"entities": []any{"4417", "EUR"}, "label": label, "length": "short",
				"numbers": map[string]any{"amount": json.Number("128.4")},
				"shape":   []any{"amount:number", "currency:string"}, "tools": []any{"lookup_invoice(invoice_id)"},
			},
			Samples: 5, Outputs: "sha256:" + strings.Repeat("c", 16),
		}
	}
	return lines
}

// manyText encodes lines below a header.
func manyText(lines []Line) []byte {
	data := append([]byte(header), '\n')
	for i := range lines {
		data = append(AppendLine(data, &lines[i]), '\n')
	}
	return data
}

func manyFile(b *testing.B, name, edition string) string {
	path := filepath.Join(b.TempDir(), name)
	if err := os.WriteFile(path, manyText(many(edition)), 0o644); err != nil {
		b.Fatal(err)
	}
	return path
}

// compare does what a comparison of two baselines must do at least: pair the
// lines by id and parse those that differ.
func compare(b *testing.B, before, after *File) (parsed int) {
	for i, j := 0, 0; i < len(before.Lines) && j < len(after.Lines); {
		switch c := strings.Compare(before.Lines[i].ID, after.Lines[j].ID); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			x, y := before.Lines[i].Bytes, after.Lines[j].Bytes
			if !bytes.Equal(x, y) && !bytes.Equal(Key(x), Key(y)) {
				if _, err := ParseLine(x); err != nil {
					b.Fatal(err)
				}
				if _, err := ParseLine(y); err != nil {
					b.Fatal(err)
				}
				parsed++
			}
			i, j = i+1, j+1
		}
	}
	return parsed
}

func BenchmarkCompareOnePercentChanged(b *testing.B) {
	x, y := manyFile(b, "x.jsonl", "paid"), manyFile(b, "y.jsonl", "disputed")
	var reading, comparing time.Duration
	for b.Loop() {
		start := time.Now()
		for _, path := range []string{x, y} {
			if _, err := disk.Read(disk.OS{}, path, MaxSize); err != nil {
				b.Fatal(err)
			}
		}
		reading += time.Since(start)
		start = time.Now()
		before, err := Read(disk.OS{}, x)
		if err != nil {
			b.Fatal(err)
		}
		after, err := Read(disk.OS{}, y)
		if err != nil {
			b.Fatal(err)
		}
		if n := compare(b, before, after); n != manyLines/100 {
			b.Fatalf("%d lines differ", n)
		}
		comparing += time.Since(start)
	}
	b.ReportMetric(float64(comparing)/float64(reading), "×reading") // the goal is under 4
	b.ReportMetric(float64(reading.Milliseconds())/float64(b.N), "ms-reading")
}

func BenchmarkWriteAndReadBack(b *testing.B) {
	lines := many("paid")
	dir := b.TempDir()
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		b.Fatal(err)
	}
	h := Header{Format: Format, Suite: "s", Mode: "mock"}
	if _, err := Create(disk.OS{}, root, &h, nil); err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(dir, "plain.jsonl")
	var plain, whole, touched time.Duration
	for b.Loop() {
		// Encode, write, fsync, rename.
		start := time.Now()
		if err := disk.Write(disk.OS{}, file, manyText(lines), 0o644); err != nil {
			b.Fatal(err)
		}
		plain += time.Since(start)

		// The same with everything that docket does for safety: every line is
		// new, so every line is parsed.
		if err := os.RemoveAll(filepath.Join(root, Folder)); err != nil {
			b.Fatal(err)
		}
		start = time.Now()
		encoded := make(map[string][]byte, len(lines))
		for i := range lines {
			encoded[lines[i].ID] = AppendLine(make([]byte, 0, 512), &lines[i])
		}
		if _, err := Create(disk.OS{}, root, &h, encoded); err != nil {
			b.Fatal(err)
		}
		whole += time.Since(start)

		// One in a hundred touched, the file read, checked, written, read back.
		edit := Edit{Replace: map[string][]byte{}}
		for i := 0; i < len(lines); i += 100 {
			changed := lines[i]
			changed.Version++
			edit.Replace[changed.ID] = AppendLine(nil, &changed)
		}
		start = time.Now()
		f, err := Open(disk.OS{}, root, "s", "mock")
		if err != nil {
			b.Fatal(err)
		}
		if r, err := f.Write(disk.OS{}, edit); err != nil || r.Replaced != manyLines/100 {
			b.Fatal(r, err)
		}
		touched += time.Since(start)
	}
	b.ReportMetric(float64(whole)/float64(plain), "×all-new")      // every line parsed
	b.ReportMetric(float64(touched)/float64(plain), "×one-in-100") // the goal is under 2.5
	b.ReportMetric(float64(plain.Milliseconds())/float64(b.N), "ms-plain")
}

func BenchmarkParseFile(b *testing.B) {
	data := manyText(many("paid"))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse("m.jsonl", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseLine(b *testing.B) {
	line := AppendLine(nil, &many("paid")[0])
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseLine(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendLine(b *testing.B) {
	line := many("paid")[0]
	buf := AppendLine(nil, &line)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendLine(buf[:0], &line)
	}
}

func BenchmarkKey(b *testing.B) {
	line := AppendLine(nil, &many("paid")[0])
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		Key(line)
	}
}
