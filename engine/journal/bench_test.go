package journal

import (
	"encoding/json"
	"fmt"
	"testing"

	"docket/engine/disk"
)

// rows makes a group with a payload of the size of a baseline's line.
func rows(from, n int) Group {
	g := Group{Verdict: "accept", Reason: "the policy changed"}
	payload := json.RawMessage(fmt.Sprintf(`{"id":"x","text":"%0380d"}`, 0))
	for i := range n {
		g.Entries = append(g.Entries, Entry{Row: fmt.Sprintf("invoice-%06d", from+i), Seen: "0123456789abcdef", Payload: payload})
	}
	return g
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("%d rows", n), func(b *testing.B) {
			c := config(disk.OS{}, b.TempDir())
			j := open(b, c)
			defer j.Close()
			g := rows(0, n)
			for b.Loop() {
				if _, err := j.Decide(g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkResume100000(b *testing.B) {
	c := config(disk.OS{}, b.TempDir())
	j := open(b, c)
	for i := range 10 {
		if _, err := j.Decide(rows(i*10_000, 10_000)); err != nil {
			b.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		j := open(b, c)
		if j.Resumed() != 100_000 {
			b.Fatal(j.Resumed())
		}
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
