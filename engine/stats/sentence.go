package stats

import (
	"fmt"
	"math"
	"strings"

	"docket/engine/phrase"
)

// String is the verdict as one line for people:
//
//	score −0.021 ±0.034, within noise; a change of 0.049 could have been seen
//	passing 187 → 181 of 200: 8 worse, 2 better, −3.0 pt (95% −6.1 to +0.1), p .11, within noise; a change of 4.5 pt could have been seen
//
// A call that rests on a test always stands beside the interval and beside what
// could have been seen, or beside the words that the cases are too few to see
// anything. No line says that nothing changed.
func (v Verdict) String() string {
	if v.Measure == Passing {
		return v.passingLine()
	}
	return v.scoreLine()
}

func (v Verdict) passingLine() string {
	if v.Call == Unmeasurable {
		return "passing unknown: no case was judged on both sides"
	}
	n := float64(v.Cases)
	line := fmt.Sprintf("passing %.0f → %.0f of %d", v.Old*n, v.New*n, v.Cases)
	if v.Call == Equal {
		line += ", no case flipped"
		if math.IsNaN(v.Detectable) {
			return line + "; " + v.tooFewCases()
		}
		return line + "; a change of under " + decimal(roundUp(100*v.Detectable, 1), 1) + " pt could not have been told from noise"
	}
	line += fmt.Sprintf(": %d worse, %d better, %s pt", v.Worse, v.Better, signed(100*v.Difference, 1))
	switch {
	case !v.Interval.Known():
	case v.alike():
		line += " (" + v.noInterval() + ")"
	default:
		line += fmt.Sprintf(" (95%% %s to %s)", signed(100*v.Interval.Low, 1), signed(100*v.Interval.High, 1))
	}
	if v.Call == TooFew {
		return line + ", " + v.tooFew("one-way flips")
	}
	line += ", " + pValue(v.P) + ", " + v.judgement() + "; "
	if math.IsNaN(v.Detectable) {
		return line + v.tooFewCases()
	}
	return line + "a change of " + decimal(roundUp(100*v.Detectable, 1), 1) + " pt could have been seen"
}

func (v Verdict) scoreLine() string {
	switch v.Call {
	case Unmeasurable:
		return "score unknown: no case was scored on both sides"
	case Equal:
		return fmt.Sprintf("score equal in %s; up to %s of cases like these could still differ",
			each(v.Cases), percent(FlipBound(v.Groups, v.Groups)))
	}
	line := "score " + signed(v.Difference, 3)
	switch {
	case !v.Interval.Known():
	case v.alike():
		line += " (" + v.noInterval() + ")"
	default:
		line += " ±" + decimal(max(0.001, v.Interval.Margin()), 3)
	}
	switch v.Call {
	case TooFew:
		return line + ", " + v.tooFew("cases that differ")
	case WithinNoise:
		line += ", " + v.judgement()
	default:
		line += ", " + pValue(v.P) + ", " + v.judgement()
	}
	if math.IsNaN(v.Detectable) {
		return line + "; " + v.tooFewCases()
	}
	seen := decimal(max(0.001, roundUp(v.Detectable, 3)), 3)
	seen = strings.TrimSuffix(strings.TrimRight(seen, "0"), ".")
	return line + "; a change of " + seen + " could have been seen"
}

// alike reports whether every case moved by the same, so that the interval has
// no width. That is what the formula gives; it is not what is known of cases
// like these.
func (v Verdict) alike() bool { return v.Interval.Margin() <= rounding }

// noInterval says why a verdict stands without an interval.
func (v Verdict) noInterval() string {
	if v.Groups < FewestFlips {
		return "too few cases for an interval"
	}
	return "every case alike and so no interval"
}

// judgement words the call of a verdict that has one.
func (v Verdict) judgement() string {
	if v.Call == Withheld {
		return "but " + v.Because + ": judge the cases"
	}
	return string(v.Call)
}

// tooFew words that the test could not have decided. what is counted are
// families where cases share them.
func (v Verdict) tooFew(what string) string {
	if v.Groups < v.Cases {
		what = "families that differ"
	}
	return fmt.Sprintf("fewer than %d %s cannot be told from noise: judge the cases", FewestFlips, what)
}

func (v Verdict) tooFewCases() string {
	if v.Groups < v.Cases {
		return phrase.Count(v.Groups, "family is", "families are") + " too few to tell a change from noise"
	}
	return phrase.Count(v.Cases, "case is", "cases are") + " too few to tell a change from noise"
}

func each(n int) string {
	if n == 1 {
		return "the one case"
	}
	return fmt.Sprintf("each of %d cases", n)
}
