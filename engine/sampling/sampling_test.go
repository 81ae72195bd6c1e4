package sampling_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"docket/engine/sampling"
)

func log(sizes map[string]int) []sampling.Item {
	var items []sampling.Item
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		for i := range sizes[name] {
			items = append(items, sampling.Item{ID: fmt.Sprintf("%s-%d", name, i), Segment: name})
		}
	}
	return items
}

func TestRareSegmentsAreIn(t *testing.T) {
	d := sampling.Take(log(map[string]int{"de": 900, "en": 90, "ja": 3, "": 7}), 33, 1)
	want := []sampling.Segment{{"de", 900, 15}, {"en", 90, 15}, {"ja", 3, 3}, {"", 7, 0}}
	if !slices.Equal(d.Segments, want) {
		t.Errorf("got %v, want %v", d.Segments, want)
	}
	d = sampling.Take(log(map[string]int{"": 7}), 3, 1)
	if len(d.IDs) != 3 {
		t.Errorf("a log without segments gave %d, want 3", len(d.IDs))
	}
}

// TestOrderDoesNotMatter says that the order of the log changes nothing, that
// the seed does, and that no more is drawn than there is.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c", ""}), rapid.IntRange(1, 30)).Draw(t, "sizes")
		n := rapid.IntRange(0, 60).Draw(t, "n")
		items := log(sizes)
		d := sampling.Take(slices.Clone(items), n, 7)
		shuffled := rapid.Permutation(items).Draw(t, "shuffled")
		if other := sampling.Take(shuffled, n, 7); !maps.Equal(d.IDs, other.IDs) || !slices.Equal(d.Segments, other.Segments) {
			t.Fatalf("the order of the log changed the draw: %v and %v", d, other)
		}
		sum := 0
		for _, s := range d.Segments {
			sum += s.Drawn
		}
		if sum != len(d.IDs) || len(d.IDs) > n {
			t.Fatalf("%d drawn, %d of %d told", len(d.IDs), sum, n)
		}
	})
	items := log(map[string]int{"a": 500})
	if a, b := sampling.Take(items, 20, 1), sampling.Take(items, 20, 2); maps.Equal(a.IDs, b.IDs) {
		t.Error("two seeds draw the same")
	}
}
