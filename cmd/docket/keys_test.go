//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/tui/tuitest"
)

// BenchmarkKeyToBytes measures on the program itself, on a terminal of 240 by 60
// with two files that differ in every case, how long it takes from a key written
// to the terminal to the first byte of the frame that answers it. Bubble Tea
// writes at most 60 frames a second, so that up to 17 ms of it are a wait for
// the next one.
func BenchmarkKeyToBytes(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			docket, err := exec.LookPath("docket") // the test binary, under its name
			if err != nil {
				b.Fatal(err)
			}
			dir := b.TempDir()
			answers(b, filepath.Join(dir, "old.jsonl"), n, `{\"status\": \"open\"}`)
			answers(b, filepath.Join(dir, "new.jsonl"), n, `{\"status\": \"open\", \"note\": \"see above\"}`)
			start := time.Now()
			term := tuitest.Start(b, tuitest.Program{
				Path: docket, Args: []string{"review", "old.jsonl", "new.jsonl"}, Dir: dir,
				Env: []string{"XDG_STATE_HOME=" + filepath.Join(dir, "state")}, Width: 240, Height: 60,
			})
			for shown := fmt.Sprintf("%d of %d changed", n, n); !strings.Contains(term.Screen(), shown); time.Sleep(10 * time.Millisecond) {
				if time.Since(start) > 2*time.Minute {
					b.Fatalf("the screen does not open:\n%s", term.Screen())
				}
			}
			b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms-to-open")                                       // both files are read and measured first
			time.Sleep(time.Second)                                                                                       // a person looks first
			keys := []string{"j", "k", "n", "N", "\x04", "\x15", "G", "g", "j", "2", "1", "4", "1", "\t", "\t", "?", "?"} // each changes the frame
			var took []time.Duration
			for b.Loop() {
				for _, k := range keys {
					took = append(took, term.Time(k))
					time.Sleep(40 * time.Millisecond) // until the frame is written and the cursor rests
				}
			}
			tuitest.Report(b, took, "key")
			b.ReportMetric(float64(term.Time("v").Milliseconds()), "ms-to-regroup") // the one key beside the filter that goes over all rows
			term.Write("q")
			term.Ends()
		})
	}
}

// answers writes a file of n outputs.
func answers(b *testing.B, path string, n int, text string) {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(file)
	for i := range n {
		fmt.Fprintf(w, "{\"id\":\"case-%06d\",\"text\":\"%s\"}\n", i, text)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
}
