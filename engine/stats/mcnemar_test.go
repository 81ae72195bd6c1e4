package stats

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestMcNemar(t *testing.T) {
	for _, tt := range []struct {
		worse, better int
		want          float64
		digits        int
	}{
		{0, 0, 1, 9},
		{5, 0, .0625, 9},
		{6, 0, .03125, 9},
		{7, 1, .0703125, 9},
		{8, 1, .0391, 4},
		{9, 1, .0215, 4},
		{8, 2, .1094, 4},
		{10, 2, .0386, 4},
		{12, 3, .0352, 4},
		{13, 4, .0490, 4},
		{15, 5, .0414, 4},
		{5, 5, 1, 9},
		{20, 10, .0987, 4},
		{21, 9, .0428, 4},
	} {
		within(t, fmt.Sprintf("McNemar(%d, %d)", tt.worse, tt.better), McNemar(tt.worse, tt.better), tt.want, tt.digits)
	}
	within(t, "McNemarMid(8, 2)", McNemarMid(8, 2), .0654, 4)
	within(t, "McNemarMid(0, 0)", McNemarMid(0, 0), 1, 9)
	unknownNumber(t, "McNemar(-1, 2)", McNemar(-1, 2))
	unknownNumber(t, "McNemarMid(1, -2)", McNemarMid(1, -2))
}

func TestMcNemarHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		worse := rapid.IntRange(0, 3000).Draw(t, "worse")
		better := rapid.IntRange(0, 3000).Draw(t, "better")
		p, mid := McNemar(worse, better), McNemarMid(worse, better)
		if !(p >= 0 && p <= 1) || !near(p, McNemar(better, worse)) {
			t.Fatalf("McNemar(%d, %d) = %v, mirrored %v", worse, better, p, McNemar(better, worse))
		}
		if !(mid >= -1e-12 && mid <= p+1e-12) {
			t.Fatalf("mid-p %v of %d and %d is not below the exact %v", mid, worse, better, p)
		}
		if more := max(worse, better) + 1; McNemar(more, min(worse, better)) > p+1e-12 {
			t.Fatalf("one more flip on the larger side of %d and %d raises p", worse, better)
		}
	})
}

func TestFlipsNeeded(t *testing.T) {
	for against, want := range []int{6, 8, 10, 12, 13, 15, 17, 18, 20} {
		if got := FlipsNeeded(against); got != want {
			t.Errorf("FlipsNeeded(%d) = %d, want %d", against, got, want)
		}
	}
	if got := FlipsNeeded(-1); got != 0 {
		t.Errorf("FlipsNeeded(-1) = %d, want 0", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		against := rapid.IntRange(0, 5000).Draw(t, "against")
		need := FlipsNeeded(against)
		if McNemar(need, against) > Alpha || McNemar(need-1, against) <= Alpha {
			t.Fatalf("FlipsNeeded(%d) = %d is not the first that is significant", against, need)
		}
	})
}

func TestMcNemarPower(t *testing.T) {
	for _, tt := range []struct {
		n             int
		worse, better float64
		want          float64
	}{
		{60, .05, .01, .05},
		{100, .05, .01, .20},
		{200, .05, .01, .56},
		{300, .05, .01, .79},
		{60, .10, .02, .28},
		{100, .10, .02, .56},
		{200, .10, .02, .91},
		{300, .10, .02, .98},
	} {
		within(t, fmt.Sprintf("McNemarPower(%d, %v, %v)", tt.n, tt.worse, tt.better), McNemarPower(tt.n, tt.worse, tt.better), tt.want, 2)
	}
	if got := McNemarPower(5, 1, 0); got != 0 {
		t.Errorf("five cases can show nothing, got power %v", got)
	}
	within(t, "every one of six flips", McNemarPower(6, 1, 0), 1, 9)
	if got := McNemarPower(100, 0, 0); got != 0 {
		t.Errorf("what never flips is never called, got %v", got)
	}
	if got := McNemarPower(0, .1, 0); got != 0 {
		t.Errorf("no case has power %v", got)
	}
	unknownNumber(t, "rates above 1 together", McNemarPower(10, .8, .4))
	unknownNumber(t, "a negative rate", McNemarPower(10, -.1, .4))
}

// An exact test never calls more than 5% of unchanged suites changed.
func TestMcNemarKeepsItsLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 150).Draw(t, "n")
		flip := rapid.Float64Range(0, 1).Draw(t, "flip")
		if power := McNemarPower(n, flip/2, flip/2); power > Alpha+1e-9 {
			t.Fatalf("%d unchanged cases that flip at %v are called changed with chance %v", n, flip, power)
		}
	})
}
