package stats

import "math"

// An Interval is a 95% confidence interval. Both ends belong to it.
type Interval struct{ Low, High float64 }

// Known reports whether the interval says anything; one that was computed from
// too little or from impossible numbers has NaN ends.
func (i Interval) Known() bool { return !math.IsNaN(i.Low) && !math.IsNaN(i.High) }

// Contains reports whether x lies in the interval. An unknown interval contains
// nothing.
func (i Interval) Contains(x float64) bool { return i.Low <= x && x <= i.High }

// Margin is half the width: the number after ± where the interval is symmetric
// about its estimate.
func (i Interval) Margin() float64 { return (i.High - i.Low) / 2 }

// Known returns x as JSON says it: nil, for null, where it is no finite number
// and so not known.
func Known(x float64) *float64 {
	if !finite(x) {
		return nil
	}
	return &x
}

func unknown() Interval { return Interval{math.NaN(), math.NaN()} }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
