package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/baseline"
	"docket/engine/diff"
	"docket/engine/interchange"
	"docket/engine/report"
	"docket/engine/run"
	"docket/engine/safetext"
)

// diffFlags are the flags of docket diff.
type diffFlags struct {
	runID, format, mode, system string
	all, across, reportOnly     bool
	read                        interchange.Options
}

func newDiff(a *app) *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff [SUITE | OLD NEW]",
		Short: "show what changed in structure since the baseline",
		Long: `Diff compares the last run of a suite with its baseline, or two files of
outputs or of another tool's results, case by case: checks, label, tool calls,
JSON shape, entities, numbers; never prose. It writes nothing but a run of
outputs that exist, and decides nothing.

Results of promptfoo, Inspect, lm-eval, openai/evals, OpenAI's batches and
logged chat completions, deepeval, pydantic_evals and JUnit are known by their
content; their own checks are compared too. Rows pair by the id of their case:
where a format has none the rule that was used is said, and --id names another
field.

Exit codes: 0 nothing to decide; 1 a change is not in the written baseline;
2 something is wrong; 3 not comparable; 4 some case failed or missed.`,
		Example: `  docket diff                          the last run against the baseline
  docket diff invoices --format json   for programs
  docket diff --format html >diff.html one page, answers side by side
  docket diff old.jsonl new.jsonl      two files of outputs, no suite needed
  docket diff old.eval new.eval        two logs of another tool`,
		Args: atMost(2, "a suite, or two files"),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := report.FormatNamed(f.format)
			if err != nil {
				return err
			}
			if len(args) == 2 {
				for _, name := range []string{"run", "mode", "system", "all"} {
					if cmd.Flags().Changed(name) {
						return fmt.Errorf("--%s is about a suite: leave it out with two files", name)
					}
				}
				return a.diffFiles(cmd.Context(), args[0], args[1], f.read, format, f.reportOnly)
			}
			if f.read != (interchange.Options{}) {
				return errors.New("--id and --variant are for two files: name the old and the new one")
			}
			return a.eachSuite(cmd.Context(), args, f.all, func(p *engine.Project, name string) error {
				return a.diffSuite(cmd.Context(), p, name, f, format)
			})
		},
	}
	cmd.Flags().StringVar(&f.runID, "run", "", "compare the run of this `id` instead of the last one")
	cmd.Flags().StringVar(&f.format, "format", "text", "text, json, markdown, html or junit")
	cmd.Flags().StringVar(&f.mode, "mode", "", "whose baseline: mock, replay or live")
	cmd.Flags().StringVar(&f.system, "system", "", "the system whose outputs are meant (default: the suite's)")
	cmd.Flags().BoolVar(&f.all, "all", false, "every suite in turn")
	cmd.Flags().BoolVar(&f.across, "across", false, "compare although model, parameters, environment or age differ, and say so")
	addReadFlags(cmd, &f.read)
	cmd.Flags().BoolVar(&f.reportOnly, "report-only", false, "exit 0 where a change or grounds would give 1 or 3: for live runs, which are reports")
	return cmd
}

func (a *app) diffSuite(ctx context.Context, p *engine.Project, name string, f diffFlags, format report.Format) error {
	s, err := p.Open(name, f.system, f.mode)
	if err != nil {
		return err
	}
	base, err := s.Baseline()
	if err != nil {
		return err
	}
	var r *run.Run
	if f.runID != "" {
		r, err = s.StoredRun(ctx, f.runID)
	} else {
		r, _, err = s.Latest(ctx, nil)
	}
	if err != nil {
		return err
	}
	if err := s.Measures(r); err != nil {
		return err
	}
	d, err := s.Compare(ctx, r, base)
	if err != nil {
		return err
	}
	return a.report(ctx, s, d, r, base, format, reportOptions{across: f.across, reportOnly: f.reportOnly, notes: unknownNotes(s.Unknown())})
}

type reportOptions struct {
	runID              string
	across, reportOnly bool
	notes              []string
}

