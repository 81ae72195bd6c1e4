package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/diff"
	"docket/engine/phrase"
	"docket/engine/report"
	"docket/engine/run"
	"docket/engine/safetext"
	"docket/engine/stats"
)

// calibrateFlags are the flags of docket calibrate.
type calibrateFlags struct {
	engine.RunOptions
	system, mode, reason  string
	judges                string
	recapture, again, all bool
	inCI                  bool
}

func newCalibrate(a *app) *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate [SUITE]",
		Short: "take samples, keep what is stable, write a first baseline",
		Long: `Calibrate takes several samples of each case and writes a baseline of what all
samples agree on; what they disagree on is listed as a finding and not compared.
Over a baseline that exists it adds only the cases that have no line: accepting
changes is what docket review is for. It is your consent to the programs that
the configuration names.

--recapture takes samples of every case under another configuration (another
model, say) or of a baseline that expired, and writes nothing: the run is a
proposal, reviewed like any other. Once every change is decided docket write
writes it whole, header included.

--again measures the configuration of the baseline a second time and counts the
cases that docket lists although nothing changed: its own false alarms.`,
		Example: `  docket calibrate support --system support-production
  docket calibrate --samples 5
  docket calibrate --recapture --reason "the provider retires acorn-2026-05"
  docket calibrate --again`,
		Args: atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkCalibrate(cmd, &f); err != nil {
				return err
			}
			return a.eachSuite(cmd.Context(), args, f.all, func(p *engine.Project, name string) error {
				s, err := p.Open(name, f.system, f.mode)
				switch {
				case err != nil:
					return err
				}
				if err := s.AnswerJudges(f.judges); err != nil {
					return err
				}
				switch {
				case f.recapture:
					return a.recapture(cmd.Context(), s, f)
				case f.again:
					return a.again(cmd.Context(), s, f)
				default:
					return a.calibrate(cmd.Context(), s, f.RunOptions)
				}
			})
		},
	}
	cmd.Flags().StringVar(&f.system, "system", "", "the `name` of the system to measure (default: the suite's)")
	cmd.Flags().StringVar(&f.mode, "mode", "", "who answers for models: mock, replay or live")
	cmd.Flags().StringVar(&f.judges, "judges", "", "who answers for judges: mock, replay, live or record (default: as models)")
	cmd.Flags().IntVar(&f.Samples, "samples", 0, "samples of each case (default: the suite's, of a file of outputs all there are)")
	cmd.Flags().IntVar(&f.Jobs, "jobs", 1, "cases asked at once; the result is the same")
	cmd.Flags().StringArrayVar(&f.Cases, "case", nil, "only the case of this `id`; may be repeated")
	cmd.Flags().BoolVar(&f.Across, "across", false, "add lines to a baseline although model, parameters, environment or age differ")
	cmd.Flags().BoolVar(&f.recapture, "recapture", false, "propose to capture the whole baseline anew")
	cmd.Flags().StringVar(&f.reason, "reason", "", "with --recapture: why; recorded with the new header")
	cmd.Flags().BoolVar(&f.again, "again", false, "measure the same configuration twice, and count docket's own false alarms")
	cmd.Flags().BoolVar(&f.all, "all", false, "every suite in turn")
	cmd.Flags().BoolVar(&f.inCI, "in-ci", false, "recapture although CI is set")
	return cmd
}

// checkCalibrate refuses flags that contradict each other.
func (a *app) checkCalibrate(cmd *cobra.Command, f *calibrateFlags) error {
	switch {
	case f.Samples < 0 || f.Jobs < 0:
		return errors.New("--samples and --jobs count from 1")
	case f.recapture && f.again:
		return errors.New("--recapture is for another configuration and --again for the same one: give one of them")
	case f.Across && (f.recapture || f.again):
		return errors.New("--across is for adding lines to a baseline: leave it out with --recapture and --again")
	case f.reason != "" && !f.recapture:
		return errors.New("--reason is for --recapture")
	case f.recapture && strings.TrimSpace(f.reason) == "":
		return errNoReason
	case f.recapture:
		return a.refuseInCI(f.inCI, cmd.Name()+" --recapture")
	}
	return nil
}

