package main

import (
	"io"

	"github.com/spf13/cobra"

	"docket/engine/export"
	"docket/engine/safetext"
)

func newExport(a *app) *cobra.Command {
	var suiteName, format string
	cmd := &cobra.Command{
		Use:   "export [RUN]",
		Short: "a stored run for other programs: JSON, CSV, JUnit, promptfoo, Inspect",
		Long: `Export prints a stored run of a suite, the last one unless an id is given, in any
mode, with all of its outputs and verdicts.

  json       everything, as docket schema run describes
  jsonl      the outputs, as docket reads them: diff, import, kind: outputs
  csv        a row a sample, safe for spreadsheets; a terminal shows what would
             drive it spelled out, a file or a pipe gets it as it is
  junit      a test a case
  promptfoo  results JSON, version 3, for promptfoo's viewer
  inspect    a log in JSON, for Inspect's viewer

Exit codes: 0 printed; 2 there is no such run, or something is wrong.`,
		Example: `  docket export --format csv >run.csv
  docket export 20260811T102203Z-7f3a --suite invoices --format jsonl >outputs.jsonl
  docket export --format promptfoo >results.json && promptfoo import results.json
  docket export --format inspect >logs/run.json && inspect view --log-dir logs`,
		Args: atMost(1, "one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := export.FormatNamed(format)
			if err != nil {
				return err
			}
			p, err := a.load()
			if err != nil {
				return err
			}
			s, err := p.Open(suiteName, "", "")
			if err != nil {
				return err
			}
			id := ""
			if len(args) == 1 {
				id = args[0]
			}
			r, err := s.Exported(cmd.Context(), id)
			if err != nil {
				return err
			}
			if f.Raw {
				return a.verbatim(safetext.Block, func(w io.Writer) error { return f.Write(w, r) })
			}
			return f.Write(a.out, r)
		},
	}
	cmd.Flags().StringVar(&suiteName, "suite", "", "the `suite` of the run (default: the first)")
	cmd.Flags().StringVar(&format, "format", "json", "json, jsonl, csv, junit, promptfoo or inspect")
	return cmd
}
