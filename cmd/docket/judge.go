package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/engine/disk"
	"docket/engine/judge"
	"docket/engine/phrase"
)

func newJudge(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "hold a judge to what people say",
		Long: `A judge is a part of the instrument: before its verdicts count, see how they
meet those of people.

Exit codes: those of docket judge check.`,
		Example: `  docket judge check labels.jsonl --judge tone --ask`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return errors.New("say what of the judge: docket judge check LABELS.jsonl")
		},
	}
	cmd.AddCommand(newJudgeCheck(a))
	return cmd
}

// judgeCheckFlags are the flags of docket judge check.
type judgeCheckFlags struct {
	judge, format string
	ask           bool
	keyHosts      []string
}

func newJudgeCheck(a *app) *cobra.Command {
	var f judgeCheckFlags
	cmd := &cobra.Command{
		Use:   "check LABELS.jsonl",
		Short: "a judge's verdicts against people's labels",
		Long: `Check counts how a judge's verdicts meet the labels of people: the four counts,
agreement with its interval, which share of good outputs it passes and of bad
ones it fails, and kappa last, which says little where nearly all passes.

Each line of the file is an object with "output", "rubric" and "label" (pass or
fail), and if wanted "id" and "input". Where it has a "verdict" of the judge, that
counts; the others are asked with --ask, which costs what the judge costs.

Exit codes: 0 counted; 2 something is wrong, or a verdict is missing and --ask was
not given; 4 the judge gave no verdict at all; 130 interrupted.`,
		Example: `  docket judge check labels.jsonl --judge tone --ask
  docket judge check judged.jsonl --format json`,
		Args: exactly("a file of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := judge.FormatNamed(f.format); err != nil {
				return err
			}
			return a.judgeCheck(cmd.Context(), args[0], f)
		},
	}
	cmd.Flags().StringVar(&f.judge, "judge", "", "the judge to ask (default: the only one)")
	cmd.Flags().BoolVar(&f.ask, "ask", false, "ask the judge for the verdicts that the file has not got")
	cmd.Flags().StringArrayVar(&f.keyHosts, "key-host", nil, "a `host` that may be sent API keys, besides the vendors' own and loopback; may be repeated")
	cmd.Flags().StringVar(&f.format, "format", "text", "text or json")
	return cmd
}

func (a *app) judgeCheck(ctx context.Context, file string, f judgeCheckFlags) error {
	data, err := disk.ReadNamed(file, judge.MaxLabels)
	if err != nil {
		return err
	}
	labels, err := judge.ReadLabels(file, data)
	if err != nil {
		return err
	}
	missing := 0
	for i := range labels {
		if labels[i].Judge == nil && labels[i].Unscored == "" {
			missing++
		}
	}
	var tally judge.Tally
	if missing > 0 {
		if !f.ask {
			return fmt.Errorf("%s in %s without a verdict of the judge: --ask asks it, for money", phrase.Count(missing, "label is", "labels are"), file)
		}
		p, err := a.load()
		if err != nil {
			return err
		}
		j, err := p.Judge(f.judge)
		if err != nil {
			return err
		}
		progress := a.progress("asking the judge " + j.Name)
		tally, err = p.AskJudge(ctx, j, labels, f.keyHosts, progress.tick)
		progress.done()
		if err != nil {
			return err
		}
	}
	return a.printAgreement(labels, tally, f.format)
}

// printAgreement prints how judge and people agree.
func (a *app) printAgreement(labels []judge.Label, tally judge.Tally, format string) error {
	f, err := judge.FormatNamed(format)
	if err != nil {
		return err
	}
	report := judge.NewReport(labels, tally)
	if err := f.Write(a.out, report); err != nil {
		return err
	}
	if report.Counts.Of() == 0 {
		return exit{codeUnmeasured}
	}
	return nil
}
