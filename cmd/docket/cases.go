package main

import (
	"time"

	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/census"
)

func newCases(a *app) *cobra.Command {
	var format string
	var all bool
	cmd := &cobra.Command{
		Use:   "cases [SUITE]",
		Short: "count the cases by tag, incident, age and weight, and those that never failed",
		Long: `Cases counts what a suite holds: its cases by tag, incident, age and weight, how
much of the weight comes from incidents, which cases have never run, and which
have never failed. What ran and failed is known from the results of this
machine; mock runs count as runs, and judge nothing. It runs nothing.

Exit codes: 0; 2 something is wrong.`,
		Example: `  docket cases
  docket cases invoices --format json`,
		Args: atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := census.FormatNamed(format)
			if err != nil {
				return err
			}
			return a.eachSuite(cmd.Context(), args, all, func(p *engine.Project, name string) error {
				c, err := p.Census(cmd.Context(), name, time.Now())
				if err != nil {
					return err
				}
				return f.Write(a.out, c)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().BoolVar(&all, "all", false, "every suite in turn")
	return cmd
}
