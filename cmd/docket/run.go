package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/phrase"
	"docket/engine/report"
	"docket/engine/run"
	"docket/engine/safetext"
)

// runFlags are the flags of docket run.
type runFlags struct {
	system, mode, services  string
	judges                  string
	format                  string
	samples, jobs, confirm  int
	cases, tags, keyHosts   []string
	all, across, reportOnly bool
	inCI, failed, resume    bool
	maxCost                 float64
}

func newRun(a *app) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [SUITE]",
		Short: "run a suite, store every output, compare with the baseline",
		Long: `Run asks the system for every case, judges the answers, stores them, and prints
what changed against the baseline. It is your consent to the programs that the
configuration names. Ctrl-C keeps what has finished, and so does a process that
is killed, but for its last second; --resume goes on from there without asking
twice. A run that was filtered or interrupted never removes or alters the line
of a case that it did not reach.

--max-cost takes a case to cost what samples and their verdicts have cost so far
on average, and sets that aside for each case under way. So it is passed only by
what the first case costs, of which nothing is known yet, and by what cases under
way, with their judges, cost more than that average.`,
		Example: `  docket run
  docket run support --system support-production --jobs 4
  docket run --mode record && docket run --mode replay
  docket run --mode live --max-cost 5 --jobs 8
  docket run --mode live --resume
  docket run --case summarise-0047 --samples 3`,
		Args: atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := report.FormatNamed(f.format)
			if err != nil {
				return err
			}
			if f.samples < 0 || f.jobs < 0 {
				return errors.New("--samples and --jobs count from 1")
			}
			if f.failed && f.resume {
				return errors.New("--failed asks again for what failed and --resume for what was not reached: say one of them, and then the other")
			}
			if f.maxCost < 0 || f.maxCost == 0 && cmd.Flags().Changed("max-cost") {
				return errors.New("--max-cost is an amount in US dollars, more than 0")
			}
			if f.confirm < 0 && cmd.Flags().Changed("confirm") {
				return errors.New("--confirm counts further samples, from 0 for none")
			}
			return a.eachSuite(cmd.Context(), args, f.all, func(p *engine.Project, name string) error {
				return a.runSuite(cmd.Context(), p, name, f, format)
			})
		},
	}
	cmd.Flags().StringVar(&f.system, "system", "", "the `name` of the system to ask (default: the suite's)")
	cmd.Flags().StringVar(&f.mode, "mode", "", "who answers for models: mock (the canned answers of the cases), replay (recordings), live, or record (live, with the answers saved); default: what the system says, else mock")
	cmd.Flags().StringVar(&f.judges, "judges", "", "who answers for judges: mock, replay, live or record (default: as models)")
	cmd.Flags().StringVar(&f.services, "services", "", "who answers for services: replay, live or record (default: recordings in mock and replay; in live, recordings where there are any)")
	cmd.Flags().StringArrayVar(&f.keyHosts, "key-host", nil, "a `host` that may be sent API keys, besides the vendors' own and loopback; may be repeated")
	cmd.Flags().Float64Var(&f.maxCost, "max-cost", 0, "stop before the case that would make the run cost more than so many US `dollars`")
	cmd.Flags().Lookup("max-cost").DefValue = "0"
	cmd.Flags().BoolVar(&f.resume, "resume", false, "go on with the last run: ask for the cases that it did not reach")
	cmd.Flags().BoolVar(&f.failed, "failed", false, "ask again for the cases of the last run that failed, and for no other")
	cmd.Flags().BoolVar(&f.inCI, "in-ci", false, "record although CI is set")
	cmd.Flags().IntVar(&f.samples, "samples", 0, "samples of each case (default: 1, of a file of outputs all there are)")
	cmd.Flags().IntVar(&f.confirm, "confirm", unsaid, "take `N` more samples of a case that differs before calling it changed; 0 for none (default: 2 in live mode where one sample is taken)")
	cmd.Flags().Lookup("confirm").DefValue = "0" // the default that the text tells depends on the mode
	cmd.Flags().IntVar(&f.jobs, "jobs", 1, "cases asked at once; the result is the same")
	cmd.Flags().StringArrayVar(&f.cases, "case", nil, "only the case of this `id`; may be repeated")
	cmd.Flags().StringArrayVar(&f.tags, "tag", nil, "only cases with this `tag`; may be repeated")
	cmd.Flags().StringVar(&f.format, "format", "text", "text, json, markdown, html or junit")
	cmd.Flags().BoolVar(&f.all, "all", false, "every suite in turn")
	cmd.Flags().BoolVar(&f.across, "across", false, "compare although model, parameters, environment or age differ, and say so")
	cmd.Flags().BoolVar(&f.reportOnly, "report-only", false, "exit 0 where a change or grounds would give 1 or 3")
	return cmd
}

