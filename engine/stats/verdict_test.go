package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// flipped is a suite of n cases of which so many got worse and better; passes
// counts those that passed on the old side.
func flipped(n, passes, worse, better int) []Outcome {
	outcomes := make([]Outcome, n)
	for i := range outcomes {
		old := i < passes
		o := Outcome{OldPass: old, NewPass: old, Weight: 1}
		switch {
		case i < worse:
			o.NewPass = false
		case i >= passes && i < passes+better:
			o.NewPass = true
		}
		o.Old, o.New = indicator(o.OldPass), indicator(o.NewPass)
		outcomes[i] = o
	}
	return outcomes
}

func TestPassingLine(t *testing.T) {
	for _, tt := range []struct {
		name     string
		outcomes []Outcome
		found    Findings
		call     Call
		want     string
	}{
		{
			"8 worse, 2 better", flipped(200, 187, 8, 2),
			Findings{},
			WithinNoise,
			"passing 187 → 181 of 200: 8 worse, 2 better, −3.0 pt (95% −6.1 to +0.1), p .11, within noise; a change of 4.5 pt could have been seen",
		},
		{
			"12 worse, 3 better", flipped(200, 187, 12, 3),
			Findings{},
			BeyondNoise,
			"passing 187 → 178 of 200: 12 worse, 3 better, −4.5 pt (95% −8.3 to −0.7), p .035, beyond noise; a change of 5.5 pt could have been seen",
		},
		{
			"confirmed changes", flipped(200, 187, 8, 2),
			Findings{Confirmed: 3},
			Withheld,
			"passing 187 → 181 of 200: 8 worse, 2 better, −3.0 pt (95% −6.1 to +0.1), p .11, but 3 confirmed changes: judge the cases; a change of 4.5 pt could have been seen",
		},
		{
			"a failed gate", flipped(200, 187, 8, 2),
			Findings{FailedGates: 1, Confirmed: 1},
			Withheld,
			"passing 187 → 181 of 200: 8 worse, 2 better, −3.0 pt (95% −6.1 to +0.1), p .11, but 1 case failed a gate and 1 confirmed change: judge the cases; a change of 4.5 pt could have been seen",
		},
		{
			"5 one way", flipped(200, 187, 5, 0),
			Findings{},
			TooFew,
			"passing 187 → 182 of 200: 5 worse, 0 better, −2.5 pt (95% −4.7 to −0.3), fewer than 6 one-way flips cannot be told from noise: judge the cases",
		},
		{
			"6 one way", flipped(200, 187, 6, 0),
			Findings{},
			BeyondNoise,
			"passing 187 → 181 of 200: 6 worse, 0 better, −3.0 pt (95% −5.4 to −0.6), p .031, beyond noise; a change of 3.5 pt could have been seen",
		},
		{
			"no flip", flipped(200, 187, 0, 0),
			Findings{},
			Equal,
			"passing 187 → 187 of 200, no case flipped; a change of under 3.0 pt could not have been told from noise",
		},
		{
			"no flip in a suite of four", flipped(4, 4, 0, 0),
			Findings{},
			Equal,
			"passing 4 → 4 of 4, no case flipped; 4 cases are too few to tell a change from noise",
		},
		{
			"one case", flipped(1, 1, 1, 0),
			Findings{},
			TooFew,
			"passing 1 → 0 of 1: 1 worse, 0 better, −100.0 pt, fewer than 6 one-way flips cannot be told from noise: judge the cases",
		},
		{"no case", nil, Findings{}, Unmeasurable, "passing unknown: no case was judged on both sides"},
	} {
		v := Compare(tt.outcomes, tt.found).Passing
		if v.Call != tt.call || v.String() != tt.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.name, v.Call, v, tt.want)
		}
	}
}

// scored is a suite whose scores move by the given differences.
func scored(differences ...float64) []Outcome {
	outcomes := make([]Outcome, len(differences))
	for i, d := range differences {
		outcomes[i] = Outcome{OldPass: true, NewPass: true, Old: .5, New: .5 + d, Weight: 1}
	}
	return outcomes
}

