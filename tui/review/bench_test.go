package review_test

import (
	"fmt"
	"testing"
	"time"

	"docket/engine"
	"docket/engine/diff"
	"docket/tui"
	"docket/tui/review"
	"docket/tui/tuitest"
)

// crowd is a library of n questions of which every one changed, in a hundred
// ways.
func crowd(b *testing.B, n int) (*library, *diff.Diff) {
	b.Helper()
	l := newLibrary()
	clear(l.base)
	clear(l.next)
	clear(l.failed)
	clear(l.past)
	for i := range n {
		id := fmt.Sprintf("case-%06d", i)
		old, now := question(id, "open", 5), question(id, fmt.Sprintf("closed %d", i%100), 3)
		if i%50 == 0 {
			now.Checks["opening_hours"] = verdict(0, 3)
		}
		l.base[id], l.next[id] = old, now
		l.about[id] = engine.About{Provenance: "ticket LIB-204 — readers stood before a closed door", Added: "2025-04-02", Tags: []string{"hours", "en"}}
		if i < 1000 {
			l.answers[id] = answersTo(id, &now)
		}
	}
	return l, l.diff(b)
}

func crowded(b *testing.B, n int) *tuitest.Driver {
	l, d := crowd(b, n)
	return tuitest.Drive(b, tuitest.Ready(review.New(review.Options{Diff: d, Evidence: l, Session: &memory{}, Command: "docket review"})),
		tui.Options{Width: 240, Height: 60, Colour: true})
}

// BenchmarkKey measures one key press, Update and View. The goals are in the
// design: p99 under 4 ms, and a p50 that hardly depends on the number of cases.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := crowded(b, n)
			keys := []string{"j", "j", "ctrl+d", "k", "n", "J", "G", "g", "N", "tab", "j", "tab", "3", "j", "1", " ", "2", "j", "1", "="}
			var took []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				for i := range 200 {
					took = append(took, d.Time(keys[i%len(keys)]))
				}
			}
			tuitest.Report(b, took, "key")
		})
	}
}

// BenchmarkFilter measures each letter of a filter that is typed.
func BenchmarkFilter(b *testing.B) {
	d := crowded(b, 100_000)
	var took []time.Duration
	for b.Loop() {
		d.Press("/")
		for _, k := range []string{"c", "a", "s", "e", "-", "0", "9", "backspace", " ", "o", "f", ":", "l", "a", " ", "t", "a", "g", ":", "e"} {
			took = append(took, d.Time(k))
		}
		d.Press("esc")
	}
	tuitest.Report(b, took, "letter")
}

// BenchmarkFirstFrame measures from the diff to the first frame.
func BenchmarkFirstFrame(b *testing.B) {
	l, diff := crowd(b, 100_000)
	for b.Loop() {
		d := tuitest.Drive(b, tuitest.Ready(review.New(review.Options{Diff: diff, Evidence: l, Session: &memory{}})), tui.Options{Width: 240, Height: 60, Colour: true})
		if d.View() == "" {
			b.Fatal("nothing was drawn")
		}
	}
}
