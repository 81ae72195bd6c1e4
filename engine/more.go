package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/measure"
	"docket/engine/results"
	"docket/engine/run"
)

// MoreOptions say which further samples are taken.
type MoreOptions struct {
	IDs      []string // the cases
	Samples  int      // of each
	Jobs     int
	Progress func(done, total int)
}

// Unsettled returns the ids of the cases of which further samples would tell
// more: those that some samples say differ and some do not.
func (v *Review) Unsettled() []string {
	var ids []string
	for i := range v.Diff.Cases {
		if c := &v.Diff.Cases[i]; c.Status == diff.Unsettled {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// More takes further samples of cases from the system that the reviewed run
// was made with, and returns the review as it is then. The samples are added
// to the run, in the results store too: their numbers go on, and each case is
// measured anew over all it has. To call it is consent to the programs that the
// configuration names.
//
// The review it was called on stays as it is for whoever still shows it, and
// shares its journal with the new one, which alone may decide from then on. A
// decision on a case whose line is another by now is stale. A case of which no
// further sample succeeded, or that an interrupt kept from its samples, stays as
// it was; the new review's Notes name it. Where that holds for all, it is the
// error, and nothing is changed. The error wraps ErrNoMore for a system that has
// no more to give.
func (v *Review) More(ctx context.Context, o MoreOptions) (*Review, error) {
	s, err := v.asked()
	if err != nil {
		return nil, err
	}
	if o.Samples < 1 || len(o.IDs) == 0 {
		return nil, errors.New("say of which cases, and how many samples")
	}
	store, err := s.Project.Store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	planned, err := v.further(ctx, s, store, o.IDs)
	if err != nil {
		return nil, err
	}
	r, err := s.sample(ctx, planned, o, v.Run)
	if err != nil {
		return nil, err
	}
	if err := store.Amend(context.WithoutCancel(ctx), r.run, r.results); err != nil {
		return nil, err
	}
	return v.with(ctx, r.run, r.notes)
}

// asked opens the suite with the system that made the reviewed run, its
// services answered as they were then, and fails where that is not what it was
// then.
func (v *Review) asked() (*Suite, error) {
	if v.Suite == nil {
		return nil, fmt.Errorf("%w: two files are reviewed, and nobody can be asked", ErrNoMore)
	}
	if v.Run.Recorded {
		return nil, fmt.Errorf("%w: run %s recorded, and what is asked now would not be among its recordings: run again on them, with --mode replay", ErrNoMore, v.Run.ID)
	}
	s := v.Suite
	if s.System.Name != v.Run.Config.System {
		other, err := s.Project.Open(s.Name, v.Run.Config.System, s.Mode)
		if err != nil {
			return nil, fmt.Errorf("the system of run %s cannot be asked again: %w", v.Run.ID, err)
		}
		other.KeyHosts = s.KeyHosts
		s = other
	}
	if err := s.gives(); err != nil {
		return nil, err
	}
	s, err := s.answering(v.Run)
	if err != nil {
		return nil, err
	}
	if fields := changedSince(v.Run.Config, s.header()); len(fields) > 0 {
		return nil, fmt.Errorf("%s changed since run %s, so that further samples would not belong to it: run again with `%s`", strings.Join(fields, ", "), v.Run.ID, s.Command("run"))
	}
	return s, nil
}

// answering returns the suite with its services answered by whoever answered
// them in a run.
func (s *Suite) answering(r *run.Run) (*Suite, error) {
	if s.servicesAnswer() == r.Services {
		return s, nil
	}
	as := *s
	if r.Services == "" || as.AnswerServices(r.Services) != nil {
		return nil, fmt.Errorf("which services system %s is given changed since run %s, so that further samples would not belong to it: run again with `%s`", s.System.Name, r.ID, s.Command("run"))
	}
	return &as, nil
}

// changedSince names the fields in which what is configured now differs from
// what a run was made with. What answers is known only afterwards.
func changedSince(then, now baseline.Header) []string {
	now.Answered, then.Answered = nil, nil
	now.Samples, then.Samples = 0, 0
	now.Recordings, then.Recordings = "", ""
	var fields []string
	for _, g := range diff.Differences(then, now) {
		fields = append(fields, g.Field)
	}
	return fields
}

// further plans the cases with the samples that the run has of them.
func (v *Review) further(ctx context.Context, s *Suite, store *results.Store, ids []string) ([]run.Planned, error) {
	lines := map[string][]byte{}
	for i := range v.Run.Results {
		lines[v.Run.Results[i].ID] = v.Run.Results[i].Line
	}
	var planned []run.Planned
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		at := slices.IndexFunc(s.planned, func(p run.Planned) bool { return p.Case.ID == id })
		if at < 0 || lines[id] == nil {
			return nil, fmt.Errorf("case %q was not measured in run %s, so there is nothing to add to", id, v.Run.ID)
		}
		p := s.planned[at]
		line, err := baseline.ParseLine(lines[id])
		if err != nil {
			return nil, fmt.Errorf("the run's line of case %q: %w", id, err)
		}
		if line.Input != p.Case.InputHash || line.Expect != p.Case.ExpectHash || len(diff.Reasked(line.Params, measure.Params(p.Checks))) > 0 {
			return nil, fmt.Errorf("case %q was edited since run %s: run again with `%s`", id, v.Run.ID, s.Command("run"))
		}
		if p.Before, err = store.Samples(ctx, v.Run.ID, id); err != nil {
			return nil, err
		}
		if len(p.Before) == 0 {
			return nil, fmt.Errorf("the answers of run %s are not on this machine, so further ones cannot be added: run again with `%s`", v.Run.ID, s.Command("run"))
		}
		planned = append(planned, p)
	}
	return planned, nil
}

// A grown is a run to which samples were added.
type grown struct {
	run     *run.Run     // with all results, without samples
	results []run.Result // those that changed, with all their samples
	notes   []string     // of cases that did not
}

// Put implements run.Sink: it keeps the samples for the store.
func (g *grown) Put(_ context.Context, r run.Result) error {
	g.results = append(g.results, r)
	return nil
}

// sample takes the further samples, and puts what they give into a copy of the
// run.
func (s *Suite) sample(ctx context.Context, planned []run.Planned, o MoreOptions, before *run.Run) (*grown, error) {
	sys, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	defer closeSystem(sys)
	judges, err := s.sit(ctx)
	if err != nil {
		return nil, err
	}
	defer judges.Close()
	copied := *before
	g := &grown{run: &copied}
	taken, err := run.Execute(ctx, run.Plan{
		ID: before.ID, Started: before.Started, Cases: planned, System: sys, Samples: o.Samples, Jobs: o.Jobs,
		Scrub: s.Project.scrubber(), Config: before.Config, Measure: s.measureBy(judges), Sink: g, Progress: o.Progress,
	})
	if err != nil {
		return nil, err
	}
	all := g.results
	g.results = nil
	for i, r := range all {
		if why := gained(&r, planned[i].Before); why != "" {
			g.notes = append(g.notes, why)
			continue
		}
		g.results = append(g.results, r)
	}
	switch {
	case len(g.results) > 0:
	case taken.Interrupted:
		return nil, fmt.Errorf("interrupted, and no sample was added: %w", context.Canceled)
	default:
		return nil, errors.New(strings.Join(g.notes, "; "))
	}
	models := map[string]bool{}
	for _, model := range slices.Concat(before.Config.Answered, taken.Config.Answered) {
		models[model] = true
	}
	g.run.Config.Answered = slices.Sorted(maps.Keys(models))
	g.run.Results = slices.Clone(before.Results)
	for _, r := range g.results {
		at, _ := slices.BinarySearchFunc(g.run.Results, r.ID, func(r run.Result, id string) int { return strings.Compare(r.ID, id) })
		r.Samples = nil
		g.run.Results[at] = r
	}
	return g, nil
}

// gained says why a case has no further sample, "" where it has one.
func gained(r *run.Result, before []run.Sample) string {
	if r.Outcome == run.NotRun {
		return fmt.Sprintf("interrupted before the further samples of case %q were there: none was added", r.ID)
	}
	why := r.Error
	for _, sample := range r.Samples[len(before):] {
		if sample.Error == "" && r.Outcome == run.Measured {
			return ""
		}
		if why == "" {
			why = sample.Error
		}
	}
	return fmt.Sprintf("no further sample of case %q succeeded, and none was added: %s", r.ID, why)
}

// with returns the review of the same baseline and another run, on the same
// journal.
func (v *Review) with(ctx context.Context, r *run.Run, notes []string) (*Review, error) {
	d, err := v.Suite.Compare(ctx, r, v.Base)
	if err != nil {
		return nil, err
	}
	next := newReview(&Review{Suite: v.Suite, Diff: d, Run: r, Base: v.Base, History: v.History, by: v.by, home: v.home, journal: v.journal, notes: notes})
	config := next.config()
	return next, v.journal.Rebind(config.Subject, config.Holds)
}
