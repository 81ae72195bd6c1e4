package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestAdmitted(t *testing.T) {
	for _, tt := range []struct{ flip, three, five, ten float64 }{
		{.02, .941, .904, .817},
		{.05, .858, .774, .599},
		{.10, .730, .590, .349},
		{.20, .520, .328, .107},
		{.50, .250, .063, .002},
	} {
		for k, want := range map[int]float64{3: tt.three, 5: tt.five, 10: tt.ten} {
			within(t, fmt.Sprintf("Admitted(%v, %d)", tt.flip, k), Admitted(tt.flip, k), want, 3)
		}
	}
	for k, want := range map[int]float64{3: .25, 5: .0625, 6: .031} {
		within(t, fmt.Sprintf("a coin agrees %d times", k), Admitted(.5, k), want, map[int]int{3: 9, 5: 9, 6: 3}[k])
	}
	// Five samples cannot exclude a coin at 95%, six can.
	if Admitted(.5, 5) <= Alpha || Admitted(.5, 6) > Alpha {
		t.Error("five samples exclude a coin, or six do not")
	}
}

// The shares of the values of a small model's projections over 200 samples, and
// how often so many samples of them agree.
func TestAgreeAllOnMeasuredShares(t *testing.T) {
	for _, tt := range []struct{ modal, three, five float64 }{
		{.710, .38, .18},
		{.598, .28, .09},
		{.785, .49, .30},
		{.935, .82, .71},
		{1, 1, 1},
		{.560, .26, .07},
		{.920, .78, .66},
		{.568, .26, .07},
	} {
		shares := []float64{tt.modal, 1 - tt.modal}
		within(t, fmt.Sprintf("%v agrees 3 times", tt.modal), AgreeAll(shares, 3), tt.three, 2)
		within(t, fmt.Sprintf("%v agrees 5 times", tt.modal), AgreeAll(shares, 5), tt.five, 2)
	}
}

func TestFalseAlarm(t *testing.T) {
	for _, tt := range []struct {
		flip                      float64
		unfiltered, three, five   float64 // per 1,000 projections
		digits                    int
		confirmed                 float64 // per 1,000, after two more samples
		confirmedDigits           int
		exactThree, exactFive     float64 // with those that were admitted with the rarer value
		exactConfirmed, tolerance float64
	}{
		{.02, 20, 18.8, 18.1, 1, .007, 3, 18.83, 18.08, .00723, .005},
		{.05, 50, 42.9, 38.7, 1, .10, 2, 42.99, 38.69, .0970, .005},
		{.10, 100, 73, 59, 0, .59, 2, 73.80, 59.06, .5978, .005},
		{.20, 200, 104, 66, 0, math.NaN(), 0, 108.80, 65.79, math.NaN(), .005},
		{.50, 500, 125, 31, 0, math.NaN(), 0, 125, 31.25, math.NaN(), .005},
	} {
		name := func(what string) string { return fmt.Sprintf("%s at a flip rate of %v", what, tt.flip) }
		within(t, name("unfiltered"), 1000*FalseAlarm(tt.flip, 0, 0), tt.unfiltered, 9)
		// First order: everything that is admitted flips at its own rate.
		within(t, name("first order, k=3"), 1000*Admitted(tt.flip, 3)*tt.flip, tt.three, tt.digits)
		within(t, name("first order, k=5"), 1000*Admitted(tt.flip, 5)*tt.flip, tt.five, tt.digits)
		within(t, name("k=3"), 1000*FalseAlarm(tt.flip, 3, 0), tt.exactThree, 2)
		within(t, name("k=5"), 1000*FalseAlarm(tt.flip, 5, 0), tt.exactFive, 2)
		if !math.IsNaN(tt.confirmed) {
			within(t, name("first order, confirmed"), 1000*Admitted(tt.flip, 5)*math.Pow(tt.flip, 3), tt.confirmed, tt.confirmedDigits)
			within(t, name("confirmed"), 1000*FalseAlarm(tt.flip, 5, 2), tt.exactConfirmed, 3)
		}
	}
	within(t, "calls that confirming costs", 2*1000*FalseAlarm(.05, 5, 0), 77, 0)
	within(t, "a real change is confirmed", Confirmed(.95, 2), .857, 3)
}

