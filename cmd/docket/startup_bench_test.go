package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStartup measures how much longer than a program that does nothing a
// command without a screen takes, in milliseconds. The goal is 30.
func BenchmarkStartup(b *testing.B) {
	bin := b.TempDir()
	source := filepath.Join(bin, "hello.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() { println(\"hello\") }\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	hello, docket := filepath.Join(bin, "hello"), filepath.Join(bin, "docket")
	for out, of := range map[string]string{hello: source, docket: "."} {
		if said, err := exec.Command("go", "build", "-o", out, of).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, said)
		}
	}
	dir := b.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(packageDir, "testdata", "suite"))); err != nil {
		b.Fatal(err)
	}
	for _, args := range [][]string{{"--version"}, {"lint"}, {"diff", "outputs/old.jsonl", "outputs/new.jsonl"}} {
		b.Run(args[0], func(b *testing.B) {
			var base, took []time.Duration
			for b.Loop() {
				base = append(base, timed(b, dir, hello))
				took = append(took, timed(b, dir, docket, args...))
			}
			slices.Sort(base)
			slices.Sort(took)
			over := took[len(took)/2] - base[len(base)/2]
			b.ReportMetric(float64(over.Microseconds())/1000, "ms-over-hello")
			b.ReportMetric(float64(base[len(base)/2].Microseconds())/1000, "ms-hello")
		})
	}
}

func timed(b *testing.B, dir, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return time.Since(begun)
}