func TestScoreLine(t *testing.T) {
	mixed := append(slices.Repeat([]float64{-.25}, 15), slices.Repeat([]float64{.25}, 8)...)
	mixed = append(mixed, make([]float64, 60)...)
	worse := slices.Repeat([]float64{-.1, -.2, 0}, 20)
	for _, tt := range []struct {
		name     string
		outcomes []Outcome
		found    Findings
		call     Call
		want     string
	}{
		{"mixed", scored(mixed...), Findings{}, WithinNoise, "score −0.021 ±0.029, within noise; a change of 0.041 could have been seen"},
		{"worse", scored(worse...), Findings{}, BeyondNoise, "score −0.100 ±0.021, p <.001, beyond noise; a change of 0.03 could have been seen"},
		{"gates", scored(mixed...), Findings{FailedGates: 2}, Withheld, "score −0.021 ±0.029, p .21, but 2 cases failed a gate: judge the cases; a change of 0.041 could have been seen"},
		{"three differ", scored(-.5, .2, -.1, 0, 0, 0, 0, 0), Findings{}, TooFew, "score −0.050 ±0.167, fewer than 6 cases that differ cannot be told from noise: judge the cases"},
		{"all alike", scored(slices.Repeat([]float64{-.1}, 10)...), Findings{}, BeyondNoise, "score −0.100 (every case alike and so no interval), p .0020, beyond noise; a change of 0.001 could have been seen"},
		{"six that differ by all", scored(.5, .5, .5, -.5, -.5, -.5, 0), Findings{}, WithinNoise, "score 0.000 ±0.462, within noise; a change of 0.53 could have been seen"},
		{"none differs", scored(make([]float64, 220)...), Findings{}, Equal, "score equal in each of 220 cases; up to 1.4% of cases like these could still differ"},
		{"one that does not", scored(0), Findings{}, Equal, "score equal in the one case; up to 95% of cases like these could still differ"},
		{"one", scored(.25), Findings{}, TooFew, "score +0.250, fewer than 6 cases that differ cannot be told from noise: judge the cases"},
		{"none", nil, Findings{}, Unmeasurable, "score unknown: no case was scored on both sides"},
		{"NaN", scored(math.NaN()), Findings{}, Unmeasurable, "score unknown: no case was scored on both sides"},
	} {
		v := Compare(tt.outcomes, tt.found).Score
		if v.Call != tt.call || v.String() != tt.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.name, v.Call, v, tt.want)
		}
	}
}

// A measure is not called within noise while the other moved beyond it.
func TestOneMeasureSpeaksForBoth(t *testing.T) {
	outcomes := flipped(200, 187, 12, 3)
	random := []float64{.3, -.3, .2, -.2, .1, -.1, .25, -.25}
	for i := range outcomes {
		outcomes[i].Old, outcomes[i].New = .5, .5
		if i < len(random) {
			outcomes[i].New += random[i]
		}
	}
	s := Compare(outcomes, Findings{})
	if s.Passing.Call != BeyondNoise || s.Score.Call != Withheld || s.Score.Because != "passing moved beyond noise" {
		t.Errorf("passing %s, score %s: %q", s.Passing.Call, s.Score.Call, s.Score.Because)
	}
}

func TestFamiliesAreOneObservation(t *testing.T) {
	alone := flipped(60, 50, 9, 0)
	if s := Compare(alone, Findings{}); s.Passing.Call != BeyondNoise || s.Score.Call != BeyondNoise {
		t.Fatalf("nine cases on their own: %s, %s", s.Passing.Call, s.Score.Call)
	}
	// The same nine flips, in three families of three.
	for i := range 9 {
		alone[i].Family = fmt.Sprint("incident ", i/3)
	}
	s := Compare(alone, Findings{})
	if s.Passing.Call != TooFew || s.Score.Call != TooFew || s.Passing.Groups != 54 {
		t.Errorf("three families: %+v", s)
	}
	const want = "passing 50 → 41 of 60: 9 worse, 0 better, −15.0 pt (95% −30.3 to +0.3), fewer than 6 families that differ cannot be told from noise: judge the cases"
	if got := s.Passing.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Weights and families that change nothing change no verdict: a family of its
// own for each case gives what no family gives.
func TestSingleFamiliesAreNone(t *testing.T) {
	named := flipped(200, 187, 8, 2)
	for i := range named {
		named[i].Family = fmt.Sprint(i)
	}
	if got, want := fmt.Sprint(Compare(named, Findings{})), fmt.Sprint(Compare(flipped(200, 187, 8, 2), Findings{})); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestVerdictsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Just(.5), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), -1, 1e308}))
		outcomes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Outcome {
			return Outcome{
				OldPass: rapid.Bool().Draw(t, "old pass"), NewPass: rapid.Bool().Draw(t, "new pass"),
				Old: number.Draw(t, "old"), New: number.Draw(t, "new"),
				Weight: rapid.SampledFrom([]float64{1, 1, 2, .5, 0, math.NaN()}).Draw(t, "weight"),
				Family: rapid.SampledFrom([]string{"", "", "", "a", "b"}).Draw(t, "family"),
			}
		}), 0, 60).Draw(t, "outcomes")
		found := Findings{rapid.IntRange(0, 1).Draw(t, "gates"), rapid.IntRange(0, 1).Draw(t, "confirmed")}
		s := Compare(outcomes, found)
		for _, v := range []Verdict{s.Passing, s.Score} {
			line := v.String()
			if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") || strings.Contains(line, "unknown") != (v.Call == Unmeasurable) {
				t.Fatalf("%s: %q", v.Call, line)
			}
			if strings.Contains(line, "no change") {
				t.Fatalf("claims that nothing changed: %q", line)
			}
			if strings.Contains(line, "within noise") != (v.Call == WithinNoise) {
				t.Fatalf("%s: %q", v.Call, line)
			}
			if v.Call == WithinNoise && (found != Findings{} || s.Passing.P <= Alpha || s.Score.P <= Alpha ||
				!v.Interval.Contains(0) || !strings.Contains(line, "could have been seen") && !strings.Contains(line, "too few")) {
				t.Fatalf("within noise by no right: %+v", s)
			}
			if v.Call == BeyondNoise && !(v.P <= Alpha) {
				t.Fatalf("beyond noise at p %v", v.P)
			}
		}
	})
}

