package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/phrase"
	"docket/engine/run"
	"docket/engine/safetext"
)

// rescoreFlags are the flags of docket rescore.
type rescoreFlags struct {
	mode, system, reason, judges string
	keyHosts                     []string
	jobs                         int
	inCI                         bool
}

func newRescore(a *app) *cobra.Command {
	var f rescoreFlags
	cmd := &cobra.Command{
		Use:   "rescore [SUITE]",
		Short: "judge the baseline's answers again, by a judge or checks that changed",
		Long: `Rescore judges the answers behind a baseline again, by the judge, the checks and
the settings of today. No system is asked, so that every difference is the
ruler's and none the model's; each is tagged ruler. It proposes to take the whole
baseline's place, header included: review it, and write it in a commit that
contains nothing else.

Lines whose answers are not on this machine stay as they were, but for the
verdict of a judge that is another by now: that is withdrawn. Live judges cost money, and
rescore is consent to ask them, and to start the programs of command checks.

Exit codes: 0 judged, and proposed; 2 something is wrong, or nothing that judges
has changed; 4 some case could not be judged again.`,
		Example: `  docket rescore support --reason "judge tone moved to its August version"
  docket rescore --mode replay --reason "max_words counts by Unicode now"`,
		Args: atMost(1, "a suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.refuseInCI(f.inCI, "rescore"); err != nil {
				return err
			}
			if f.reason == "" {
				return errNoReason
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			s, err := p.Open(name, f.system, f.mode)
			if err != nil {
				return err
			}
			s.KeyHosts = f.keyHosts
			if err := s.AnswerJudges(f.judges); err != nil {
				return err
			}
			return a.rescore(cmd.Context(), s, f)
		},
	}
	cmd.Flags().StringVar(&f.reason, "reason", "", "why; kept with the header")
	cmd.Flags().StringVar(&f.mode, "mode", "", "whose baseline: mock, replay or live")
	cmd.Flags().StringVar(&f.system, "system", "", "the system whose baseline is meant (default: the suite's)")
	cmd.Flags().StringVar(&f.judges, "judges", "", "who answers for judges: mock, replay, live or record (default: as models)")
	cmd.Flags().StringArrayVar(&f.keyHosts, "key-host", nil, "a `host` that may be sent API keys, besides the vendors' own and loopback; may be repeated")
	cmd.Flags().IntVar(&f.jobs, "jobs", 1, "how many answers are judged at once")
	cmd.Flags().BoolVar(&f.inCI, "in-ci", false, "propose although CI is set")
	return cmd
}

func (a *app) rescore(ctx context.Context, s *engine.Suite, f rescoreFlags) error {
	progress := a.progress("judging " + s.Name + " again")
	r, err := s.Rescore(ctx, f.reason, f.jobs, progress.tick)
	progress.done()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s · %s · the same answers, judged again: %s changed\n", safetext.Line(s.Name), safetext.Line(s.Mode), safetext.Line(phrase.Series(r.Changed, "and")))
	failed := 0
	for i := range r.Run.Results {
		if result := &r.Run.Results[i]; result.Outcome == run.Failed || result.Outcome == run.Missed {
			failed++
			fmt.Fprintf(a.out, "  ✗ %s: %s\n", safetext.Line(result.ID), safetext.Line(result.Error))
		}
	}
	for _, said := range []string{r.Keeps(), r.Withdraws()} {
		if said != "" {
			fmt.Fprintln(a.out, safetext.Line(said))
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintln(a.out, safetext.Line(note))
	}
	fmt.Fprintf(a.out, "run %s proposes to take the place of %s; nothing is written yet\n", r.Run.ID, safetext.Line(a.shorten(s.BaselinePath())))
	fmt.Fprintf(a.out, "next: %s; once every change is decided, %s writes it whole\n", s.Command("review"), s.Command("write"))
	if failed > 0 {
		fmt.Fprintf(a.out, "%s: it can be looked at and not written\n", phrase.Count(failed, "case could not be judged again", "cases could not be judged again"))
		return errSomeFailed
	}
	return nil
}
