package engine

import (
	"context"

	"docket/engine/panel"
	"docket/engine/results"
	"docket/engine/run"
)

// An Estimate is what a run is expected to cost.
type Estimate struct {
	USD   float64 // of models and judges
	Cases int
	Run   string // the run that it is taken from
	// Judges is what of USD its judges are expected to cost; JudgesUnknown says
	// that they are asked, and that no stored run tells at what cost.
	Judges        float64
	JudgesUnknown bool
	// Most is what it would cost if every case differed from the baseline and
	// Confirm more samples of each were taken; USD where none would be.
	Most    float64
	Confirm int
}

// Estimate returns what a live run with these options is expected to cost, by
// what samples of the last live run of the same system cost on average, and by
// what each judge cost a sample when it was last asked; with a rest, not "", what
// going on with that run is. There is false where nothing is to be paid, where no
// such run is stored, or where Resume would refuse.
func (s *Suite) Estimate(ctx context.Context, o RunOptions, rest Rest) (Estimate, bool, error) {
	models := s.Mode == "live" && len(s.System.Needs.Providers) > 0
	if !models && !s.asksJudge() {
		return Estimate{}, false, nil
	}
	planned, err := s.choose(o)
	if err != nil {
		return Estimate{}, false, err
	}
	store, err := s.Project.Store(ctx)
	if err != nil {
		return Estimate{}, false, err
	}
	defer store.Close()
	const back = 20 // runs in which a judge's cost is looked for
	runs, err := store.Runs(ctx, results.Filter{Suite: s.Name, Mode: s.Mode, System: s.System.Name, Finished: true, Limit: back})
	if err != nil || len(runs) == 0 {
		return Estimate{}, false, err
	}
	e := Estimate{Run: runs[0].ID}
	sample := 0.0
	if models {
		answer, known, err := answerCost(ctx, store, runs[0].ID, planned)
		if err != nil || !known {
			return Estimate{}, false, err
		}
		sample = answer
	}
	verdicts := 0.0
	if s.asksJudge() {
		cost, of, err := s.verdictCost(ctx, store, runs)
		switch {
		case err != nil, of == "" && !models:
			return Estimate{}, false, err
		case of == "":
			e.JudgesUnknown = true
		case !models:
			e.Run = of
		}
		verdicts = cost
	}
	if rest != "" {
		before, err := s.resumable(ctx, store)
		if err != nil {
			return Estimate{}, false, nil
		}
		if planned, err = s.rest(before, o, rest); err != nil {
			return Estimate{}, false, nil
		}
		o = o.goingOn(before)
	}
	for _, p := range planned {
		if !p.Skip {
			e.Cases++
		}
	}
	e.Judges = verdicts * float64(e.Cases*max(o.Samples, 1))
	e.USD = sample*float64(e.Cases*max(o.Samples, 1)) + e.Judges
	c, err := s.confirming(ctx, o.Confirm, store)
	if err != nil {
		return Estimate{}, false, err
	}
	if c != nil {
		e.Confirm = c.n
	}
	e.Most = e.USD + (sample+verdicts)*float64(e.Cases*e.Confirm)
	return e, true, nil
}

// answerCost is what a sample of a run cost on average, by those of the planned
// cases; false where none of them says.
func answerCost(ctx context.Context, store *results.Store, runID string, planned []run.Planned) (usd float64, known bool, err error) {
	const most = 100 // cases that are looked at
	sum, n := 0.0, 0
	for _, p := range planned[:min(most, len(planned))] {
		samples, err := store.Samples(ctx, runID, p.Case.ID)
		if err != nil {
			return 0, false, err
		}
		for _, sample := range samples {
			if sample.Output.CostUSD != nil {
				sum += *sample.Output.CostUSD
				n++
			}
		}
	}
	if n == 0 {
		return 0, false, nil
	}
	return sum / float64(n), true, nil
}

// verdictCost is what the judges of the suite cost a sample together, each by the
// newest of the runs that asked it and knows its price, and the newest of these
// runs; "" where some judge was not asked in any.
func (s *Suite) verdictCost(ctx context.Context, store *results.Store, runs []*run.Run) (usd float64, of string, err error) {
	newest := len(runs)
	for _, j := range s.judges {
		at, paid := lastAsked(runs, j.Name)
		if at < 0 {
			return 0, "", nil
		}
		used, err := store.Usage(ctx, runs[at].ID)
		if err != nil {
			return 0, "", err
		}
		usd += paid / float64(max(used.Samples, 1))
		newest = min(newest, at)
	}
	return usd, runs[newest].ID, nil
}

// lastAsked finds the first of the runs in which a judge was paid for its
// verdicts, and what it got; -1 where there is none.
func lastAsked(runs []*run.Run, judge string) (at int, usd float64) {
	for i := range runs {
		for _, from := range runs[i].Sources {
			if from.Name == panel.Source(judge) && from.USD > 0 {
				return i, from.USD
			}
		}
	}
	return -1, 0
}
