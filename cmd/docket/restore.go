package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"docket/engine/safetext"
	"docket/tui/prune"
)

func newRestore(a *app) *cobra.Command {
	var suiteName, reason string
	var inCI bool
	cmd := &cobra.Command{
		Use:   "restore ID",
		Short: "bring back a case that docket prune retired",
		Long: `Restore brings back the file of a retired case, its input files and its lines in
every baseline, byte for byte, from the decision that retired it: git is not
needed. It overwrites nothing, and writes below the suite's own folders only.

Exit codes: 0 the case is back; 2 nothing was restored.`,
		Example: `  docket restore summarise-0047
  docket restore summarise-0047 --suite summarise --reason "the rule came back"`,
		Args: exactly("the id of a case"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.refuseInCI(inCI, "restore"); err != nil {
				return err
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			suites := p.Names()
			if suiteName != "" {
				suites = []string{suiteName}
			}
			config, done, err := p.Restore(cmd.Context(), suites, args[0], reason)
			if err != nil {
				return err
			}
			for _, line := range prune.Told(&done) {
				fmt.Fprintln(a.out, safetext.Line(line))
			}
			fmt.Fprintf(a.out, "next: %s\n", p.AddLine(config, done))
			return nil
		},
	}
	cmd.Flags().StringVar(&suiteName, "suite", "", "the suite of the case")
	cmd.Flags().StringVar(&reason, "reason", "", "why; kept with the decision")
	cmd.Flags().BoolVar(&inCI, "in-ci", false, "restore although CI is set")
	return cmd
}