// TestFalseAlarmSimulated draws what the formulas promise: a projection with a
// known flip rate is calibrated, sampled once more, and confirmed.
func TestFalseAlarmSimulated(t *testing.T) {
	const tries = 200_000
	random := rand.New(rand.NewPCG(2026, 8))
	for _, flip := range []float64{.02, .05, .10, .20, .50} {
		for _, k := range []int{3, 5, 10} {
			admitted, listed, confirmed := 0, 0, 0
			for range tries {
				rare := random.Float64() < flip
				agree := true
				for i := 1; i < k && agree; i++ {
					agree = random.Float64() < flip == rare
				}
				if !agree {
					continue
				}
				admitted++
				differ := 0
				for differ < 3 && random.Float64() < flip != rare {
					differ++
				}
				if differ >= 1 {
					listed++
				}
				if differ == 3 {
					confirmed++
				}
			}
			for what, pair := range map[string][2]float64{
				"admitted":  {float64(admitted), Admitted(flip, k)},
				"listed":    {float64(listed), FalseAlarm(flip, k, 0)},
				"confirmed": {float64(confirmed), FalseAlarm(flip, k, 2)},
			} {
				got, want := pair[0]/tries, pair[1]
				if error := math.Sqrt(want*(1-want)/tries) + 1.0/tries; math.Abs(got-want) > 4*error {
					t.Errorf("flip rate %v, k=%d: %s %v, formula %v ± %v", flip, k, what, got, want, error)
				}
			}
		}
	}
}

func TestAnyFalse(t *testing.T) {
	within(t, "200 cases at 1%", AnyFalse(200, .01), .866, 3)
	within(t, "100 cases at 5%", AnyFalse(100, .05), .994, 3)
	within(t, "green within three tries", AnyFalse(3, .3), .657, 3)
	within(t, "no case", AnyFalse(0, .3), 0, 9)
	within(t, "no flake", AnyFalse(10, 0), 0, 9)
	within(t, "nothing but flakes", AnyFalse(10, 1), 1, 9)
	within(t, "no case that always fails", AnyFalse(0, 1), 0, 9)
}

func TestNoiseOfImpossibleNumbers(t *testing.T) {
	unknownNumber(t, "Admitted", Admitted(-.1, 5))
	unknownNumber(t, "Admitted", Admitted(math.NaN(), 5))
	unknownNumber(t, "Admitted", Admitted(.5, -1))
	unknownNumber(t, "AgreeAll", AgreeAll([]float64{1.5}, 3))
	unknownNumber(t, "FalseAlarm", FalseAlarm(1.1, 5, 0))
	unknownNumber(t, "FalseAlarm", FalseAlarm(.1, -1, 0))
	unknownNumber(t, "FalseAlarm", FalseAlarm(.1, 5, -1))
	unknownNumber(t, "Confirmed", Confirmed(.5, -1))
	unknownNumber(t, "AnyFalse", AnyFalse(-1, .1))
	unknownNumber(t, "AnyFalse", AnyFalse(1, math.NaN()))
	if got := Admitted(.3, 1); got != 1 {
		t.Errorf("one sample agrees with itself, got %v", got)
	}
}

func TestNoiseHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		flip := rapid.Float64Range(0, 1).Draw(t, "flip")
		k := rapid.IntRange(1, 30).Draw(t, "k")
		confirm := rapid.IntRange(0, 5).Draw(t, "confirm")
		alarm := FalseAlarm(flip, k, confirm)
		if alarm < 0 || alarm > Admitted(flip, k)+1e-12 || !near(alarm, FalseAlarm(1-flip, k, confirm)) {
			t.Fatalf("%v of the admitted %v raise an alarm", alarm, Admitted(flip, k))
		}
		if FalseAlarm(flip, k, confirm+1) > alarm || Admitted(flip, k+1) > Admitted(flip, k)+1e-12 {
			t.Fatal("more samples raise more alarms, or admit more")
		}
	})
}
