package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docket/engine/comparison"
	"docket/engine/safetext"
)

func newCompare(a *app) *cobra.Command {
	var suite, mode, format string
	var mixed bool
	cmd := &cobra.Command{
		Use:   "compare SYSTEM SYSTEM…",
		Short: "lay systems side by side: quality, cost, latency",
		Long: `Compare lays the stored runs of two or more systems side by side: the pass rate
and the score by weight, with intervals; what a run and 1,000 cases cost; how
long a sample took; and, case by case, what only one of them passes. Each system
is then tested against the first. Nothing is run: of each system the last whole
run counts, or the run whose id is given in its place.

Runs that were not measured alike (other judges, versions of cases, settings
that judge, or another mode) are not compared, unless --mixed says so.

Exit codes: 0 compared; 2 something is wrong, or no run is stored; 3 not
measured alike.`,
		Example: `  docket compare invoices-production invoices-candidate --suite invoices
  docket compare prod candidate --format html >compare.html
  docket compare 20260811T102203Z-7f3a prod   a run by its id`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("docket compare takes two systems or more: see `docket compare --help`")
			}
			for i, name := range args {
				for _, other := range args[:i] {
					if name == other {
						return fmt.Errorf("%q is named twice: name another system, or the id of another run", name)
					}
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := comparison.FormatNamed(format)
			if err != nil {
				return err
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			s, err := p.Open(suite, "", "")
			if err != nil {
				return err
			}
			c, err := s.CompareSystems(cmd.Context(), args, mode, mixed)
			var unlike *comparison.MixedError
			if errors.As(err, &unlike) {
				fmt.Fprintf(a.err, "docket: not measured alike: %s; --mixed compares all the same, and says so\n", safetext.Line(strings.Join(unlike.Reasons, "; ")))
				return exit{codeGrounds}
			}
			if err != nil {
				return err
			}
			return write.Write(a.out, c)
		},
	}
	cmd.Flags().StringVar(&suite, "suite", "", "the `suite` whose runs are meant (default: the first)")
	cmd.Flags().StringVar(&mode, "mode", "", "only runs of this mode: mock, replay or live")
	cmd.Flags().StringVar(&format, "format", "text", "text, markdown, json or html")
	cmd.Flags().BoolVar(&mixed, "mixed", false, "compare runs that were not measured alike, and say so")
	return cmd
}
