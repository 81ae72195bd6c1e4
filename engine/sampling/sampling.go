// Package sampling draws a golden set from a log: so many of its cases, spread
// over the segments that a person names, so that what is rare is in it, too.
//
// A draw depends on the ids, their segments and the seed alone, never on the
// order of the log: the same log drawn again gives the same cases, and a log that
// grew gives mostly the same. The package refuses to fill up a small segment
// with others' cases in silence: what each segment has and gave is told.
package sampling

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
)

// An Item is a case of a log.
type Item struct {
	ID      string
	Segment string // "" where the log does not say
}

// A Segment is what was drawn of one.
type Segment struct {
	Name      string // "" for what no segment covers
	Of, Drawn int
}

// A Draw is what was drawn.
type Draw struct {
	IDs      map[string]bool
	Segments []Segment // by name, those that no segment covers last
}

// Take draws n of the items, or all where there are no more. Every segment gives
// as many as the others, as far as it has them; what a small one lacks the
// larger ones give. Where there are more segments than n, the larger ones come
// first. Items without a segment are drawn only where no item has one.
func Take(items []Item, n int, seed uint64) Draw {
	segments := map[string][]Item{}
	for _, item := range items {
		segments[item.Segment] = append(segments[item.Segment], item)
	}
	var names []string
	for name := range segments {
		names = append(names, name)
		rank(segments[name], seed)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(segments[b]), len(segments[a])), cmp.Compare(a, b))
	})
	d := Draw{IDs: map[string]bool{}}
	drawn := map[string]int{}
	for more := true; more && len(d.IDs) < n; {
		more = false
		for _, name := range names {
			if name == "" && len(names) > 1 || drawn[name] == len(segments[name]) || len(d.IDs) == n {
				continue
			}
			d.IDs[segments[name][drawn[name]].ID] = true
			drawn[name]++
			more = true
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "") != (b == "") {
			return cmp.Compare(b, a)
		}
		return cmp.Compare(a, b)
	})
	for _, name := range names {
		d.Segments = append(d.Segments, Segment{Name: name, Of: len(segments[name]), Drawn: drawn[name]})
	}
	return d
}

// rank puts items into an order that looks like chance and is the same always.
func rank(items []Item, seed uint64) {
	keys := make(map[string][sha256.Size]byte, len(items))
	for _, item := range items {
		keys[item.ID] = sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", seed, item.ID))
	}
	slices.SortFunc(items, func(a, b Item) int {
		x, y := keys[a.ID], keys[b.ID]
		return cmp.Or(slices.Compare(x[:], y[:]), cmp.Compare(a.ID, b.ID))
	})
}