// report prints a diff with the decisions that stand and the command to go on
// with, and returns the exit code that the diff calls for.
func (a *app) report(ctx context.Context, s *engine.Suite, d *diff.Diff, ran *run.Run, base *baseline.File, format report.Format, o reportOptions) error {
	standing, err := s.Standing(ctx, d, ran, base)
	if err != nil {
		return err
	}
	r := &report.Report{
		Diff: d, Sources: ran.Sources, Now: time.Now(), RunID: o.runID, Notes: append(o.notes, standing.Notes...), Decided: standing.Decided, Past: standing.Past,
		Color: a.colored(), Across: o.across, Next: nextAfterDiff(s, d, ran, standing, o.across),
	}
	messages, done, err := s.Messages(ctx, ran)
	if err != nil {
		return err
	}
	defer done()
	r.Messages = messages
	if format.Name == "text" {
		say, closing, err := s.Grounded(ctx, d, base)
		if err != nil {
			return err
		}
		defer closing()
		r.Evidence = say
		if !engine.Pooled(d) {
			r.Notes = append(r.Notes, "so many cases are listed that only the baseline's own samples are counted as evidence: "+s.Command("review")+" counts those of all runs, case by case")
		}
	}
	if format.Name == "markdown" {
		if r.Cost, err = s.Cost(ctx, ran); err != nil {
			return err
		}
	}
	if format.Name == "html" {
		page, err := s.Page(ctx, d, ran, base)
		if err != nil {
			return err
		}
		defer page.Close()
		r.Trend, r.Beside = page.Trend(), func(c *diff.Case) report.Beside { return page.Beside(ctx, c) }
	}
	if err := format.Write(a.out, r); err != nil {
		return err
	}
	return codeOf(d, o)
}

func codeOf(d *diff.Diff, o reportOptions) error {
	s := d.Summary.Statuses
	measured := d.Summary.Cases - s[diff.Error] - s[diff.Missed] - s[diff.NotRun] - s[diff.Gone]
	failed := s[diff.Error] + s[diff.Missed]
	switch {
	case !d.Comparable() && !o.across && !o.reportOnly:
		return exit{codeGrounds}
	case measured == 0 && failed+s[diff.NotRun] > 0: // a run that was interrupted at once proves nothing
		return exit{codeUnmeasured}
	case d.Summary.Undecided() > 0 && !o.reportOnly:
		return exit{codeChange}
	case failed > 0:
		return errSomeFailed
	default:
		return nil
	}
}

func nextAfterDiff(s *engine.Suite, d *diff.Diff, ran *run.Run, standing *engine.Standing, across bool) []string {
	undecided := report.Undecided(&report.Report{Diff: d, Decided: standing.Decided})
	switch {
	case ran.Recorded:
		return []string{s.AgainCommand(ran)}
	case !d.Comparable() && d.Recapture == "" && !across:
		return []string{s.Command("calibrate") + " --recapture --reason TEXT, since the two sides are not comparable; --across compares all the same"}
	case undecided > 0:
		return []string{s.Command("review") + ", or " + acceptCommand(s) + " --reason TEXT"}
	case len(standing.Decided) > 0, d.Recapture != "":
		return []string{s.Command("write")}
	default:
		return nil
	}
}

// acceptCommand spells what accepts a case of a suite.
func acceptCommand(s *engine.Suite) string {
	return "docket accept ID --suite " + safetext.Word(s.Name) + s.Flags()
}

func (a *app) diffFiles(ctx context.Context, oldPath, newPath string, o interchange.Options, format report.Format, reportOnly bool) error {
	pair, err := engine.FilesWith(ctx, oldPath, newPath, o)
	if err != nil {
		return err
	}
	r := &report.Report{Diff: pair.Diff, Color: a.colored(), Notes: pair.Notes(), Messages: pair.Messages}
	if format.Name == "html" {
		page := pair.Page()
		r.Beside = func(c *diff.Case) report.Beside { return page.Beside(ctx, c) }
	}
	if pair.Diff.Summary.Undecided() > 0 {
		r.Next = []string{fmt.Sprintf("docket review %s %s", safetext.Word(oldPath), safetext.Word(newPath)) + readFlags(o)}
	}
	if err := format.Write(a.out, r); err != nil {
		return err
	}
	switch {
	case pair.New.Failed > 0 && pair.New.Failed == pair.New.Cases:
		return exit{codeUnmeasured}
	case pair.Diff.Summary.Undecided() > 0 && !reportOnly:
		return exit{codeChange}
	case pair.New.Failed > 0:
		return errSomeFailed
	default:
		return nil
	}
}
