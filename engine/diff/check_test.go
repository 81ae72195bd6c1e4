package diff

import (
	"testing"

	"docket/engine/baseline"
)

func check(passed, of int, low, high float64) baseline.Check {
	return baseline.Check{Tally: baseline.Tally{Passed: passed, Of: of}, Low: low, High: high}
}

// TestCheckOverSamples holds compareCheck to each sentence of the design's
// "Over samples" that speaks of checks and scores.
func TestCheckOverSamples(t *testing.T) {
	tests := []struct {
		name     string
		old, new baseline.Check
		want     Effect // "" where nothing differs
	}{
		{"all passed, all pass", check(5, 5, 1, 1), check(3, 3, 1, 1), ""},
		{"all passed, none passes", check(5, 5, 1, 1), check(0, 3, 0, 0), Lost},
		{"all passed, none passes in one sample", check(5, 5, 1, 1), check(0, 1, 0, 0), Lost},
		{"one sample each side", check(1, 1, 1, 1), check(0, 1, 0, 0), Lost},
		{"all passed, some pass", check(5, 5, 1, 1), check(2, 3, 0, 1), Unclear},
		{"all passed, 1 of 3 passes", check(5, 5, 1, 1), check(1, 3, 0, 1), Unclear},
		{"none passed, all pass", check(0, 5, 0, 0), check(3, 3, 1, 1), Gained},
		{"none passed, some pass", check(0, 5, 0, 0), check(1, 3, 0, 1), Unclear},
		{"none passed, none passes", check(0, 5, 0, 0), check(0, 3, 0, 0), ""},
		{"mostly passed, none of three passes", check(4, 5, 0, 1), check(0, 3, 0, 0), Lost},
		{"passed rather than not, none of three passes", check(3, 5, 0, 1), check(0, 3, 0, 0), Unclear},
		{"passed rather than not, none of four passes", check(3, 5, 0, 1), check(0, 4, 0, 0), Lost},
		{"failed rather than not, all of three pass", check(2, 5, 0, 1), check(3, 3, 1, 1), Unclear},
		{"mostly passed, none of two passes", check(4, 5, 0, 1), check(0, 2, 0, 0), Unclear},
		{"mostly passed, one of three passes", check(4, 5, 0, 1), check(1, 3, 0, 1), ""},
		{"mostly passed, all pass", check(4, 5, 0, 1), check(3, 3, 1, 1), ""},
		{"rarely passed, all of three pass", check(1, 5, 0, 1), check(3, 3, 1, 1), Gained},
		{"rarely passed, all of two pass", check(1, 5, 0, 1), check(2, 2, 1, 1), Unclear},
		{"rarely passed, none passes", check(1, 5, 0, 1), check(0, 3, 0, 0), ""},
		{"half passed, none of three passes", check(2, 4, 0, 1), check(0, 3, 0, 0), Unclear},
		{"half passed, none of one passes", check(2, 4, 0, 1), check(0, 1, 0, 0), ""},
		{"failing, worse in every sample", check(0, 5, .5, .6), check(0, 3, .2, .4), Fell},
		{"failing, ranges touch", check(0, 5, .5, .6), check(0, 3, .2, .5), ""},
		{"failing, better in every sample", check(0, 5, .5, .6), check(0, 3, .7, .9), Rose},
		{"failing, within the tolerance", check(0, 5, .5, .5), check(0, 3, .5-1e-9, .5-1e-9), ""},
		{"passing, score fell without a flip", check(5, 5, .9, 1), check(3, 3, .7, .8), Fell},
		{"a flip is told as a flip, not as a score", check(5, 5, 1, 1), check(0, 3, .2, .2), Lost},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, differs := compareCheck("refund_window", test.old, test.new, 1e-6)
			if differs != (test.want != "") || c.Effect != test.want {
				t.Errorf("effect %q, want %q", c.Effect, test.want)
			}
		})
	}
}
