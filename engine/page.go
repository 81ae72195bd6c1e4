package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/report"
	"docket/engine/results"
	"docket/engine/run"
)

// A Page is what a report has to show besides the diff, where it has room.
type Page struct {
	review *Review
	store  *results.Store // nil for two files
	trend  []report.PastRun
}

// mostPast is how many earlier runs a page draws.
const mostPast = 30

// Page opens what stands beside the cases of a diff: why they exist, their
// answers, past decisions, and earlier runs of the suite. It must be closed.
func (s *Suite) Page(ctx context.Context, d *diff.Diff, r *run.Run, base *baseline.File) (*Page, error) {
	v, err := s.Peek(ctx, d, r, base)
	if err != nil {
		return nil, err
	}
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	p := &Page{review: v, store: store}
	if p.trend, err = s.trend(ctx, store, base); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return p, nil
}

// Page is what stands beside the cases of two files.
func (p *Pair) Page() *Page {
	return &Page{review: newReview(&Review{Pair: p, Diff: p.Diff})}
}

// Close lets go of the store.
func (p *Page) Close() error {
	if p.store == nil {
		return nil
	}
	return p.store.Close()
}

// Trend are the earlier runs of the suite, the oldest first; none for two
// files.
func (p *Page) Trend() []report.PastRun { return p.trend }

// Beside returns what stands beside a case. Answers that cannot be read are
// named as such.
func (p *Page) Beside(ctx context.Context, c *diff.Case) report.Beside {
	about, _ := p.review.About(c.ID)
	b := report.Beside{Why: about.Provenance, Links: about.Links}
	if file, ok := p.review.caseFile(c.ID); ok {
		b.Path = file.Path
	}
	var o Outputs
	var err error
	if p.store == nil {
		o, err = p.review.Outputs(ctx, c.ID)
	} else {
		o, err = p.review.outputs(ctx, p.store, c)
	}
	if err != nil {
		o.NoOld, o.NoNew = err.Error(), err.Error()
	}
	b.Old, b.NoOld = texts(o.Old), o.NoOld
	b.New, b.NoNew = texts(o.New), o.NoNew
	if p.review.History == nil {
		return b
	}
	for _, past := range slices.Backward(p.review.Past(c.ID)) {
		b.Past = append(b.Past, fmt.Sprintf("%s, %s: %s, %s", past.At.Format("2006-01-02"), past.By, past.Verdict, past.Reason))
	}
	return b
}

// texts are the answers of samples, failures left out.
func texts(samples []run.Sample) []string {
	var list []string
	for _, s := range samples {
		if s.Error == "" {
			list = append(list, s.Output.Text)
		}
	}
	return list
}

// trend compares the last runs of the suite in this mode with the baseline of
// today. A run that cannot be compared any more is left out.
func (s *Suite) trend(ctx context.Context, store *results.Store, base *baseline.File) ([]report.PastRun, error) {
	runs, err := store.Runs(ctx, results.Filter{Suite: s.Name, Mode: s.Mode, Finished: true, Proposing: true, Limit: mostPast})
	if err != nil {
		return nil, err
	}
	var trend []report.PastRun
	for _, r := range slices.Backward(runs) {
		whole, err := store.Run(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		d, err := diff.Compare(base, whole, s.terms())
		if err != nil {
			continue // its lines are of a format that does not compare
		}
		past := report.PastRun{
			Label: r.Started.Format("2006-01-02"), Score: math.NaN(), Cost: math.NaN(), Changed: map[string]int{},
		}
		if d.Summary.Score.Known {
			past.Score = d.Summary.Score.New
		}
		for name, moved := range d.Summary.Projections {
			past.Changed[name] = moved.Changed
		}
		usage, err := store.Usage(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		if usage.Samples > 0 && usage.Priced == usage.Samples {
			past.Cost = usage.CostUSD
		}
		trend = append(trend, past)
	}
	return trend, nil
}
