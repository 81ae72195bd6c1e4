package stats

import (
	"math"
	"strconv"
	"strings"
)

// percent writes a share: "45%", "4.9%", "0.03%". Below ten it keeps a decimal,
// since 4.9% and 4.1% are told apart and 45.1% and 45.4% are not; below one,
// two significant digits. What is not known is "unknown".
func percent(share float64) string {
	x := share * 100
	switch {
	case math.IsNaN(x):
		return "unknown"
	case x == 0:
		return "0%"
	case x >= 9.95:
		return strconv.FormatFloat(x, 'f', 0, 64) + "%"
	case x >= 0.95:
		return strconv.FormatFloat(x, 'f', 1, 64) + "%"
	case x < 0.001:
		return "under 0.001%"
	default:
		return strconv.FormatFloat(x, 'f', 1-int(math.Floor(math.Log10(x))), 64) + "%"
	}
}

// decimal writes a number with so many decimals and a typographic minus, which
// is as wide as a plus. What rounds to zero has no sign.
func decimal(x float64, decimals int) string {
	if math.IsNaN(x) {
		return "unknown"
	}
	s := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	if x < 0 && strings.Trim(s, "0.") != "" {
		return "−" + s
	}
	return s
}

// signed is decimal with a plus before what is above zero.
func signed(x float64, decimals int) string {
	s := decimal(x, decimals)
	if x > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// pValue writes a p: "p .11", "p .035", "p <.001". Two significant digits, and
// more where they would round it onto the level, so that the print never
// contradicts the verdict beside it.
func pValue(p float64) string {
	switch {
	case math.IsNaN(p):
		return "p unknown"
	case p < 0.001:
		return "p <.001"
	case p > 0.99:
		return "p >.99"
	}
	decimals := 2
	for limit := 0.0995; p < limit; limit /= 10 {
		decimals++
	}
	s := strconv.FormatFloat(p, 'f', decimals, 64)
	for onLevel(s) && p != Alpha && decimals < 12 {
		decimals++
		s = strconv.FormatFloat(p, 'f', decimals, 64)
	}
	return "p " + strings.TrimPrefix(s, "0")
}

func onLevel(s string) bool {
	x, err := strconv.ParseFloat(s, 64)
	return err == nil && x == Alpha
}

// roundUp rounds a change that could have been seen to so many decimals,
// upwards: a suite must not be said to see more than it does.
func roundUp(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Ceil(x*scale-1e-9) / scale
}
