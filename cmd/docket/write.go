package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/decision"
	"docket/engine/diff"
	"docket/engine/report"
	"docket/engine/safetext"
)

func newWrite(a *app) *cobra.Command {
	var (
		mode, system string
		dryRun, inCI bool
		across       bool
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
			s, err := p.Open(name, system, mode)
			if err != nil {
				return err
			}
			v, err := a.reviewOf(cmd, s)
			if err != nil {
				return err
			}
			defer v.Close()
			if err := refuseIncomparable(v, across, "write"); err != nil {
				return err
			}
			if dryRun {
				return a.printPlan(cmd.Context(), v)
			}
			return a.write(cmd.Context(), v)
		},
	}
	cmd.Flags().StringVar(&mode, "mode", "", "whose baseline: mock, replay or live")
	cmd.Flags().StringVar(&system, "system", "", "the `name` of the system whose outputs were reviewed (default: the suite's)")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be written, and write nothing")
	cmd.Flags().BoolVar(&across, "across", false, "write lines although model, parameters, environment or age differ")
	cmd.Flags().BoolVar(&inCI, "in-ci", false, "write although CI is set")
	return cmd
}

func (a *app) printPlan(ctx context.Context, v *engine.Review) error {
	plan, err := v.Plan(ctx)
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
	if v.Diff.Recapture != "" {
		fmt.Fprintf(a.out, "  and the header, and the lines of all other cases, as run %s captured them\n", v.Run.ID)
		if err := v.Unready(); err != nil {
			return err
		}
	}
	return codeOfStale(plan.Stale)
}

func (a *app) write(ctx context.Context, v *engine.Review) error {
	plan, err := v.Plan(ctx)
	if err != nil {
		return err
	}
	if err := v.Unready(); err != nil {
		return err
	}
	switch {
	case len(plan.Record) > 0, v.Diff.Recapture != "":
	case len(plan.Stale) > 0:
		for _, line := range report.Stale(plan.Stale) {
			fmt.Fprintln(a.out, line)
		}
		fmt.Fprintf(a.out, "nothing was written: decide again on what is stale, with `%s`\n", v.Suite.Command("review"))
		return codeOfStale(plan.Stale)
	default:
		return fmt.Errorf("nothing is decided on suite %s: decide with `%s`, or `%s --reason TEXT`", v.Suite.Name, v.Suite.Command("review"), acceptCommand(v.Suite))
	}
	outcome, err := v.Write(ctx)
	if err != nil {
		return err
	}
	for _, line := range report.Wrote(&outcome) {
		fmt.Fprintln(a.out, line)
	}
	if outcome.Receipt.HeaderReplaced {
		how := "captured anew"
		if v.Diff.Rescored {
			how = "judged again"
		}
		fmt.Fprintf(a.out, "%s, with the header of run %s: %s\n", how, v.Run.ID, safetext.Line(v.Diff.Recapture))
	}
	if outcome.File != "" {
		fmt.Fprintf(a.out, "next: %s\n", safetext.Line(v.AddLine(outcome)))
	}
	return codeOfStale(outcome.Stale)
}

func codeOfStale(stale []decision.Stale) error {
	if len(stale) > 0 {
		return exit{codeChange}
	}
	return nil
}

// grounds names the fields that call for a recapture.
func grounds(d *diff.Diff) string {
	fields := make([]string, len(d.Grounds))
	for i, g := range d.Grounds {
		fields[i] = g.Field
	}
	return strings.Join(fields, ", ")
}
