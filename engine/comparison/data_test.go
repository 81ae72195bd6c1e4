package comparison

import (
	"bufio"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/engine/baseline"
	"docket/engine/results"
	"docket/engine/run"
)

// lines reads a file of real outputs, or skips the test where there is none.
func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("the real outputs are not beside this repository: %v", err)
	}
	defer f.Close()
	var list []T
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var one T
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

type sample struct {
	ID        string
	Sample    int
	Text      string
	Error     *string
	LatencyMS *float64 `json:"latency_ms"`
	ToolCalls []struct {
		Name      string
		Arguments map[string]any
	} `json:"tool_calls"`
}

// judged is a run over a file of outputs, of which right says which are right.
func judged(t *testing.T, name string, right func(s *sample) bool) Side {
	t.Helper()
	side := Side{Name: filepath.Base(name), Run: &run.Run{ID: name, Config: baseline.Header{Mode: "live"}}}
	seen := map[string]bool{}
	for _, s := range lines[sample](t, name) {
		if !seen[s.ID] {
			seen[s.ID] = true
			side.Run.Results = append(side.Run.Results, run.Result{ID: s.ID, Outcome: run.Measured})
		}
		took := results.Took{Case: s.ID, Sample: s.Sample, LatencyMS: s.LatencyMS, Failed: s.Error != nil}
		if !took.Failed {
			ok := right(&s)
			score := 0.0
			if ok {
				score = 1
			}
			took.Pass, took.Score = &ok, &score
		}
		side.Took = append(side.Took, took)
	}
	return side
}

// TestRealSystems compares real systems, and computes what it finds a second
// time: the flips by counting, p from binomial coefficients, the interval from
// the differences.
func TestRealSystems(t *testing.T) {
	labels := map[string][]string{}
	for _, c := range lines[struct {
		ID     string
		Expect struct{ Labels []string }
	}](t, "classify-intent-4systems-10runs/cases.jsonl") {
		labels[c.ID] = slices.Sorted(slices.Values(c.Expect.Labels))
	}
	intents := func(s *sample) bool {
		var chosen []string
		return json.Unmarshal([]byte(s.Text), &chosen) == nil && slices.Equal(slices.Sorted(slices.Values(chosen)), labels[s.ID])
	}
	units := func(s *sample) bool { return len(s.ToolCalls) == 1 && len(s.ToolCalls[0].Arguments) <= 2 }
	for _, pair := range []struct {
		first, second string
		right         func(s *sample) bool
		t             float64 // Student's t of the cases less one, 97.5%
	}{
		{"classify-intent-4systems-10runs/gpt-4o-mini-2024-07-18-via-OpenAI-structured-output.jsonl", "classify-intent-4systems-10runs/llama-3-8b-instruct-4bit-via-LMFormatEnforcer.jsonl", intents, 2.0096},
		{"tool-bfcl-simple-2systems/claude-version-not-recorded-BFCL-PR-1205.jsonl", "tool-bfcl-simple-2systems/deepseek-version-not-recorded-BFCL-PR-1205.jsonl", units, 1.972},
	} {
		a, b := judged(t, pair.first, pair.right), judged(t, pair.second, pair.right)
		c, err := Compare("real", []Side{a, b}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := c.Pairs[0].Passing
		worse, better, differences := again(a, b)
		if got.Worse != worse || got.Better != better || got.Cases != len(differences) {
			t.Errorf("%d worse and %d better of %d, counted again %d and %d of %d", got.Worse, got.Better, got.Cases, worse, better, len(differences))
		}
		if p := exact(worse, better); math.Abs(p-got.P) > 1e-12 {
			t.Errorf("p is %v, computed again %v", got.P, p)
		}
		mean, se := spread(differences)
		if low, high := mean-pair.t*se, mean+pair.t*se; math.Abs(got.Interval.Low-low) > 2e-4 || math.Abs(got.Interval.High-high) > 2e-4 {
			t.Errorf("the interval is %v to %v, computed again %v to %v", got.Interval.Low, got.Interval.High, low, high)
		}
		t.Logf("%s against %s: %v", b.Name, a.Name, got)
	}
}

// again counts flips of the majority, case by case.
func again(a, b Side) (worse, better int, differences []float64) {
	passes := func(s Side) map[string][2]int {
		all := map[string][2]int{}
		for _, took := range s.Took {
			if took.Pass == nil {
				continue
			}
			n := all[took.Case]
			n[1]++
			if *took.Pass {
				n[0]++
			}
			all[took.Case] = n
		}
		return all
	}
	first, second := passes(a), passes(b)
	for id, x := range first {
		y, both := second[id]
		if !both {
			continue
		}
		before, after := 2*x[0] > x[1], 2*y[0] > y[1]
		switch {
		case before && !after:
			worse++
			differences = append(differences, -1)
		case after && !before:
			better++
			differences = append(differences, 1)
		default:
			differences = append(differences, 0)
		}
	}
	return worse, better, differences
}

// exact is min(1, 2·Σ C(n, i)/2ⁿ) in whole numbers.
func exact(worse, better int) float64 {
	n := int64(worse + better)
	sum := new(big.Int)
	for i := int64(0); i <= int64(min(worse, better)); i++ {
		sum.Add(sum, new(big.Int).Binomial(n, i))
	}
	p, _ := new(big.Rat).SetFrac(sum.Lsh(sum, 1), new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
	return min(1, p)
}

func spread(differences []float64) (mean, se float64) {
	n := float64(len(differences))
	for _, d := range differences {
		mean += d / n
	}
	sum := 0.0
	for _, d := range differences {
		sum += (d - mean) * (d - mean)
	}
	return mean, math.Sqrt(sum/(n-1)) / math.Sqrt(n)
}