func (a *app) calibrate(ctx context.Context, s *engine.Suite, o engine.RunOptions) error {
	progress := a.progress("calibrating " + s.Name)
	o.Progress = progress.tick
	c, err := s.Calibrate(ctx, o)
	progress.done()
	if err != nil && !errors.Is(err, engine.ErrNothingMeasured) {
		return err
	}
	a.printMeasured(s, c)
	if c.Run == nil {
		fmt.Fprintf(a.out, "%s has a line of %s for each of the %d cases: nothing to measure\nnext: %s\n", c.Path, safetext.Line(c.System), c.Skipped, s.DiffCommand())
		return nil
	}
	if err != nil {
		fmt.Fprintln(a.out, "nothing was measured, and no baseline was written")
		return exit{codeUnmeasured}
	}
	a.printUnstable(c)
	r := c.Receipt
	fmt.Fprintf(a.out, "wrote %s: %s added, %d as they were, over up to %s\n", c.Path, phrase.Count(r.Added, "line", "lines"), r.Untouched, phrase.Count(c.Samples, "sample", "samples"))
	if len(c.Failed) > 0 {
		fmt.Fprintf(a.out, "%s without a line\n", phrase.Count(len(c.Failed), "case", "cases"))
	}
	if older := s.Older(); older != "" && !c.Existing {
		fmt.Fprintf(a.out, "these are the answers of %s, which a diff then finds the same: for a baseline of %s remove %s and say docket calibrate %s --system %s\n",
			safetext.Line(c.System), safetext.Line(older), c.Path, safetext.Word(s.Name), safetext.Word(older))
	}
	fmt.Fprintf(a.out, "next: %s, then %s\n", c.AddLine(), s.DiffCommand())
	if len(c.Failed) > 0 {
		return errSomeFailed
	}
	return nil
}

// printMeasured prints which suite was measured, and what went wrong.
func (a *app) printMeasured(s *engine.Suite, c *engine.Calibration) {
	var sources []run.Source
	if c.Run != nil {
		sources = c.Run.Sources
	}
	fmt.Fprintf(a.out, "%s · %s · %s\n", safetext.Line(s.Name), safetext.Line(report.Answered(s.Mode, sources, time.Now())), safetext.Line(c.System))
	for _, f := range c.Failed {
		fmt.Fprintf(a.out, "  ✗ %s: %s\n", safetext.Line(f.ID), safetext.Line(f.Error))
	}
	if n := len(c.Unknown); n > 0 {
		fmt.Fprintf(a.out, "%s in the outputs and not in the suite: %s\n", phrase.Count(n, "id", "ids"), safetext.Line(phrase.Few(c.Unknown, 5)))
	}
}

// recapture takes the samples of a proposal, and says how it is decided.
func (a *app) recapture(ctx context.Context, s *engine.Suite, f calibrateFlags) error {
	progress := a.progress("capturing " + s.Name)
	f.Progress = progress.tick
	c, err := s.Recapture(ctx, f.RunOptions, f.reason)
	progress.done()
	if err != nil && !errors.Is(err, engine.ErrNothingMeasured) {
		return err
	}
	a.printMeasured(s, c)
	if err != nil {
		fmt.Fprintln(a.out, "nothing was measured, and nothing is proposed")
		return exit{codeUnmeasured}
	}
	a.printUnstable(c)
	fmt.Fprintf(a.out, "run %s proposes to take the place of %s, over up to %s; nothing is written yet\n", c.Run.ID, c.Path, phrase.Count(c.Samples, "sample", "samples"))
	fmt.Fprintf(a.out, "next: %s; once every change is decided, %s writes it whole\n", s.Command("review"), s.Command("write"))
	if len(c.Failed) > 0 {
		fmt.Fprintf(a.out, "%s: a recapture with failed cases can be looked at and not written\n", phrase.Count(len(c.Failed), "failed case", "failed cases"))
		return errSomeFailed
	}
	return nil
}

