package tui_test

import (
	"fmt"
	"testing"
	"time"

	"docket/tui/tuitest"
)

// keysPerRun is how many keys one turn of a benchmark presses; percentiles are
// over all turns.
const keysPerRun = 200

// BenchmarkKey measures one key press, Update and View, over lists of two
// sizes. The goals are in the design: p99 under 4 ms, and a p50 that hardly
// depends on the number of rows.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := drive(b, many(n), 240, 60, colour)
			keys := []string{"j", "j", "ctrl+d", "k", "n", "J", "G", "g", "N", "tab", "j", "tab", "2", "1", " ", "d"}
			var took []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				for i := range keysPerRun {
					took = append(took, d.Time(keys[i%len(keys)]))
				}
			}
			tuitest.Report(b, took, "key")
		})
	}
}

// BenchmarkFilter measures each letter of a filter that is typed.
func BenchmarkFilter(b *testing.B) {
	d := drive(b, many(100_000), 240, 60, colour)
	var took []time.Duration
	for b.Loop() {
		d.Press("/")
		for _, k := range []string{"f", "r", "u", "i", "t", "-", "0", "9", "backspace", " ", "7"} {
			took = append(took, d.Time(k))
		}
		d.Press("esc")
	}
	tuitest.Report(b, took, "letter")
}

// BenchmarkFirstFrame measures from the start to the first frame.
func BenchmarkFirstFrame(b *testing.B) {
	f := many(100_000)
	for b.Loop() {
		d := drive(b, f, 240, 60, colour)
		if d.View() == "" {
			b.Fatal("nothing was drawn")
		}
	}
}
