package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSignFlip(t *testing.T) {
	for _, tt := range []struct {
		name   string
		terms  []float64
		want   float64
		differ int
	}{
		{"four of the eight worked rows", []float64{0, -1, 0, 1, -3, 0, .5, 0}, .75, 4},
		{"7 worse, 1 better", []float64{-1, -1, -1, -1, -1, -1, -1, 1}, .0703125, 8},
		{"5 one way", []float64{1, 1, 1, 1, 1}, .0625, 5},
		{"6 one way", []float64{1, 1, 1, 1, 1, 1}, .03125, 6},
		{"tenths that add up on paper only", []float64{.1, .2, -.3}, 1, 3},
		{"one", []float64{-.4}, 1, 1},
		{"huge", []float64{1e308, 1e308, 1e308}, .25, 3},
		{"none differ", []float64{0, 0}, 1, 0},
		{"none", nil, 1, 0},
	} {
		got := SignFlip(tt.terms)
		if math.Abs(got.P-tt.want) > 1e-12 || !got.Exact || got.Differ != tt.differ {
			t.Errorf("%s: %+v, want exactly %v from %d", tt.name, got, tt.want, tt.differ)
		}
	}
	unknownNumber(t, "with NaN", SignFlip([]float64{1, math.NaN()}).P)
	unknownNumber(t, "with Inf", SignFlip([]float64{1, math.Inf(-1)}).P)
}

// On unit terms the test is McNemar's, exactly where it counts all patterns and
// within four standard errors of a draw where it does not.
func TestSignFlipEqualsMcNemar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		worse := rapid.IntRange(0, 30).Draw(t, "worse")
		better := rapid.IntRange(0, 30).Draw(t, "better")
		terms := append(slices.Repeat([]float64{-1}, worse), slices.Repeat([]float64{1}, better)...)
		got, want := SignFlip(terms), McNemar(worse, better)
		tolerance := 1e-12
		if !got.Exact {
			tolerance = 1e-4 + 4*math.Sqrt(want*(1-want)/draws)
		}
		if got.Exact != (worse+better <= enumerated) || math.Abs(got.P-want) > tolerance {
			t.Fatalf("%d worse, %d better: sign flip %+v, McNemar %v", worse, better, got, want)
		}
	})
}

// Where small terms are drawn together, p is what drawing each would give: on
// unit terms McNemar's.
func TestSignFlipOfThousands(t *testing.T) {
	for _, tt := range []struct{ worse, better int }{{1500, 1500}, {1600, 1500}, {1620, 1500}, {2600, 2400}} {
		terms := append(slices.Repeat([]float64{-1}, tt.worse), slices.Repeat([]float64{1}, tt.better)...)
		got, want := SignFlip(terms).P, McNemar(tt.worse, tt.better)
		if math.Abs(got-want) > 0.003+4*math.Sqrt(want*(1-want)/draws) {
			t.Errorf("%d worse, %d better: sign flip %v, McNemar %v", tt.worse, tt.better, got, want)
		}
	}
	// One term that outweighs all others is never drawn together with them: the
	// sum is as far out wherever the rest, which cancels, has its sign.
	terms := append(slices.Repeat([]float64{1e-6, -1e-6}, 2500), 1)
	if got := SignFlip(terms).P; math.Abs(got-0.5) > 0.03 {
		t.Errorf("one dominant term gives p %v, want a half", got)
	}
}

func TestSignFlipIgnoresOrderAndDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOfN(rapid.Float64Range(-1, 1), 0, 40).Draw(t, "terms")
		want := SignFlip(terms)
		if !(want.P > 0 && want.P <= 1) {
			t.Fatalf("p is %v", want.P)
		}
		if again := SignFlip(terms); again != want {
			t.Fatalf("the second call gives %+v after %+v", again, want)
		}
		other := rapid.Permutation(terms).Draw(t, "other order")
		for i := range other {
			other[i] *= -4
		}
		if got := SignFlip(other); got != want {
			t.Fatalf("reordered, mirrored and scaled: %+v, want %+v", got, want)
		}
	})
}

func BenchmarkSignFlipOf100000(b *testing.B) {
	terms := make([]float64, 100_000)
	for i := range terms {
		terms[i] = math.Sin(float64(i))
	}
	for b.Loop() {
		SignFlip(terms)
	}
}
