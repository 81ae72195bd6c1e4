package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/engine/schema"
)

func newSchema(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "print the JSON Schema of a file or a report",
		Long: `Schema prints the JSON Schema of a file that docket reads or writes, or of a
report that it prints as JSON; without a name, what there is. An editor that
knows YAML completes and checks cases by the schema of a case: save it, and name
it on the first line of a case file:

  # yaml-language-server: $schema=../../.docket/case.schema.json

Exit codes: 0 printed; 2 there is no schema of that name.`,
		Example: `  docket schema
  docket schema case > .docket/case.schema.json
  docket schema diff`,
		Args: atMost(1, "the name of a schema"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				text, err := schema.Get(args[0])
				if err != nil {
					return err
				}
				_, err = a.out.Write(text)
				return err
			}
			var errs []error
			for _, e := range schema.List() {
				_, err := fmt.Fprintf(a.out, "%-10s %s\n", e.Name, e.About)
				errs = append(errs, err)
			}
			return errors.Join(errs...)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, e := range schema.List() {
				names = append(names, e.Name+"\t"+e.About)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	return cmd
}
