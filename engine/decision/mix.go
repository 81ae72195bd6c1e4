package decision

import (
	"errors"
	"maps"
	"slices"

	"docket/engine/baseline"
)

// Parts names rows of a case that are decided alone.
type Parts struct {
	Projections, Checks map[string]bool
}

// Mix returns the line of a case of which only some rows were accepted: those
// rows have the new values, the others keep their old ones. What is not a row,
// such as the hash of the outputs, is the new line's; samples is the smaller
// number.
//
// Pass and score are recomputed from the line's own checks, since the samples
// of the two sides are not one another's: the line passes in as large a share
// of the samples as its worst check does, which is the most that can be, and
// its score is the mean of its checks' mean scores. Where the samples split on
// a check, its mean is that of its highest and lowest score, weighted by who
// passed and who failed.
//
// A case whose input or expectation was edited must be decided whole: Mix
// fails, since the old values are not of the same question.
func Mix(old, proposed *baseline.Line, accepted Parts) (baseline.Line, error) {
	if old.Input != proposed.Input || old.Expect != proposed.Expect {
		return baseline.Line{}, errors.New("the case itself was edited, so its rows belong together; decide it whole")
	}
	mixed := *proposed
	mixed.Checks = pick(old.Checks, proposed.Checks, accepted.Checks)
	mixed.Params = pick(old.Params, proposed.Params, accepted.Checks)
	mixed.Projections = pick(old.Projections, proposed.Projections, accepted.Projections)
	mixed.Unstable = pick(old.Unstable, proposed.Unstable, accepted.Projections)
	mixed.Samples = min(old.Samples, proposed.Samples)
	mixed.Extra = old.Extra
	mixed.Unscored = nil
	for name, n := range pick(old.Unscored, proposed.Unscored, accepted.Checks) {
		if c, some := mixed.Checks[name]; some {
			n = min(n, mixed.Samples-min(c.Of, mixed.Samples)) // some of the samples have a verdict
		}
		if n = min(n, mixed.Samples); n > 0 {
			mixed.Unscored = put(mixed.Unscored, name, n)
		}
	}
	mixed.Pass, mixed.Score = judge(mixed.Checks)
	return mixed, nil
}

func put(counts map[string]int, name string, n int) map[string]int {
	if counts == nil {
		counts = map[string]int{}
	}
	counts[name] = n
	return counts
}

// pick returns the old entries, with those of the accepted names as the new
// side has them, or has them not.
func pick[V any](old, proposed map[string]V, accepted map[string]bool) map[string]V {
	mixed := map[string]V{}
	for name, v := range old {
		if !accepted[name] {
			mixed[name] = v
		}
	}
	for name, v := range proposed {
		if accepted[name] {
			mixed[name] = v
		}
	}
	return mixed
}

func judge(checks map[string]baseline.Check) (*baseline.Tally, *float64) {
	if len(checks) == 0 {
		return nil, nil
	}
	var worst *baseline.Tally
	sum := 0.0
	for _, name := range slices.Sorted(maps.Keys(checks)) { // floats add up alike only in one order
		c := checks[name]
		if worst == nil || c.Passed*worst.Of < worst.Passed*c.Of {
			worst = &c.Tally
		}
		if c.All() || c.None() {
			sum += (c.Low + c.High) / 2
		} else {
			sum += (float64(c.Passed)*c.High + float64(c.Of-c.Passed)*c.Low) / float64(c.Of)
		}
	}
	score := sum / float64(len(checks))
	return worst, &score
}