func TestTooFewCasesToSeeAnything(t *testing.T) {
	outcomes := scored(1, 1, 1, -1, -1, -1)
	for i := range outcomes {
		outcomes[i].OldPass, outcomes[i].NewPass = i%2 == 0, i%2 == 1
	}
	outcomes = append(outcomes, Outcome{OldPass: true, NewPass: false, Weight: 0})
	for range 2 {
		outcomes = append(outcomes, Outcome{OldPass: true, NewPass: false, Old: math.NaN(), Weight: 1})
	}
	s := Compare(outcomes, Findings{})
	for got, want := range map[string]string{
		s.Score.String():   "score 0.000 ±1.150, within noise; 6 cases are too few to tell a change from noise",
		s.Passing.String(): "passing 6 → 3 of 9: 6 worse, 3 better, −33.3 pt (95% −100.0 to +43.5), p .51, within noise; a change of 93.4 pt could have been seen",
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Where all of a few cases move alike the formula gives an interval without a
// width, which would claim to know exactly what three cases cannot tell.
func TestNoIntervalOfZeroWidth(t *testing.T) {
	s := Compare(flipped(3, 3, 3, 0), Findings{})
	for got, want := range map[string]string{
		s.Passing.String(): "passing 3 → 0 of 3: 3 worse, 0 better, −100.0 pt (too few cases for an interval), fewer than 6 one-way flips cannot be told from noise: judge the cases",
		s.Score.String():   "score −1.000 (too few cases for an interval), fewer than 6 cases that differ cannot be told from noise: judge the cases",
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// In a small suite the interval may leave out zero where the exact test finds
// nothing. The line then does not say both.
func TestIntervalAndCallDoNotContradict(t *testing.T) {
	v := Compare(flipped(7, 6, 6, 1), Findings{}).Score
	const want = "score −0.714 ±0.699, p .12, but the interval leaves out zero: judge the cases; a change of 0.801 could have been seen"
	if v.Call != Withheld || v.String() != want {
		t.Errorf("got  %s\nwant %s", v, want)
	}
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{pValue(.1094), "p .11"},
		{pValue(.03516), "p .035"},
		{pValue(.0039), "p .0039"},
		{pValue(.0004), "p <.001"},
		{pValue(1), "p >.99"},
		{pValue(.75), "p .75"},
		{pValue(.0499), "p .0499"},
		{pValue(.05), "p .050"},
		{pValue(.0501), "p .0501"},
		{pValue(.05004), "p .05004"},
		{pValue(.0996), "p .10"},
		{pValue(math.NaN()), "p unknown"},
		{percent(0), "0%"},
		{percent(1), "100%"},
		{percent(.0995), "10%"},
		{percent(.0487), "4.9%"},
		{percent(.00996), "1.0%"},
		{percent(.0031), "0.31%"},
		{percent(1e-9), "under 0.001%"},
		{decimal(-.0004, 3), "0.000"},
		{decimal(-.0214, 3), "−0.021"},
		{signed(.0004, 3), "0.000"},
		{signed(.5, 1), "+0.5"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func BenchmarkCompareOf100000(b *testing.B) {
	outcomes := flipped(100_000, 60_000, 30_000, 29_000)
	for i := range outcomes {
		outcomes[i].New += math.Sin(float64(i)) / 10
	}
	for b.Loop() {
		Compare(outcomes, Findings{})
	}
}
