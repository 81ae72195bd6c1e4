package engine_test

import (
	"strings"
	"testing"

	"docket/engine"
	"docket/engine/provider"
	"docket/engine/run"
)

// TestARunStopsBeforeItCostsTooMuch: each case costs $0.00002.
func TestARunStopsBeforeItCostsTooMuch(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		m := newModelled(t)
		report := m.run("live", engine.RunOptions{MaxCost: 0.00005, Jobs: jobs})
		r := report.Run
		if m.asked.Load() != 2 || r.Interrupted || r.Whole || r.Results[2].Outcome != run.NotRun || r.Results[1].Outcome != run.Measured {
			t.Errorf("%d jobs: %d calls, %+v", jobs, m.asked.Load(), r.Results)
		}
		if report.Spent.Calls != 2 || report.Spent.USD < 0.00003 || !strings.Contains(report.Stopped, "stopped before it would cost more") {
			t.Errorf("%d jobs: %+v, %q", jobs, report.Spent, report.Stopped)
		}
	}
	m := newModelled(t)
	var spent []int
	o := engine.RunOptions{MaxCost: 1, Progress: func(int, int) {}, Spending: func(s provider.Spent) { spent = append(spent, s.Calls) }}
	if report := m.run("live", o); len(spent) != 3 || spent[2] != 3 || !report.Run.Whole || report.Stopped != "" {
		t.Errorf("a run that is cheap enough ends with %q", report.Stopped)
	}
	if e, ok, err := m.in("live").Estimate(t.Context(), engine.RunOptions{Samples: 5}, ""); err != nil || !ok || e.Cases != 3 || e.USD < 0.00029 || e.USD > 0.00031 {
		t.Errorf("the estimate is %+v, %v, %v", e, ok, err)
	}
	if _, ok, err := m.in("mock").Estimate(t.Context(), engine.RunOptions{}, ""); ok || err != nil {
		t.Errorf("a mock is estimated: %v", err)
	}
	if report := m.run("mock", engine.RunOptions{MaxCost: 0.00001}); report.Stopped != "" || report.Spent.Calls != 0 {
		t.Errorf("a run that costs nothing ends with %q, %+v", report.Stopped, report.Spent)
	}
	config := strings.ReplaceAll(m.config(), "    price: {input: 1, output: 2}\n", "")
	m.write(".docket.yaml", []byte(config))
	if _, err := m.in("live").Run(t.Context(), engine.RunOptions{MaxCost: 1}); err == nil || !strings.Contains(err.Error(), "add price: {input: …, output: …}") {
		t.Errorf("without a price: %v", err)
	}
}