// again counts what docket lists when nothing changed.
func (a *app) again(ctx context.Context, s *engine.Suite, f calibrateFlags) error {
	progress := a.progress("measuring " + s.Name + " again")
	f.Progress = progress.tick
	f.Confirm = s.Confirms(f.RunOptions)
	found, err := s.Again(ctx, f.RunOptions)
	progress.done()
	if errors.Is(err, engine.ErrNothingMeasured) {
		fmt.Fprintln(a.out, "nothing was measured, and no false alarm was counted")
		return exit{codeUnmeasured}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s · %s · %s · the same configuration twice\n", safetext.Line(s.Name), safetext.Line(report.Answered(s.Mode, found.Report.Run.Sources, time.Now())), safetext.Line(s.System.Name))
	fmt.Fprintln(a.out, found.Alarms)
	if n := len(found.Report.Confirmed); n > 0 {
		fmt.Fprintf(a.out, "%s differed at first and had %d more samples taken\n", phrase.Count(n, "case", "cases"), f.Confirm)
	}
	if found.Rejected > 0 {
		fmt.Fprintf(a.out, "%s differs as it did when it was rejected, and is no false alarm\n", phrase.Count(found.Rejected, "more case", "more cases"))
	}
	fmt.Fprintln(a.out, report.Statuses(&found.Diff.Summary))
	for i := range found.Diff.Cases {
		c := &found.Diff.Cases[i]
		what := c.Signature()
		if c.Error != "" {
			what = c.Error
		} else if !c.Status.Decidable() {
			continue
		}
		fmt.Fprintf(a.out, "  %s  %s  %s\n", c.Status, safetext.Line(c.ID), phrase.Clip(safetext.Line(what), mostShown))
	}
	fmt.Fprintf(a.out, "kept with the results, and told by %s\n", s.Command("diff"))
	if n := found.Diff.Summary.Statuses; n[diff.Error]+n[diff.Missed] > 0 {
		return errSomeFailed
	}
	return nil
}

// mostShown is how many characters of a value a line can bear.
const mostShown = 120

// printUnstable lists what the samples disagreed on, as findings.
func (a *app) printUnstable(c *engine.Calibration) {
	if c.Repeated {
		fmt.Fprintln(a.out, "all samples of every case are the same to the byte: a seed, a cache or a temperature of 0 may stand behind that, and it is no evidence that anything is stable")
	}
	switch {
	case c.Samples <= 1:
		fmt.Fprintf(a.out, "one sample of each case is no evidence that anything is stable: %s; take more with --samples\n", stats.Evidence(1, 1))
		return
	case len(c.Unstable) == 0:
		fmt.Fprintf(a.out, "all samples agree on everything that was measured: %s\n", stats.Evidence(c.Samples, c.Samples))
		return
	}
	fmt.Fprintf(a.out, "compared is what held in all samples: %s\n", stats.Evidence(c.Samples, c.Samples))
	fmt.Fprintln(a.out, "unstable over the samples, and so not compared:")
	for _, u := range c.Unstable {
		kind := ""
		if u.Check {
			kind = ", a check, which stays compared"
		}
		fmt.Fprintf(a.out, "  %s in %d of %d cases%s\n", safetext.Line(u.Of), len(u.Cases), len(u.Cases)+u.Stable, kind)
		for i, w := range u.Cases {
			if i == 5 {
				fmt.Fprintf(a.out, "    and %d more\n", len(u.Cases)-i)
				break
			}
			fmt.Fprintf(a.out, "    %s: %s\n", safetext.Line(w.ID), phrase.Clip(safetext.Line(w.Spelled()), mostShown))
		}
	}
}
