package stats

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestPassKs(t *testing.T) {
	for _, tt := range []struct {
		n, passes int
		hat, at   []float64 // for k = 1, 2, …
	}{
		{5, 4, []float64{.8, .6, .4, .2, 0}, []float64{.8, 1, 1, 1, 1}},
		{5, 2, []float64{.4, .1, 0, 0, 0}, []float64{.4, .7, .9, 1, 1}},
		{5, 0, []float64{0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0}},
		{5, 5, []float64{1, 1, 1, 1, 1}, []float64{1, 1, 1, 1, 1}},
	} {
		for i := range tt.n {
			within(t, fmt.Sprintf("PassHat(%d, %d, %d)", tt.n, tt.passes, i+1), PassHat(tt.n, tt.passes, i+1), tt.hat[i], 9)
			within(t, fmt.Sprintf("PassAt(%d, %d, %d)", tt.n, tt.passes, i+1), PassAt(tt.n, tt.passes, i+1), tt.at[i], 9)
		}
	}
	within(t, "PassHat(8, 6, 2)", PassHat(8, 6, 2), .5357, 4)
	within(t, "PassHat(8, 6, 3)", PassHat(8, 6, 3), .3571, 4)
	within(t, "PassAt(8, 6, 2)", PassAt(8, 6, 2), .9643, 4)
	for _, bad := range [][3]int{{0, 0, 1}, {5, 4, 0}, {5, 4, 6}, {5, -1, 2}, {5, 6, 2}} {
		unknownNumber(t, fmt.Sprint("PassHat", bad), PassHat(bad[0], bad[1], bad[2]))
		unknownNumber(t, fmt.Sprint("PassAt", bad), PassAt(bad[0], bad[1], bad[2]))
	}
}

func TestPassKsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "n")
		passes := rapid.IntRange(0, n).Draw(t, "passes")
		k := rapid.IntRange(1, n).Draw(t, "k")
		rate := float64(passes) / float64(n)
		hat, at := PassHat(n, passes, k), PassAt(n, passes, k)
		if hat < 0 || at > 1 || hat > rate+1e-12 || at < rate-1e-12 {
			t.Fatalf("pass^%d %v and pass@%d %v do not enclose the rate %v", k, hat, k, at, rate)
		}
		if k < n && (PassHat(n, passes, k+1) > hat || PassAt(n, passes, k+1) < at) {
			t.Fatalf("one more try makes pass^k higher or pass@k lower")
		}
	})
}

func TestMajority(t *testing.T) {
	for _, tt := range []struct {
		passes, of int
		want       bool
	}{{0, 0, false}, {1, 1, true}, {0, 1, false}, {1, 2, false}, {2, 3, true}, {2, 4, false}, {3, 5, true}} {
		if got := Majority(tt.passes, tt.of); got != tt.want {
			t.Errorf("Majority(%d, %d) = %v", tt.passes, tt.of, got)
		}
	}
}
