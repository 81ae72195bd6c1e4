package main

import (
	"github.com/spf13/cobra"

	"docket/engine"
	"docket/engine/describe"
)

func newDescribe(a *app) *cobra.Command {
	var (
		format, mode, system string
		all                  bool
	)
	cmd := &cobra.Command{
		Use:   "describe [SUITE]",
		Short: "say in prose what the baseline says that the prompt does",
		Long: `Describe reads the baseline and says what comes out of the prompt: the values of
each projection and their shares over the suite, the tags whose cases differ,
the cases that stand out, what is not stable and on how much evidence, and the
checks that always fail. It runs nothing and reads neither prompt nor outputs.`,
		Example: `  docket describe
  docket describe invoices --format markdown > invoices.md`,
		Args: atMost(1, "one suite"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := describe.FormatNamed(format)
			if err != nil {
				return err
			}
			return a.eachSuite(cmd.Context(), args, all, func(p *engine.Project, name string) error {
				s, err := p.Open(name, system, mode)
				if err != nil {
					return err
				}
				d, err := s.Describe()
				if err != nil {
					return err
				}
				return f.Write(a.out, d)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, markdown or json")
	cmd.Flags().StringVar(&mode, "mode", "", "whose baseline: mock, replay or live")
	cmd.Flags().StringVar(&system, "system", "", "the `name` of the system whose mode is meant (default: the suite's)")
	cmd.Flags().BoolVar(&all, "all", false, "every suite in turn")
	return cmd
}
