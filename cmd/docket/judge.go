package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/spf13/cobra"

	"docket/engine/judge"
	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/stats"
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
			if f.format != "text" && f.format != "json" {
				return fmt.Errorf("there is no format %q: say text or json", f.format)
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
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", file, errors.Unwrap(err))
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
	c, without := judge.Agree(labels)
	if format == "json" {
		if err := json.NewEncoder(a.out).Encode(agreementOf(c, without)); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.out, c)
		if without > 0 {
			fmt.Fprintf(a.out, "%s no verdict, and none of the numbers\n", phrase.Count(without, "output has", "outputs have"))
		}
		for i := range labels {
			if l := &labels[i]; l.Judge == nil || *l.Judge != l.Human {
				fmt.Fprintf(a.out, "  %s: %s\n", safetext.Line(l.ID), disagreement(l))
			}
		}
		if tally.Spent.USD > 0 {
			fmt.Fprintf(a.out, "the judge cost $%.4f for %s\n", tally.Spent.USD, phrase.Count(tally.Asked, "verdict", "verdicts"))
		}
	}
	if c.Of() == 0 {
		return exit{codeUnmeasured}
	}
	return nil
}

func disagreement(l *judge.Label) string {
	switch {
	case l.Judge == nil:
		return safetext.Line(phrase.Clip(l.Unscored, 160))
	case *l.Judge:
		return "the judge passes what people fail"
	default:
		return "the judge fails what people pass"
	}
}

// The documented JSON, format 1; a number that cannot be known is null.
type jsonAgreement struct {
	Format    int      `json:"format"`
	Of        int      `json:"of"`
	BothPass  int      `json:"both_pass"`
	JudgePass int      `json:"only_judge_passes"`
	HumanPass int      `json:"only_people_pass"`
	BothFail  int      `json:"both_fail"`
	Unscored  int      `json:"unscored"`
	Agreement jsonRate `json:"agreement"`
	TruePass  jsonRate `json:"passes_what_people_pass"`
	TrueFail  jsonRate `json:"fails_what_people_fail"`
	Kappa     *float64 `json:"kappa"`
	AC1       *float64 `json:"ac1"`
}

type jsonRate struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func agreementOf(c stats.Confusion, without int) jsonAgreement {
	rate := func(value float64, i stats.Interval) jsonRate {
		return jsonRate{known(value), known(i.Low), known(i.High)}
	}
	kappa, _, _ := c.Kappa()
	return jsonAgreement{
		Format: 1, Of: c.Of(), BothPass: c.BothPass, JudgePass: c.JudgePass, HumanPass: c.HumanPass, BothFail: c.BothFail, Unscored: without,
		Agreement: rate(c.Agreement()), TruePass: rate(c.TruePass()), TrueFail: rate(c.TrueFail()), Kappa: known(kappa), AC1: known(c.AC1()),
	}
}

func known(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}
