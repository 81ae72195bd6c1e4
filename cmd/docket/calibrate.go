package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/report"
	"docket/engine/safetext"
)

func newCalibrate(a *app) *cobra.Command {
	var (
		o                     engine.RunOptions
		system, mode          string
		recapture, again, all bool
	)
	cmd := &cobra.Command{
		Use:   "calibrate [SUITE]",
		Short: "take samples, keep what is stable, write a first baseline",
		Long: `Calibrate takes several samples of each case and writes a baseline of what all
samples agree on; what they disagree on is listed as a finding and not compared.
Over a baseline that exists it adds only the cases that have no line: accepting
changes is what docket review is for. It is your consent to the programs that
the configuration names.`,
		Example: "  docket calibrate support --system support-production\n  docket calibrate --samples 5",
		Args:    atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if recapture || again {
				return errors.New("--recapture and --again are not available in this version: to capture a baseline anew, remove its file and calibrate")
			}
			if o.Samples < 0 || o.Jobs < 0 {
				return errors.New("--samples and --jobs count from 1")
			}
			return a.eachSuite(args, all, func(p *engine.Project, name string) error {
				return a.calibrate(cmd.Context(), p, name, system, mode, o)
			})
		},
	}
	cmd.Flags().StringVar(&system, "system", "", "the `name` of the system to measure (default: the suite's)")
	cmd.Flags().StringVar(&mode, "mode", "", "who answers for models: mock, replay or live")
	cmd.Flags().IntVar(&o.Samples, "samples", 0, "samples of each case (default: the suite's, of a file of outputs all there are)")
	cmd.Flags().IntVar(&o.Jobs, "jobs", 1, "cases asked at once; the result is the same")
	cmd.Flags().StringArrayVar(&o.Cases, "case", nil, "only the case of this `id`; may be repeated")
	cmd.Flags().BoolVar(&recapture, "recapture", false, "capture the baseline anew")
	cmd.Flags().BoolVar(&again, "again", false, "measure the same configuration twice")
	cmd.Flags().BoolVar(&all, "all", false, "every suite in turn")
	cmd.Flags().Lookup("recapture").Hidden = true
	cmd.Flags().Lookup("again").Hidden = true
	return cmd
}

func (a *app) calibrate(ctx context.Context, p *engine.Project, name, system, mode string, o engine.RunOptions) error {
	s, err := p.Open(name, system, mode)
	if err != nil {
		return err
	}
	progress := a.progress("calibrating " + name)
	o.Progress = progress.tick
	c, err := s.Calibrate(ctx, o)
	progress.done()
	if err != nil && !errors.Is(err, engine.ErrNothingMeasured) {
		return err
	}
	fmt.Fprintf(a.out, "%s · %s · %s\n", safetext.Line(s.Name), report.Reality(s.Mode), safetext.Line(s.System.Name))
	if c.Run == nil {
		fmt.Fprintf(a.out, "%s has a line for each of the %d cases: nothing to measure\nnext: docket diff %s\n", c.Path, c.Skipped, s.Name)
		return nil
	}
	for _, f := range c.Failed {
		fmt.Fprintf(a.out, "  ✗ %s: %s\n", safetext.Line(f.ID), safetext.Line(f.Error))
	}
	if n := len(c.Unknown); n > 0 {
		fmt.Fprintf(a.out, "%s in the outputs and not in the suite: %s\n", count(n, "id"), safetext.Line(few(c.Unknown)))
	}
	if err != nil {
		fmt.Fprintln(a.out, "nothing was measured, and no baseline was written")
		return exit{codeUnmeasured}
	}
	a.printUnstable(c)
	r := c.Receipt
	fmt.Fprintf(a.out, "wrote %s: %s added, %d as they were, over up to %s\n", c.Path, count(r.Added, "line"), r.Untouched, count(c.Samples, "sample"))
	if len(c.Failed) > 0 {
		fmt.Fprintf(a.out, "%s without a line\n", count(len(c.Failed), "case"))
	}
	fmt.Fprintf(a.out, "next: git add %s, then docket diff %s\n", c.Path, s.Name)
	if len(c.Failed) > 0 {
		return exit{codeUnmeasured}
	}
	return nil
}

// clip keeps a value to a length that a line can bear; what it leaves out is
// said.
func clip(s string) string {
	const most = 120
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return fmt.Sprintf("%s… (%d more characters)", string(runes[:most]), len(runes)-most)
}

// printUnstable lists what the samples disagreed on, as findings.
func (a *app) printUnstable(c *engine.Calibration) {
	if len(c.Unstable) == 0 {
		fmt.Fprintf(a.out, "all samples agree on everything that was measured\n")
		return
	}
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
			fmt.Fprintf(a.out, "    %s: %s\n", safetext.Line(w.ID), clip(safetext.Line(w.Spelled())))
		}
	}
}
