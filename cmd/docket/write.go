package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/report"
	"docket/engine/safetext"
)

func newWrite(a *app) *cobra.Command {
	var (
		mode         string
		dryRun, inCI bool
	)
	cmd := &cobra.Command{
		Use:   "write [SUITE]",
		Short: "write what is decided to the baseline, and read it back",
		Long: `Write records the decisions in a file of their own and writes the accepted
lines, as they were seen, into the baseline. Undecided and rejected cases keep
their line byte for byte. Where the baseline changed on disk meanwhile, nothing
is overwritten.`,
		Example: "  docket write --dry-run\n  docket write support",
		Args:    atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.refuseInCI(inCI || dryRun, "write"); err != nil {
				return err
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			s, err := p.Open(name, "", mode)
			if err != nil {
				return err
			}
			v, err := a.reviewOf(cmd, s)
			if err != nil {
				return err
			}
			defer v.Close()
			if dryRun {
				return a.printPlan(v)
			}
			return a.write(v)
		},
	}
	cmd.Flags().StringVar(&mode, "mode", "", "whose baseline: mock, replay or live")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be written, and write nothing")
	cmd.Flags().BoolVar(&inCI, "in-ci", false, "write although CI is set")
	return cmd
}

func (a *app) printPlan(v *engine.Review) error {
	plan, err := v.Plan()
	if err != nil {
		return err
	}
	lines := report.Planned(v.Target(), &plan)
	for _, line := range lines[:len(lines)-len(plan.Stale)] {
		fmt.Fprintln(a.out, line)
	}
	for _, item := range plan.Record {
		d := &item.Decision
		fmt.Fprintf(a.out, "  %s  %s  %s\n", d.Verdict, safetext.Line(d.Case), safetext.Line(d.Reason))
	}
	for _, line := range report.Stale(plan.Stale) {
		fmt.Fprintln(a.out, line)
	}
	return a.lapsed(v, len(plan.Stale) > 0)
}

func (a *app) write(v *engine.Review) error {
	plan, err := v.Plan()
	if err != nil {
		return err
	}
	switch {
	case len(plan.Record)+len(plan.Stale) > 0:
	case len(v.Stale()) > 0:
		fmt.Fprintf(a.out, "nothing was written: decide again on what is stale, with `docket review %s`\n", safetext.Line(v.Suite.Name))
		return a.lapsed(v, true)
	default:
		return fmt.Errorf("nothing is decided on suite %s: decide with `docket review %s`, or `docket accept ID --reason TEXT`", v.Suite.Name, v.Suite.Name)
	}
	outcome, err := v.Write()
	if err != nil {
		return err
	}
	for _, line := range report.Wrote(&outcome) {
		fmt.Fprintln(a.out, line)
	}
	if outcome.File != "" {
		fmt.Fprintf(a.out, "next: %s\n", safetext.Line(v.AddLine(outcome)))
	}
	return a.lapsed(v, len(outcome.Stale) > 0)
}

// lapsed lists the decisions that stopped holding when the baseline or the run
// changed after they were taken, and returns the exit code that they and other
// stale ones call for.
func (a *app) lapsed(v *engine.Review, stale bool) error {
	for _, d := range v.Stale() {
		fmt.Fprintf(a.out, "  stale, not written: %s of %s (%s), since its line is another by now\n", safetext.Line(d.Verdict), safetext.Line(d.Row), safetext.Line(d.Reason))
		stale = true
	}
	if stale {
		return exit{codeChange}
	}
	return nil
}