func (a *app) runSuite(ctx context.Context, p *engine.Project, name string, f runFlags, format report.Format) error {
	s, err := p.Open(name, f.system, f.mode)
	if err != nil {
		return err
	}
	if err := s.AnswerJudges(f.judges); err != nil {
		return err
	}
	if err := s.AnswerServices(f.services); err != nil {
		return err
	}
	if s.Records() && a.ci() && !f.inCI {
		return fmt.Errorf("CI is set (%q), and recordings are made in a change of their own: record on your machine, or say --in-ci if this is meant", a.getenv("CI"))
	}
	s.KeyHosts = f.keyHosts
	progress := a.progress("running " + name)
	o := engine.RunOptions{Samples: f.samples, Jobs: f.jobs, Cases: f.cases, Tags: f.tags, Confirm: f.confirm, Progress: progress.tick}
	if f.confirm == unsaid {
		o.Confirm = s.Confirms(o)
	}
	o.MaxCost, o.Spending = f.maxCost, progress.spend
	if err := a.sayPrice(ctx, s, o, f.rest()); err != nil {
		return err
	}
	made, err := f.make(ctx, s, o)
	progress.done()
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // an interrupted run is told, too
	r := made.Run
	if err := s.Measures(r); err != nil {
		return err
	}
	notes := slices.Concat(s.Cautions(), runNotes(made), made.Recordings)
	notes = append(notes, spentNotes(made)...)
	if r.Recorded {
		notes = append(notes, "this run recorded, and is never written to a baseline: run again on the recordings, "+againOn(s.Mode))
	}
	if n := len(made.Confirmed); n > 0 {
		notes = append(notes, fmt.Sprintf("%s differed at first and had %d more samples taken", phrase.Count(n, "case", "cases"), o.Confirm))
	} else if f.confirm > 0 {
		notes = append(notes, s.WhyUnconfirmed()...)
	}
	if n := len(made.Unconfirmed); n > 0 {
		notes = append(notes, fmt.Sprintf("%s differed and could not be confirmed, since %d more samples would have cost more than $%.4f: %s", phrase.Count(n, "case", "cases"), o.Confirm, f.maxCost, phrase.Few(made.Unconfirmed, 5)),
			"take more samples of them with s in "+s.Command("review"))
	}
	base, err := s.Baseline()
	switch {
	case errors.Is(err, engine.ErrNoBaseline):
		if a.ci() {
			return err
		}
		return stopped(a.reportAlone(ctx, s, r, format, notes), made)
	case err != nil:
		return err
	}
	d, err := s.Compare(ctx, r, base)
	if err != nil {
		return err
	}
	err = a.report(ctx, s, d, r, base, format, reportOptions{runID: r.ID, across: f.across, reportOnly: f.reportOnly, notes: notes})
	if r.Interrupted {
		return exit{codeInterrupted}
	}
	return stopped(err, made)
}

// stopped makes a run that did not begin all its cases one that failed, where
// nothing else did.
func stopped(err error, made *engine.RunReport) error {
	if err == nil && made.Stopped != "" {
		return errSomeFailed
	}
	return err
}

// againOn says how a run that recorded is made on its recordings.
func againOn(mode string) string {
	if mode == "live" {
		return "with --mode replay"
	}
	return "without --services record"
}

// make runs the suite, or goes on with its last run.
func (f runFlags) make(ctx context.Context, s *engine.Suite, o engine.RunOptions) (*engine.RunReport, error) {
	if rest := f.rest(); rest != "" {
		return s.Resume(ctx, o, rest)
	}
	return s.Run(ctx, o)
}

// rest is what of the last run is asked for again; "" for a run of its own.
func (f runFlags) rest() engine.Rest {
	switch {
	case f.failed:
		return engine.Failures
	case f.resume:
		return engine.Unreached
	}
	return ""
}

