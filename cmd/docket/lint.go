package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/phrase"
	"docket/engine/safetext"
	"docket/engine/source"
)

func newLint(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [SUITE]",
		Short: "check cases, configuration, baselines and decisions without a run",
		Long: `Lint reads every suite, or one, and lists all that is wrong or suspect as
file:line:column. Exit code 2 where a suite does not load, 1 where there is a
finding, 0 where there is none.`,
		Example: "  docket lint",
		Args:    atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.load()
			if err != nil {
				return err
			}
			names := p.Names()
			if len(args) == 1 {
				config, _, err := p.Choose(args[0])
				if err != nil {
					return err
				}
				names = []string{config.Name}
			}
			return a.lint(cmd.Context(), p, names)
		},
	}
}

func (a *app) lint(ctx context.Context, p *engine.Project, names []string) error {
	code, cases := codeOK, 0
	for _, name := range names {
		s, err := p.Open(name, "", "")
		var problems source.Problems
		switch {
		case errors.As(err, &problems):
			code = codeWrong
		case err != nil:
			return err
		default:
			cases += len(s.Cases())
			if problems, err = s.Lint(ctx, time.Now()); err != nil {
				return err
			}
			if len(problems) > 0 && code == codeOK {
				code = codeChange
			}
		}
		for _, problem := range problems {
			fmt.Fprintln(a.out, safetext.Line(a.plain(problem.Error())))
		}
	}
	if code != codeOK {
		return exit{code}
	}
	fmt.Fprintf(a.out, "%s in %s: nothing found\n", phrase.Count(cases, "case", "cases"), phrase.Count(len(names), "suite", "suites"))
	return nil
}
