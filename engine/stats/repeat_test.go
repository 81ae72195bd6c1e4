package stats

import (
	"math"
	"testing"
)

func TestSampledSE(t *testing.T) {
	// 100 cases: 60 always pass, 40 pass half the time.
	const between, inside = .06, .10
	within(t, "between", .6*.4*.25, between, 9) // two groups whose rates are a half apart
	within(t, "within", .4*.25, inside, 9)
	within(t, "k=1", SampledSE(between, inside, 1, 100), .0400, 4)
	within(t, "k=5", SampledSE(between, inside, 5, 100), .0283, 4)
	within(t, "floor", SampledSE(between, 0, 1, 100), .0245, 4)

	for _, tt := range []struct {
		k          int
		se, points float64
		digits     int
	}{{1, .0447, 8.8, 4}, {3, .0258, 5.1, 4}, {5, .0200, 3.9, 4}, {10, .0141, 2.8, 4}} {
		se := RepeatSE(inside, tt.k, 100)
		within(t, "two runs of one configuration", se, tt.se, tt.digits)
		within(t, "their 95%, in points", 100*normalQuantile(1-Alpha/2)*se, tt.points, 1)
	}
}

func TestWithin(t *testing.T) {
	sum := 0.0
	for i, want := range []float64{0, 0, .2, .3} {
		got := Within([]int{5, 5, 4, 2}[i], 5)
		within(t, "s²", got, want, 9)
		sum += got
	}
	within(t, "same configuration", RepeatSE(sum/4, 5, 4), .111803, 6)
}

func TestRepeatOfTooLittle(t *testing.T) {
	unknownNumber(t, "one sample", Within(1, 1))
	unknownNumber(t, "impossible counts", Within(6, 5))
	unknownNumber(t, "negative counts", Within(-1, 5))
	unknownNumber(t, "no case", RepeatSE(.1, 5, 0))
	unknownNumber(t, "no sample", RepeatSE(.1, 0, 5))
	unknownNumber(t, "unknown variance", RepeatSE(math.NaN(), 5, 5))
	unknownNumber(t, "no case", SampledSE(.1, .1, 5, 0))
	unknownNumber(t, "a negative variance", SampledSE(-.1, .1, 5, 5))
}