// sayPrice says what a live run is expected to cost, before it is made.
func (a *app) sayPrice(ctx context.Context, s *engine.Suite, o engine.RunOptions, rest engine.Rest) error {
	e, known, err := s.Estimate(ctx, o, rest)
	if err != nil || !known {
		return err
	}
	judges, most := "", ""
	switch {
	case e.Judges > 0:
		judges = fmt.Sprintf(", $%.4f of it for judges", e.Judges)
	case e.JudgesUnknown:
		judges = "; what its judges will cost is not known, since no run that is stored tells"
	}
	if e.Most > e.USD {
		most = fmt.Sprintf("; at most about $%.4f, if every case differs and %d more samples of each confirm it", e.Most, e.Confirm)
	}
	fmt.Fprintf(a.err, "expected to cost $%.4f for %s, by run %s%s%s\n", e.USD, phrase.Count(e.Cases, "case", "cases"), e.Run, judges, most)
	return nil
}

// spentNotes say what a run cost, and why it stopped.
func spentNotes(made *engine.RunReport) []string {
	var notes []string
	if n := made.Spent.Calls; n > 0 {
		note := fmt.Sprintf("%s of models, $%.4f", phrase.Count(n, "call", "calls"), made.Spent.USD)
		if made.Spent.Unknown > 0 {
			note = fmt.Sprintf("%s of models; what %s cost is not known, since no price is given", phrase.Count(n, "call", "calls"), phrase.Count(made.Spent.Unknown, "call", "calls"))
		}
		notes = append(notes, note)
	}
	if made.Stopped != "" {
		notes = append(notes, made.Stopped, "go on with --resume")
	}
	return notes
}

// unsaid is a number that nobody gave on the command line.
const unsaid = -1

func runNotes(made *engine.RunReport) []string {
	notes := []string{"run " + made.Run.ID}
	notes = append(notes, unknownNotes(made.Unknown)...)
	if made.Run.Interrupted {
		notes = append(notes, "interrupted: what finished is kept, the other cases keep their lines")
	}
	return notes
}

// unknownNotes name the ids in the outputs that the suite lacks.
func unknownNotes(ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s in the outputs and not in the suite: %s", phrase.Count(len(ids), "id", "ids"), phrase.Few(ids, 5))}
}

// reportAlone prints a run that has no baseline beside it.
func (a *app) reportAlone(ctx context.Context, s *engine.Suite, r *run.Run, format report.Format, notes []string) error {
	next, remark := s.FirstBaseline()
	if remark != "" {
		next += "; " + remark
	}
	if format.Name == "text" {
		a.printRun(s, r, notes)
		fmt.Fprintf(a.out, "there is no baseline to compare with yet\nnext: %s\n", safetext.Line(next))
		return a.codeOfRun(r)
	}
	d, err := s.Compare(ctx, r, &baseline.File{Header: r.Config})
	if err != nil {
		return err
	}
	if err := format.Write(a.out, &report.Report{Diff: d, Sources: r.Sources, Now: time.Now(), RunID: r.ID, Notes: notes, NoBaseline: true, Next: []string{next}}); err != nil {
		return err
	}
	return a.codeOfRun(r)
}

// printRun prints what became of the cases of a run by itself.
func (a *app) printRun(s *engine.Suite, r *run.Run, notes []string) {
	fmt.Fprintf(a.out, "%s · %s · %s\n", safetext.Line(s.Name), safetext.Line(report.Answered(s.Mode, r.Sources, time.Now())), safetext.Line(s.System.Name))
	for _, note := range notes {
		fmt.Fprintln(a.out, safetext.Line(note))
	}
	counts := map[run.Outcome]int{}
	for i := range r.Results {
		result := &r.Results[i]
		counts[result.Outcome]++
		if result.Error != "" {
			fmt.Fprintf(a.out, "  ✗ %s: %s\n", safetext.Line(result.ID), safetext.Line(result.Error))
		}
	}
	fmt.Fprintf(a.out, "%s: %d measured, %d failed, %d not run\n", phrase.Count(len(r.Results), "case", "cases"), counts[run.Measured], counts[run.Failed]+counts[run.Missed], counts[run.NotRun])
}

func (a *app) codeOfRun(r *run.Run) error {
	if r.Interrupted {
		return exit{codeInterrupted}
	}
	failed, measured := false, false
	for i := range r.Results {
		o := r.Results[i].Outcome
		failed = failed || o == run.Failed || o == run.Missed
		measured = measured || o == run.Measured
	}
	switch {
	case failed && !measured:
		return exit{codeUnmeasured}
	case failed:
		return errSomeFailed
	}
	return nil
}
